// SPDX-License-Identifier: BSD-3-Clause
#include "api/run_gemm.h"

#include <algorithm>
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

// What the launches of one call have in common.
struct Launching {
  const myblasContext& handle;
  const Plan& plan;
  void* stream;
  int parts;   // of k in the launch
  int places;  // that k-tiles are dealt to; 0: they are not
  bool early_start;
  int sm_count;
  bool sums_in_cluster;  // of the parts: they take no scratch
  bool behind_pass = false;
};

Status launch_row(const Launching& launching, const GemmProblem& problem, const Scratch& scratch) {
  const myblasContext& handle = launching.handle;
  const auto index = static_cast<size_t>(launching.plan.row);
  const KernelRow& row = handle.rows[index];
  return row.launch({.problem = &problem,
                     .kernel = handle.kernels->rows[index],
                     .stream = launching.stream,
                     .context = handle.context,
                     .tile_m = row.tile_m,
                     .tile_n = row.tile_n,
                     .threads = row.threads,
                     .blocks_per_sm = row.blocks_per_sm,
                     .smem_bytes = row.smem_bytes,
                     .sm_count = launching.sm_count,
                     .split = {scratch.partials, scratch.arrivals, launching.parts, {}},
                     .even_places = launching.places,
                     .tile_k = row.tile_k,
                     .early_start = launching.early_start,
                     .smem_per_sm = smem_of_sm(handle.caps),
                     .sums_in_cluster = launching.sums_in_cluster,
                     .behind_pass = launching.behind_pass,
                     .is_part_of_k = launching.plan.summed});
}

// The pass that repacks operands, then the product of what it wrote. Without a product nobody
// reads them, packed or not.
Status launch_packed(const Launching& launching, const GemmProblem& problem,
                     const Scratch& scratch) {
  const myblasContext& handle = launching.handle;
  const Packing& packing = launching.plan.packing;
  const GemmProblem packed = packed_problem(problem, packing, scratch.packed);
  Launching product = launching;
  if (!is_host_zero(problem.alpha)) {
    const int kernel =
        packing.in_terms ? kTermsKernel : pack_kernel_of(problem.ab_type, problem.batch_kind);
    const Status status = launch_pack(
        {problem,
         packed,
         packing.operands,
         {handle.kernels->packs[kernel], launching.stream, handle.context, launching.early_start}});
    if (status != Status::kSuccess) return status;
    product.behind_pass = true;
  }
  return launch_row(product, packed, scratch);
}

Status launch_products(const Launching& launching, const GemmProblem& problem,
                       const Scratch& scratch) {
  return launching.plan.packing.operands != kPackNone ? launch_packed(launching, problem, scratch)
                                                      : launch_row(launching, problem, scratch);
}

// The products of all parts of k, then the pass that adds them up.
Status launch_summed(const Launching& launching, const GemmProblem& problem,
                     const Scratch& scratch) {
  const myblasContext& handle = launching.handle;
  const GemmProblem divided = divided_problem(problem, launching.plan.parts, scratch.partials);
  Launching products = launching;
  const KernelRow& row = handle.rows[static_cast<size_t>(launching.plan.row)];
  products.early_start &= !wait_for_pass_ahead(row, divided, launching.sm_count);
  const Status status = launch_products(products, divided, scratch);
  if (status != Status::kSuccess) return status;
  return launch_sum({problem,
                     divided,
                     {handle.kernels->sums[sum_kernel_of(problem.c_type)], launching.stream,
                      handle.context, launching.early_start},
                     handle.caps.sm_count});
}

ScratchNeed need_of(const Launching& launching, const GemmProblem& problem) {
  ScratchNeed need;
  const KernelRow& row = launching.handle.rows[static_cast<size_t>(launching.plan.row)];
  if (launching.plan.summed) {
    need.bytes = sums_bytes(problem, launching.plan.parts);
  } else if ((launching.parts > 1 && !launching.sums_in_cluster) || launching.places > 0) {
    need.slots = launching.places > 0 ? even_slots(launching.places)
                                      : tile_count(row, problem) * launching.parts;
    need.bytes = static_cast<size_t>(need.slots * slot_bytes(row));
  }
  if (launching.plan.packing.operands != kPackNone && !is_host_zero(problem.alpha)) {
    const Plan& plan = launching.plan;
    need.packed_bytes = packed_bytes(
        plan.summed ? divided_problem(problem, plan.parts, nullptr) : problem, plan.packing);
  }
  return need;
}

ScratchStream scratch_stream(const myblasContext& handle, void* stream) {
  return {stream,
          handle.context,
          handle.scratch_pool,
          handle.scratch.load(std::memory_order_acquire),
          handle.has_workspace.load(std::memory_order_relaxed),
          handle.workspace.load(std::memory_order_relaxed),
          handle.workspace_bytes.load(std::memory_order_relaxed)};
}

Status launch_plan(const myblasContext& handle, const GemmProblem& problem, const Plan& plan,
                   void* stream) {
  // The default stream of each thread, under one name: no piece of scratch is its own.
  const bool per_thread = reinterpret_cast<uintptr_t>(stream) == kPerThreadStream;
  const int target = handle.sm_count_target.load(std::memory_order_relaxed);
  const int sm_count = target > 0 ? target : handle.caps.sm_count;
  const bool in_cluster =
      !plan.summed &&
      sums_in_cluster(handle.rows[static_cast<size_t>(plan.row)], problem, sm_count, plan.parts);
  const bool early_start =
      handle.kernels->early_start && !per_thread && may_start_early(scratch_stream(handle, stream));
  const Launching launching{handle,
                            plan,
                            stream,
                            plan.summed || (per_thread && !in_cluster) ? 1 : plan.parts,
                            per_thread ? 0 : plan.places,
                            early_start,
                            sm_count,
                            in_cluster};
  const bool divides = (launching.parts > 1 && !in_cluster) || launching.places > 0;
  if (!divides && !has_passes(plan)) return launch_row(launching, problem, {});
  LaunchScratch launch_scratch(scratch_stream(handle, stream));
  const ScratchNeed need = need_of(launching, problem);
  Scratch scratch;
  Status status = need.any() ? launch_scratch.open(need, &scratch) : Status::kSuccess;
  if (status == Status::kSuccess) {
    status = plan.summed ? launch_summed(launching, problem, scratch)
                         : launch_products(launching, problem, scratch);
  }
  const Status closed = launch_scratch.close();
  return status == Status::kSuccess ? closed : status;
}

Status launch_on_gpu(const myblasContext& handle, const GemmProblem& problem) {
  void* const stream = handle.stream.load(std::memory_order_relaxed);
  Plan plan = cached_select(handle, problem, stream);
  if (plan.row < 0) return Status::kNotSupported;
  Status status = launch_plan(handle, problem, plan, stream);
  if (status == Status::kAllocFailed) {
    // Nothing was launched. A product needs no memory: with what there is for sums, or without.
    for (const size_t sum_bytes : {sum_bytes_at_hand(scratch_stream(handle, stream)), size_t{0}}) {
      plan = select_in_place(handle, problem, sum_bytes);
      if (plan.row < 0) return Status::kNotSupported;
      status = launch_plan(handle, problem, plan, stream);
      if (status != Status::kAllocFailed) break;
    }
  }
  if (status != Status::kSuccess) return status;
  t_last_kernel = handle.rows[static_cast<size_t>(plan.row)].name;
  t_last_plan = plan;
  return status;
}

// What is packed ahead of a kernel, and what is added up behind it, stands behind its name.
void log_result(const GemmCall& call, const char* result) {
  char text[256], passes[kPassesText];
  format_call(call, text, sizeof text);
  log::print("myblas: %s -> %s%s", text, result, describe_passes(t_last_plan, passes));
}

}  // namespace

const Plan& last_plan() { return t_last_plan; }

myblasStatus_t copy_kernel_name(const char* row, const Plan& plan, char* name, size_t size) {
  char parts[24] = "";
  if (plan.summed) std::snprintf(parts, sizeof parts, "@%d+sum", plan.parts);
  if (name == nullptr || std::strlen(row) + std::strlen(parts) >= size) {
    return MYBLAS_STATUS_INVALID_VALUE;
  }
  std::snprintf(name, size, "%s%s", row, parts);
  return MYBLAS_STATUS_SUCCESS;
}

myblasStatus_t report_rejection(const myblasContext& handle, const char* routine,
                                myblasStatus_t status, const char* why) {
  std::snprintf(t_last_rejection, sizeof t_last_rejection, "%s", why);
  if (!handle.shadow.load(std::memory_order_relaxed)) {
    log::print("myblas: %s rejected, %s: %s", routine, myblasGetStatusName(status), why);
  }
  return status;
}

void forget_last_kernel() {
  t_last_kernel = kNoKernel;
  t_last_plan = Plan{};
}

Checked check_call(const myblasContext& handle, const GemmCall& call, GemmProblem* problem) {
  forget_last_kernel();
  const Verdict verdict = validate(handle, call, problem);
  if (verdict.status == MYBLAS_STATUS_SUCCESS) {
    if (verdict.done && log::enabled()) log_result(call, kNoKernel);
    return {verdict.status, verdict.done};
  }
  char text[256];
  format_call(call, text, sizeof text);
  return {report_rejection(handle, text, verdict.status, verdict.why), true};
}

double products_of(const GemmProblem& p) {
  return static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k) *
         static_cast<double>(p.batch_count);
}

// About two microseconds of a large GPU.
constexpr double kMostComplexProducts = 1 << 21;
bool is_large_complex_f64(const myblasContext& handle, const GemmProblem& p) {
  return p.ab_type == DataType::kCF64 && !handle.has_complex_f64 && std::min(p.m, p.n) > 1 &&
         products_of(p) > kMostComplexProducts;
}

// Whether tcgen05, which sm_100 to sm_110 have and we have no kernels by, would take it: mma.sync
// has a fourth of its rate there. Streams and what is over in a few microseconds are as good here.
bool is_for_tcgen05(const myblasContext& handle, const GemmProblem& p) {
  constexpr double kMostProducts = 1 << 25;
  constexpr int64_t kMostOfStream = 4;  // rows or columns
  if (handle.caps.cc < 100 || handle.caps.cc >= 120) return false;
  const bool tensor = element_bytes(p.ab_type) <= 2 ||
                      (p.ab_type == DataType::kF32 && (p.fast_math & kFastTF32) != 0);
  return tensor && std::min(p.m, p.n) > kMostOfStream && products_of(p) > kMostProducts;
}

// Why a call beside a real cuBLAS is better off there, or null.
const char* why_left_to_cublas(const myblasContext& handle, const GemmProblem& p) {
  if (!handle.shadow.load(std::memory_order_relaxed)) return nullptr;
  if (is_large_complex_f64(handle, p)) return "complex fp64 of this size is left to cuBLAS";
  if (is_for_tcgen05(handle, p)) return "tensor cores of this chip are left to cuBLAS";
  const bool emulates = handle.emulates_fp32 && (p.fast_math & kFastBF16x9) != 0;
  return emulates && !handle.has_terms ? "fp32 emulation is left to cuBLAS here" : nullptr;
}

myblasStatus_t compute(const myblasContext& handle, const GemmCall& call,
                       const GemmProblem& problem) {
  if (const char* why = why_left_to_cublas(handle, problem)) {
    return report_rejection(handle, call.routine, MYBLAS_STATUS_NOT_SUPPORTED, why);
  }
  Status status = Status::kSuccess;
  if (!keeps_c(problem)) {
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

myblasStatus_t reject_dead_handle() {
  forget_last_kernel();
  std::snprintf(t_last_rejection, sizeof t_last_rejection, "the handle is not initialized");
  return MYBLAS_STATUS_NOT_INITIALIZED;
}

myblasStatus_t run_gemm(myblasHandle_t handle, const GemmCall& call) noexcept try {
  if (!is_live(handle)) return reject_dead_handle();
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
  return copy_kernel_name(t_last_kernel, t_last_plan, name, size);
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
