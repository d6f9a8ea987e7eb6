// SPDX-License-Identifier: BSD-3-Clause
#include "op.h"

#include <array>
#include <string_view>

namespace bench {
namespace {

struct OpRow {
  const char* name;
  Routine routine;
  myblasDataType_t ab_type, c_type, scalar_type;
  myblasComputeType_t compute;
};

// clang-format off
constexpr std::array kOps{
    OpRow{"f32",     Routine::kTyped, MYBLAS_R_32F,  MYBLAS_R_32F,  MYBLAS_R_32F, MYBLAS_COMPUTE_32F},
    OpRow{"tf32",    Routine::kEx,    MYBLAS_R_32F,  MYBLAS_R_32F,  MYBLAS_R_32F, MYBLAS_COMPUTE_32F_FAST_TF32},
    OpRow{"x9",      Routine::kEx,    MYBLAS_R_32F,  MYBLAS_R_32F,  MYBLAS_R_32F, MYBLAS_COMPUTE_32F_EMULATED_16BFX9},
    OpRow{"bf16",    Routine::kEx,    MYBLAS_R_16BF, MYBLAS_R_16BF, MYBLAS_R_32F, MYBLAS_COMPUTE_32F},
    OpRow{"f16",     Routine::kEx,    MYBLAS_R_16F,  MYBLAS_R_16F,  MYBLAS_R_32F, MYBLAS_COMPUTE_32F},
    OpRow{"bf16f32", Routine::kEx,    MYBLAS_R_16BF, MYBLAS_R_32F,  MYBLAS_R_32F, MYBLAS_COMPUTE_32F},
    OpRow{"f16f32",  Routine::kEx,    MYBLAS_R_16F,  MYBLAS_R_32F,  MYBLAS_R_32F, MYBLAS_COMPUTE_32F},
    OpRow{"f16f16",  Routine::kEx,    MYBLAS_R_16F,  MYBLAS_R_16F,  MYBLAS_R_16F, MYBLAS_COMPUTE_16F},
    OpRow{"f64",     Routine::kTyped, MYBLAS_R_64F,  MYBLAS_R_64F,  MYBLAS_R_64F, MYBLAS_COMPUTE_64F},
    OpRow{"s8",      Routine::kEx,    MYBLAS_R_8I,   MYBLAS_R_32I,  MYBLAS_R_32I, MYBLAS_COMPUTE_32I},
    OpRow{"c64",     Routine::kTyped, MYBLAS_C_32F,  MYBLAS_C_32F,  MYBLAS_C_32F, MYBLAS_COMPUTE_32F},
    OpRow{"c128",    Routine::kTyped, MYBLAS_C_64F,  MYBLAS_C_64F,  MYBLAS_C_64F, MYBLAS_COMPUTE_64F},
    OpRow{"gv_f32",  Routine::kGemv,  MYBLAS_R_32F,  MYBLAS_R_32F,  MYBLAS_R_32F, MYBLAS_COMPUTE_32F},
    OpRow{"gv_f64",  Routine::kGemv,  MYBLAS_R_64F,  MYBLAS_R_64F,  MYBLAS_R_64F, MYBLAS_COMPUTE_64F},
    OpRow{"gv_c64",  Routine::kGemv,  MYBLAS_C_32F,  MYBLAS_C_32F,  MYBLAS_C_32F, MYBLAS_COMPUTE_32F},
    OpRow{"gv_c128", Routine::kGemv,  MYBLAS_C_64F,  MYBLAS_C_64F,  MYBLAS_C_64F, MYBLAS_COMPUTE_64F},
    OpRow{"c64_3m",  Routine::k3m,    MYBLAS_C_32F,  MYBLAS_C_32F,  MYBLAS_C_32F, MYBLAS_COMPUTE_32F},
    OpRow{"c128_3m", Routine::k3m,    MYBLAS_C_64F,  MYBLAS_C_64F,  MYBLAS_C_64F, MYBLAS_COMPUTE_64F},
};
// clang-format on

}  // namespace

std::optional<Op> find_op(const std::string& name) {
  std::string_view base = name;
  Batching batching = Batching::kNone;
  if (base.starts_with("sb_")) batching = Batching::kStrided;
  if (base.starts_with("pb_")) batching = Batching::kPointers;
  if (batching != Batching::kNone) base.remove_prefix(3);
  for (const OpRow& row : kOps) {
    if (base != row.name) continue;
    const bool has_batches = row.routine != Routine::k3m && row.routine != Routine::kGemv;
    if (!has_batches && batching != Batching::kNone) return std::nullopt;
    return Op{name, row.routine, batching, row.ab_type, row.c_type, row.scalar_type, row.compute};
  }
  return std::nullopt;
}

std::vector<std::string> op_names() {
  std::vector<std::string> names;
  for (const OpRow& row : kOps) {
    if (row.routine != Routine::kGemv) names.emplace_back(row.name);
  }
  return names;
}

}  // namespace bench
