// SPDX-License-Identifier: BSD-3-Clause
// emulator/tensor_copy.h: boxes of a tensor between global and shared memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/tensor_map.h"

namespace emulator {

// Where a box begins in a map of so many sides; w: 0 where there are 3.
struct BoxPlace {
  int sides;
  int x, y, z, w;
};

void prefetch_map(const myblas::TensorMap* map);
// To every block of the cluster whose bit is set; 0: this block.
void load_box(uint32_t destination, const myblas::TensorMap* map, const BoxPlace& place,
              uint32_t barrier, uint32_t blocks);
void store_box(const myblas::TensorMap* map, const BoxPlace& place, uint32_t source);
void commit_stores();
// Until at most this many of the thread's latest groups have still to read.
void wait_for_store_reads(size_t still_allowed);
void fence_for_copies();

}  // namespace emulator
