// SPDX-License-Identifier: BSD-3-Clause
#include "api/run_gemm.h"

#include <cstdio>
#include <cstring>
#include <new>

#include "api/dropin_hooks.h"
#include "api/log.h"
#include "api/plan_cache.h"
#include "cpu/openblas_backend.h"
#include "dispatch/cost.h"

namespace myblas {
namespace {

constexpr const char* kNoKernel = "none";
constexpr const char* kOpenBlas = "openblas";

// What this thread's last call did: read by introspection and by the drop-in.
thread_local const char* t_last_kernel = kNoKernel;
thread_local Plan t_last_plan;
thread_local char t_last_rejection[160] = "";

myblasStatus_t public_status(Status status) {
  switch (status) {
    case Status::kSuccess: return MYBLAS_STATUS_SUCCESS;
    case Status::kAllocFailed: return MYBLAS_STATUS_ALLOC_FAILED;
    case Status::kNotSupported: return MYBLAS_STATUS_NOT_SUPPORTED;
    case Status::kExecutionFailed: return MYBLAS_STATUS_EXECUTION_FAILED;
    case Status::kInternalError: break;
  }
  return MYBLAS_STATUS_INTERNAL_ERROR;
}

// C keeps its value: no product, and beta is known to be one.
bool c_is_kept(const GemmProblem& p) {
  return (p.k == 0 || is_host_zero(p.alpha)) && is_host_one(p.beta);
}

// k in parts: the launch needs scratch memory.
Status launch_divided(const myblasContext& handle, const KernelRow& row, LaunchRequest* request) {
  LaunchScratch launch_scratch({request->stream, request->context, handle.scratch_pool,
                                handle.scratch.load(std::memory_order_relaxed),
                                handle.workspace.load(std::memory_order_relaxed),
                                handle.workspace_bytes.load(std::memory_order_relaxed)});
  const int64_t slots = tile_count(row, request->problem) * request->split.parts;
  Scratch scratch;
  const Status opened =
      launch_scratch.open({slots, static_cast<size_t>(slots * slot_bytes(row))}, &scratch);
  if (opened != Status::kSuccess) {
    launch_scratch.close();
    return opened;
  }
  request->split.partials = scratch.partials;
  request->split.arrivals = scratch.arrivals;
  const Status launched = row.launch(*request);
  const Status closed = launch_scratch.close();
  return launched == Status::kSuccess ? closed : launched;
}

Status launch_on_gpu(const myblasContext& handle, const GemmProblem& problem) {
  const Plan plan = cached_select(handle, problem);
  if (plan.row < 0) return Status::kNotSupported;
  const KernelRow& row = handle.rows[static_cast<size_t>(plan.row)];
  const int target = handle.sm_count_target.load(std::memory_order_relaxed);
  void* const stream = handle.stream.load(std::memory_order_relaxed);
  // The default stream of each thread, under one name: no piece of scratch is its own.
  const bool per_thread = reinterpret_cast<uintptr_t>(stream) == kPerThreadStream;
  LaunchRequest request{problem,
                        handle.kernels[static_cast<size_t>(plan.row)],
                        stream,
                        handle.context,
                        row.tile_m,
                        row.tile_n,
                        row.threads,
                        row.smem_bytes,
                        target > 0 ? target : handle.caps.sm_count,
                        {nullptr, nullptr, per_thread ? 1 : plan.parts},
                        handle.early_start && !per_thread};
  const Status status =
      request.split.parts > 1 ? launch_divided(handle, row, &request) : row.launch(request);
  if (status != Status::kSuccess) return status;
  t_last_kernel = row.name;
  t_last_plan = plan;
  return status;
}

void log_result(const GemmCall& call, const char* result) {
  char text[256];
  format_call(call, text, sizeof text);
  log::print("myblas: %s -> %s", text, result);
}

}  // namespace

const Plan& last_plan() { return t_last_plan; }

myblasStatus_t report_rejection(const myblasContext& handle, const char* routine,
                                myblasStatus_t status, const char* why) {
  std::snprintf(t_last_rejection, sizeof t_last_rejection, "%s", why);
  if (!handle.shadow.load(std::memory_order_relaxed)) {
    log::print("myblas: %s rejected, %s: %s", routine, myblasGetStatusName(status), why);
  }
  return status;
}

Checked check_call(const myblasContext& handle, const GemmCall& call, GemmProblem* problem) {
  t_last_kernel = kNoKernel;
  t_last_plan.row = -1;
  const Verdict verdict = validate(handle, call, problem);
  if (verdict.status == MYBLAS_STATUS_SUCCESS) {
    if (verdict.done && log::enabled()) log_result(call, kNoKernel);
    return {verdict.status, verdict.done};
  }
  char text[256];
  format_call(call, text, sizeof text);
  return {report_rejection(handle, text, verdict.status, verdict.why), true};
}

myblasStatus_t compute(const myblasContext& handle, const GemmCall& call,
                       const GemmProblem& problem) {
  Status status = Status::kSuccess;
  if (!c_is_kept(problem)) {
    if (handle.backend == Backend::kCuda) {
      status = launch_on_gpu(handle, problem);
    } else {
      status = cpu::gemm(problem);
      if (status == Status::kSuccess) t_last_kernel = kOpenBlas;
    }
  }
  if (status == Status::kNotSupported) {
    char text[256];
    format_call(call, text, sizeof text);
    return report_rejection(handle, text, MYBLAS_STATUS_NOT_SUPPORTED,
                            "no kernel serves this combination of sizes and alignment");
  }
  if (log::enabled()) {
    const myblasStatus_t result = public_status(status);
    log_result(call, status == Status::kSuccess ? t_last_kernel : myblasGetStatusName(result));
  }
  return public_status(status);
}

myblasStatus_t run_gemm(myblasHandle_t handle, const GemmCall& call) noexcept try {
  if (!is_live(handle)) {
    std::snprintf(t_last_rejection, sizeof t_last_rejection, "the handle is not initialized");
    return MYBLAS_STATUS_NOT_INITIALIZED;
  }
  GemmProblem problem;
  const Checked checked = check_call(*handle, call, &problem);
  return checked.done ? checked.status : compute(*handle, call, problem);
} catch (const std::bad_alloc&) {
  return MYBLAS_STATUS_ALLOC_FAILED;
} catch (...) {
  return MYBLAS_STATUS_INTERNAL_ERROR;
}

}  // namespace myblas

using namespace myblas;

myblasStatus_t myblasGetLastKernelName(char* name, size_t size) {
  if (name == nullptr || std::strlen(t_last_kernel) >= size) return MYBLAS_STATUS_INVALID_VALUE;
  std::strcpy(name, t_last_kernel);
  return MYBLAS_STATUS_SUCCESS;
}

void myblasDropinMarkShadow(myblasHandle_t handle) {
  if (is_live(handle)) handle->shadow.store(true, std::memory_order_relaxed);
}
const char* myblasDropinLastRejection(void) { return t_last_rejection; }
int myblasDropinLogEnabled(void) {
  log::configure_from_environment();  // a program may log before it makes a handle
  return log::enabled();
}
void myblasDropinLog(const char* line) { log::write(line); }
