// SPDX-License-Identifier: BSD-3-Clause
// emulator/async_copy.h: cp.async. `destination` is a 32-bit shared address.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emulator {

// What lies past source_bytes is written as zero.
void copy_async(uint32_t destination, const void* source, int bytes, int source_bytes);
void commit_copies();
// Until at most this many of the thread's latest groups are under way.
void wait_for_copies(size_t still_allowed);

}  // namespace emulator
