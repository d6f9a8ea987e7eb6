// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// support/entry_points.h: every product routine of myblas.h behind one signature.
//==============================================================================
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "api/dropin_hooks.h"
#include "support/type_combos.h"

namespace myblas::test {

enum class BatchKind { kNone, kStrided, kPointers };

// The union of all routines' arguments. In pointer batches a, b, c are device arrays of pointers.
struct GemmCall {
  myblasOperation_t op_a = MYBLAS_OP_N, op_b = MYBLAS_OP_N;
  int64_t m = 0, n = 0, k = 0;
  const void* alpha = nullptr;
  const void* a = nullptr;
  int64_t lda = 1, stride_a = 0;
  const void* b = nullptr;
  int64_t ldb = 1, stride_b = 0;
  const void* beta = nullptr;
  void* c = nullptr;
  int64_t ldc = 1, stride_c = 0;
  int64_t batch = 1;
  const TypeCombo* combo = nullptr;
  myblasGemmAlgo_t algo = MYBLAS_GEMM_DEFAULT;
  const void* bias = nullptr;  // myblasDropinMatmul alone
  int64_t stride_bias = 0;
  myblasDropinActivation_t activation = MYBLAS_DROPIN_IDENTITY;
};

struct EntryPoint {
  const char* name;  // "myblasSgemm_64"
  BatchKind batch;
  bool wide;                               // a _64 twin
  bool (*serves)(const TypeCombo& combo);  // which rows of the type table it can be called for
  myblasStatus_t (*call)(myblasHandle_t handle, const GemmCall& call);
};

// All but the grouped routines, each followed by its _64 twin.
std::span<const EntryPoint> entry_points();
// One of them, or the drop-in's "myblasDropinMatmul".
const EntryPoint* find_entry(std::string_view name);
std::vector<const EntryPoint*> entries_for(const TypeCombo& combo);
std::vector<const EntryPoint*> entries_for(const TypeCombo& combo, BatchKind batch);

}  // namespace myblas::test
