// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/plan_cache.h: the choice made for a shape, remembered by each thread.
//
// select() is pure, so two threads that remember the same shape remember the
// same plan: a thread-local table needs no lock and no invalidation.
//==============================================================================
#pragma once

#include "api/handle.h"
#include "kernels/common/gemm_problem.h"

namespace myblas {

// select() through this thread's cache, for a launch on `stream`: on the per-thread stream there is
// no pass ahead of a product or behind it (docs/adr/0009). Everything that select() reads is in the
// key: handles of other kernels or another policy have another number (api/choices.h).
Plan cached_select(const myblasContext& handle, const GemmProblem& problem, const void* stream);

// The choice for a call that did not get the memory it wants: its operands are read where they lie,
// and parts of k have `sum_bytes` for their sums.
Plan select_in_place(const myblasContext& handle, const GemmProblem& problem, size_t sum_bytes);

// What this thread's last choice, one that the cache did not know, was made for. For myblas-tune.
const GemmProblem& last_problem();

}  // namespace myblas
