// SPDX-License-Identifier: BSD-3-Clause
// Which kernel would serve a call, and which table a handle selects from.
#include <cstdio>
#include <cstring>

#include "api/fill_call.h"
#include "api/plan_cache.h"
#include "api/run_gemm.h"

using namespace myblas;

namespace {

// Stands for any pointer aligned to 256 bytes; never read.
const void* aligned_address() { return reinterpret_cast<const void*>(uintptr_t{1} << 20); }

// Elements from one matrix of the batch to the next: whole columns, rounded up to 256.
int64_t aligned_stride(int64_t ld) {
  constexpr int64_t kColumns = 256;
  return ld > INT64_MAX / kColumns ? 0 : ld * kColumns;
}

myblasStatus_t copy_name(const char* text, char* name, size_t size) {
  if (name == nullptr || std::strlen(text) >= size) return MYBLAS_STATUS_INVALID_VALUE;
  std::memcpy(name, text, std::strlen(text) + 1);
  return MYBLAS_STATUS_SUCCESS;
}

}  // namespace

myblasStatus_t myblasGetKernelName(myblasHandle_t handle, myblasOperation_t transa,
                                   myblasOperation_t transb, int64_t m, int64_t n, int64_t k,
                                   myblasDataType_t Atype, int64_t lda, myblasDataType_t Btype,
                                   int64_t ldb, myblasDataType_t Ctype, int64_t ldc,
                                   int64_t batchCount, myblasComputeType_t computeType, char* name,
                                   size_t size) {
  if (!is_live(handle)) return MYBLAS_STATUS_NOT_INITIALIZED;
  const uint32_t ones[4] = {0x3c003c00, 0x3c003c00, 0x3c003c00, 0x3c003c00};  // no zero of any type
  GemmCall call =
      shape_call("GetKernelName", TypeRule::kGemmBatchedEx, transa, transb, m, n, k, ones, ones);
  call.a = {aligned_address(), static_cast<int>(Atype), lda, aligned_stride(lda)};
  call.b = {aligned_address(), static_cast<int>(Btype), ldb, aligned_stride(ldb)};
  call.c = {aligned_address(), static_cast<int>(Ctype), ldc, aligned_stride(ldc)};
  call.batch_count = batchCount;
  call.compute = static_cast<int>(computeType);
  GemmProblem problem;
  const Verdict verdict = validate(*handle, call, &problem);
  if (verdict.status != MYBLAS_STATUS_SUCCESS) return verdict.status;
  if (verdict.done) return copy_name("none", name, size);
  if (handle->backend == Backend::kCpu) return copy_name("openblas", name, size);
  const Plan plan = cached_select(*handle, problem, handle->stream.load(std::memory_order_relaxed));
  if (plan.row < 0) return MYBLAS_STATUS_NOT_SUPPORTED;
  return copy_kernel_name(handle->rows[static_cast<size_t>(plan.row)].name, plan, name, size);
}

myblasStatus_t myblasGetTargetName(myblasHandle_t handle, char* name, size_t size) {
  if (!is_live(handle)) return MYBLAS_STATUS_NOT_INITIALIZED;
  if (handle->backend == Backend::kCpu) return copy_name("cpu", name, size);
  char text[32];
  std::snprintf(text, sizeof text, "sm_%d", table_number(handle->caps.table_cc));
  return copy_name(text, name, size);
}
