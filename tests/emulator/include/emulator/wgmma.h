// SPDX-License-Identifier: BSD-3-Clause
// emulator/wgmma.h: products of a warpgroup that run behind the program.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emulator {

enum class WgmmaType : uint8_t { kF16, kBF16, kTF32, kS8 };

// 64 x n sums, k of 32 bytes. Transposed: neighbours in memory are neighbours along m or n.
struct WgmmaShape {
  WgmmaType type;
  int n;
  bool a_transposed, b_transposed;
  bool operator==(const WgmmaShape&) const = default;
};

// A is a matrix descriptor, or, where a_registers is set, this thread's four registers of it.
void wgmma(const WgmmaShape& shape, void* sums, uint64_t a, const uint32_t* a_registers, uint64_t b,
           bool accumulate);
void wgmma_fence();
void wgmma_commit();
void wgmma_wait(size_t still_allowed);

}  // namespace emulator
