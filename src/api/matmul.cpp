// SPDX-License-Identifier: BSD-3-Clause
// The product of cublasLt: a strided batch whose results may get a bias and an activation ahead of
// their rounding. For the drop-in alone (api/dropin_hooks.h).
#include <array>

#include "api/dropin_hooks.h"
#include "api/fill_call.h"
#include "api/run_gemm.h"

using namespace myblas;

namespace {

// For the log.
constexpr std::array<std::array<const char*, 2>, 3> kRoutines{
    {{"Matmul", "Matmul+bias"},
     {"Matmul+relu", "Matmul+bias+relu"},
     {"Matmul+gelu", "Matmul+bias+gelu"}}};

OperandCall operand(const void* base, myblasDataType_t type, int64_t ld, int64_t stride) {
  return {base, static_cast<int>(type), ld, stride};
}

}  // namespace

myblasStatus_t myblasDropinMatmul(myblasHandle_t handle, const myblasDropinMatmul_t* call) {
  const auto activation = static_cast<Activation>(call->activation);
  const char* routine = kRoutines[static_cast<size_t>(activation)][call->bias != nullptr ? 1 : 0];
  GemmCall gemm = shape_call(routine, TypeRule::kGemmEx, call->transa, call->transb, call->m,
                             call->n, call->k, call->alpha, call->beta);
  gemm.a = operand(call->a, call->a_type, call->lda, call->stride_a);
  gemm.b = operand(call->b, call->b_type, call->ldb, call->stride_b);
  gemm.c = operand(call->c, call->c_type, call->ldc, call->stride_c);
  gemm.batch_count = call->batch_count;
  gemm.compute = static_cast<int>(call->compute);
  gemm.epilogue = {call->bias, call->stride_bias, activation};
  return run_gemm(handle, gemm);
}
