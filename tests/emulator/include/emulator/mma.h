// SPDX-License-Identifier: BSD-3-Clause
// emulator/mma.h: mma.sync (runtime/mma.cpp). Modules see no more of it than this: they are
// compiled without optimisations that its loops want, and each of them again and again.
#pragma once

namespace emulator {

enum class Mma {
  kM16N8K8F16,
  kM16N8K8F16Sums,
  kM16N8K16F16,
  kM16N8K16F16Sums,
  kM16N8K16Bf16,
  kM16N8K8Tf32,
  kM8N8K16S8,
  kM16N8K32S8,
  kM8N8K4F64,
  kM16N8K8F64,
};

// One lane's fragments; the whole warp comes to it together.
void mma(Mma instruction, void* sums, const void* a, const void* b);

}  // namespace emulator
