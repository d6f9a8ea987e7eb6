// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/run_gemm.h: a filled GemmCall -> its status. What every entry point ends in.
//==============================================================================
#pragma once

#include "api/gemm_call.h"
#include "dispatch/select.h"

namespace myblas {

// Validates, returns early where there is nothing to do, else computes on the handle's backend.
// Logs the call where the log is on. Where it is rejected nothing is launched and C is untouched.
myblasStatus_t run_gemm(myblasHandle_t handle, const GemmCall& call) noexcept;

// For what is rejected before there is a call to check: no kernel served it.
void forget_last_kernel();

// The two halves, for grouped calls: all groups are validated before the first is computed.
// check_call reports a rejection as run_gemm does; compute() is for calls that are not done.
struct Checked {
  myblasStatus_t status;
  bool done;  // rejected, or nothing to compute
};
Checked check_call(const myblasContext& handle, const GemmCall& call, GemmProblem* problem);
myblasStatus_t compute(const myblasContext& handle, const GemmCall& call,
                       const GemmProblem& problem);

// Why a call goes to the real cuBLAS where a handle of it stands beside ours, or null. Of complex
// fp64 chips whose tensor cores have no fp64 run the reference kernel, at a tenth of cuBLAS's rate,
// but for one row or column, which waits for DRAM: what takes long goes. So does fp32 that the
// environment wants emulated, where we have no kernels for that.
const char* why_left_to_cublas(const myblasContext& handle, const GemmProblem& problem);

// How this thread's last call was served: row -1 where no kernel was launched. For myblas-tune.
const Plan& last_plan();

// A kernel's name for the caller; with how k was divided where a pass adds the parts up, as
// MYBLAS_KERNEL takes it.
myblasStatus_t copy_kernel_name(const char* row, const Plan& plan, char* name, size_t size);

// A rejection that is found before there is a call to validate.
myblasStatus_t report_rejection(const myblasContext& handle, const char* routine,
                                myblasStatus_t status, const char* why);
// Of a handle that is none: without a line in the log, as there is no one to say whose.
myblasStatus_t reject_dead_handle();

}  // namespace myblas
