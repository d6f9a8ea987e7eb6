// SPDX-License-Identifier: BSD-3-Clause
#include "api/cublas/lt_matmul.h"

#include "api/cublas/forward.h"
#include "api/cublas/lt_plan.h"
#include "api/cublas/lt_threads.h"
#include "api/cublas/report.h"
#include "api/cublas/serve.h"
#include "api/cublas/state.h"

namespace myblas::dropin {
namespace {

myblasStatus_t call_real(const LtLibrary& lt, const LtCall& call) {
  const RealCall guard;
  return lt.matmul(call.handle, call.operation, call.alpha, call.a, call.a_layout, call.b,
                   call.b_layout, call.beta, call.c, call.c_layout, call.d, call.d_layout,
                   call.algo, call.workspace, call.workspace_bytes, call.stream);
}

[[gnu::cold]] myblasStatus_t forward(const LtLibrary& lt, const LtCall& call, const LtPlan& plan) {
  if (!watching()) return call_real(lt, call);
  CallRecord record(Name::cublasLtMatmul, shape_of_product(plan.product), call.stream);
  const myblasStatus_t status = call_real(lt, call);
  record.forwarded(plan.refusal);
  return status;
}

// Why no call of this kind is ours, whatever its descriptors say; nullptr: one may be.
const char* blanket_refusal(const LtLibrary& lt) {
  if (t_real_depth != 0) return "a call from inside cuBLAS";
  return lt.left_alone;
}

// What cublasLt has for each call and we in the handle. Stream first: it takes the workspace back.
// NOTE: set even if it is the same: it may be a new stream of an old one's address.
const char* set_up(LtHandle* handle, const LtCall& call, const LtPlan& plan) {
  if (myblasSetStream(handle->ours, call.stream) != MYBLAS_STATUS_SUCCESS) {
    return "a stream that myblas does not take";
  }
  // NULL too is an answer: a capture without a workspace gets no memory nodes (docs/adr/0004).
  set_our_workspace(handle->ours, call.workspace, call.workspace_bytes);
  if (handle->pointer_mode != plan.pointer_mode) {
    myblasSetPointerMode(handle->ours, static_cast<myblasPointerMode_t>(plan.pointer_mode));
    handle->pointer_mode = plan.pointer_mode;
  }
  if (handle->sm_count != plan.sm_count) {
    if (myblasSetSmCountTarget(handle->ours, plan.sm_count) != MYBLAS_STATUS_SUCCESS) {
      return "a number of SMs that myblas does not take";
    }
    handle->sm_count = plan.sm_count;
  }
  return nullptr;
}

[[gnu::cold]] myblasStatus_t reported(const LtHandle& handle, const LtCall& call,
                                      const LtPlan& plan) {
  CallRecord record(Name::cublasLtMatmul, shape_of_product(plan.product), call.stream);
  const myblasStatus_t status = myblasDropinMatmul(handle.ours, &plan.product);
  if (is_final(status)) record.served_or_refused(status);
  return status;
}

// True where ours has done the call or begun it; else the plan says why not.
bool serve(LtThread* thread, const LtCall& call, LtPlan* plan, myblasStatus_t* status) {
  LtHandle* const handle = lt_handle(thread, call.stream, &plan->refusal);
  if (handle == nullptr) return false;
  plan->refusal = set_up(handle, call, *plan);
  if (plan->refusal != nullptr) return false;
  if (report_enabled()) [[unlikely]] {
    *status = reported(*handle, call, *plan);
  } else {
    *status = myblasDropinMatmul(handle->ours, &plan->product);
  }
  if (is_final(*status)) [[likely]] {
    return true;
  }
  plan->refusal = myblasDropinLastRejection();
  return false;
}

// A cuBLAS handle that standalone cublasCreate has made: the real cublasLt must never see it.
bool is_ours(void* handle) {
  myblasPointerMode_t mode;
  return myblasGetPointerMode(static_cast<myblasHandle_t>(handle), &mode) == MYBLAS_STATUS_SUCCESS;
}

}  // namespace

myblasStatus_t lt_not_supported(void* handle) noexcept {
  if (watching()) note_forwarded(Name::cublasLtMatmul, "standalone, not served");
  return handle == nullptr ? MYBLAS_STATUS_NOT_INITIALIZED : MYBLAS_STATUS_NOT_SUPPORTED;
}

myblasStatus_t lt_matmul(void* handle, const void* operation, const void* alpha, const void* a,
                         const void* a_layout, const void* b, const void* b_layout,
                         const void* beta, const void* c, const void* c_layout, void* d,
                         const void* d_layout, const void* algo, void* workspace,
                         size_t workspace_bytes, myblasStream_t stream) noexcept {
  const LtLibrary& lt = lt_library(__builtin_return_address(0));
  if (lt.matmul == nullptr || (lt.may_meet_our_handles && is_ours(handle))) [[unlikely]] {
    return lt_not_supported(handle);
  }
  const LtCall call{
      handle, operation, alpha, a,        a_layout, b,         b_layout,        beta,
      c,      c_layout,  d,     d_layout, algo,     workspace, workspace_bytes, stream};
  LtPlan plan;
  const char* const blanket = blanket_refusal(lt);
  if (blanket != nullptr) {
    plan.refusal = blanket;
    return forward(lt, call, plan);
  }
  LtThread* const thread = lt_thread();
  if (thread == nullptr) {
    plan.refusal = "no memory";
    return forward(lt, call, plan);
  }
  plan_lt(lt, &thread->layouts, call, &plan);
  myblasStatus_t status;
  if (plan.refusal == nullptr && serve(thread, call, &plan, &status)) return status;
  return forward(lt, call, plan);
}

}  // namespace myblas::dropin
