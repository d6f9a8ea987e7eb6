// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// op.h: what an OP of a shape list computes: the types and the routine called.
//
//   f32 f64 c64 c128       S D C Z gemm (c64: two floats an element)
//   c64_3m c128_3m         gemm3m
//   gv_f32 ... gv_c128     S D C Z gemv: N is 1, TRANS's T for B gives x an increment, ldb
//   tf32 x9                GemmEx on fp32, FAST_TF32 or EMULATED_16BFX9
//   bf16 f16               GemmEx, 16 bits in and out, fp32 compute
//   bf16f32 f16f32         the same with fp32 out
//   f16f16                 COMPUTE_16F
//   s8                     int8 in, int32 out
//   sb_OP, pb_OP           strided batch, batch of pointers
//==============================================================================
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "myblas.h"

namespace bench {

enum class Routine { kTyped, k3m, kGemv, kEx };
enum class Batching { kNone, kStrided, kPointers };

struct Op {
  std::string name;  // with its prefix
  Routine routine = Routine::kEx;
  Batching batching = Batching::kNone;
  myblasDataType_t ab_type = MYBLAS_R_32F;
  myblasDataType_t c_type = MYBLAS_R_32F;
  myblasDataType_t scalar_type = MYBLAS_R_32F;
  myblasComputeType_t compute = MYBLAS_COMPUTE_32F;
};

std::optional<Op> find_op(const std::string& name);

// The names without a prefix that random lists draw from: all but gemv's, whose N is 1.
std::vector<std::string> op_names();

}  // namespace bench
