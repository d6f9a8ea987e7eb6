// SPDX-License-Identifier: BSD-3-Clause
// emulator/mbarrier.h: barriers in shared memory.
#pragma once

#include <cstdint>

namespace emulator {

void mbarrier_init(uint32_t barrier, int arrivals);
void mbarrier_invalidate(uint32_t barrier);
void mbarrier_fence_init();
void mbarrier_arrive(uint32_t barrier, int expected_bytes);
void mbarrier_arrive_remote(uint32_t barrier, uint32_t rank);
// Waits until the phase of this parity is complete, or until nothing else can happen.
bool mbarrier_test_wait(uint32_t barrier, int parity);
bool mbarrier_try_wait(uint32_t barrier, int parity);

}  // namespace emulator
