// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// sum/sum_parts.cuh: C = the sum of parts + beta*C, behind a product whose k was divided.
//
//   layout    parts behind each other, each m x n column-major in the type of the sums, columns
//             aligned to 16 bytes; C column-major, any ld
//   CTA tile  256 runs of 16 bytes of sums, a thread a run; where that leaves SMs idle a run's
//             parts are shared among up to 32 threads, who meet in shared memory
//   pipeline  none: 8 loads of a thread in flight, many blocks an SM
//   assumes   sums aligned to 16 bytes; alpha is in them, and where it is 0 they do not count
//   edges     the run that C's last row cuts is loaded and stored an element at a time
//   order     parts ascending in each group of parts, groups ascending: bit-reproducible
//   limits    runs of a part < 2^31 (launch_sum.cpp)
//==============================================================================
#pragma once

#include "kernels/common/arithmetic.cuh"
#include "kernels/common/divide.cuh"
#include "kernels/common/epilogue.cuh"
#include "kernels/common/grid_start.cuh"
#include "kernels/ptx/global_memory.h"
#include "kernels/sum/sum_args.h"

namespace myblas {

// As many elements side by side as 16 bytes have sums.
template <class T, int kCount>
struct alignas(kCount * sizeof(T)) SumRunOf {
  T elements[kCount];
};

template <class SumType, class OutType>
struct SumConfig {
  using Sum = SumType;
  using Out = OutType;
  static constexpr int kRun = kSumRunBytes / static_cast<int>(sizeof(Sum));
  using Sums = SumRunOf<Sum, kRun>;
  using Outs = SumRunOf<Out, kRun>;
};

template <class Sum, int kRun>
__device__ __forceinline__ void add_run(SumRunOf<Sum, kRun>& sums,
                                        const SumRunOf<Sum, kRun>& part) {
#pragma unroll
  for (int i = 0; i < kRun; ++i) {
    sums.elements[i] = sum_of_two(sums.elements[i], part.elements[i]);
  }
}

template <class Sum>
__device__ __forceinline__ Sum load_past_l1(const Sum* from) {
  return __ldcg(from);
}
template <class Real>
__device__ __forceinline__ Complex<Real> load_past_l1(const Complex<Real>* from) {
  return {__ldcg(&from->x), __ldcg(&from->y)};
}

// Parts [first, last) of the run that lies at `from` in the first part. `count`: its elements that
// C has; nobody has written the others.
template <class Cfg>
__device__ __forceinline__ typename Cfg::Sums add_parts(const SumArgs& args,
                                                        const typename Cfg::Sum* from, int first,
                                                        int last, int count) {
  using Sum = typename Cfg::Sum;
  using Sums = typename Cfg::Sums;
  Sums sums{};
  if (count < Cfg::kRun) {
    for (int part = first; part < last; part += kSumsInFlight) {
      Sums loaded[kSumsInFlight] = {};
#pragma unroll
      for (int step = 0; step < kSumsInFlight; ++step) {
        const Sum* const of_part = from + (part + step) * args.part_elements;
#pragma unroll
        for (int i = 0; i < Cfg::kRun - 1; ++i) {
          if (part + step < last && i < count) loaded[step].elements[i] = load_past_l1(of_part + i);
        }
      }
#pragma unroll
      for (int step = 0; step < kSumsInFlight; ++step) add_run(sums, loaded[step]);
    }
    return sums;
  }
  for (int part = first; part < last; part += kSumsInFlight) {
    uint4 loaded[kSumsInFlight];
#pragma unroll
    for (int i = 0; i < kSumsInFlight; ++i) {
      loaded[i] = ptx::load_past_l1_16B(from + (part + i) * args.part_elements, part + i < last);
    }
#pragma unroll
    for (int i = 0; i < kSumsInFlight; ++i) add_run(sums, __builtin_bit_cast(Sums, loaded[i]));
  }
  return sums;
}

// Elements of the run that C has: those of its last one may be fewer than 16 bytes have.
template <class Cfg>
__device__ __forceinline__ int count_of_run(const SumArgs& args, uint32_t run) {
  if (args.m % Cfg::kRun == 0) return Cfg::kRun;
  const uint32_t in_column = run - divide(run, args.runs_of_column) * args.runs_of_column.divisor;
  return static_cast<int>(min(args.m - int64_t{in_column} * Cfg::kRun, int64_t{Cfg::kRun}));
}

// The sums of all groups of a run, in its first group's thread; of others they are of no use.
template <class Cfg>
__device__ __forceinline__ void add_groups(typename Cfg::Sums& sums, typename Cfg::Sums* staged,
                                           int groups) {
  const auto thread = static_cast<int>(threadIdx.x);
  const int runs = kSumThreads / groups;
  staged[thread] = sums;
  __syncthreads();  // all groups' sums before the first group's loads of them
  if (thread < runs) {
#pragma unroll 2
    for (int group = 1; group < groups; ++group) add_run(sums, staged[thread + group * runs]);
  }
  __syncthreads();  // the first group's loads before anyone's sums of the next runs
}

// NOTE: beta == 0 must not read C; it may hold NaN.
template <class Cfg>
__device__ __forceinline__ void store_run(const SumArgs& args, uint32_t run,
                                          typename Cfg::Sums& sums,
                                          Finish<typename Cfg::Sum> finish) {
  using Out = typename Cfg::Out;
  using Outs = typename Cfg::Outs;
  const uint32_t column = divide(run, args.runs_of_column);
  const int64_t row = int64_t{run - column * args.runs_of_column.divisor} * Cfg::kRun;
  Out* const c = static_cast<Out*>(args.c) + row + column * args.ldc;
  const auto epilogue = epilogue_of_batch<Out>(args.epilogue, 0, row);
  if (epilogue.any()) {
    const auto same = [](int i) { return i; };
    finish_ahead<Cfg::kRun, Cfg::kRun>(sums.elements, finish, epilogue, args.m - row, same, same);
  }
  if (args.c_in_runs == 0 || row + Cfg::kRun > args.m) {
#pragma unroll
    for (int i = 0; i < Cfg::kRun; ++i) {
      if (row + i < args.m) store_result(c + i, sums.elements[i], finish);
    }
    return;
  }
  Outs outs{};
  if (!is_zero(finish.beta)) outs = *reinterpret_cast<const Outs*>(c);
#pragma unroll
  for (int i = 0; i < Cfg::kRun; ++i) store_result(outs.elements + i, sums.elements[i], finish);
  *reinterpret_cast<Outs*>(c) = outs;
}

template <class Sum, class Out>
__device__ __forceinline__ void sum_parts(const SumArgs& args) {
  using Cfg = SumConfig<Sum, Out>;
  __shared__ typename Cfg::Sums staged[kSumThreads];
  // The product ahead writes the sums, and grids ahead of it C.
  begin_grid(args, args.m);
  // alpha == 0 leaves beta*C to the bit: adding sums of 0 would make +0 of -0.
  const Finish<Sum> finish{ScalarOf<Sum>::from(1.0, 0.0), load_scalar<Sum>(args.beta),
                           !is_zero(load_scalar<Sum>(args.alpha))};
  const int groups = 1 << args.log2_groups;
  const uint32_t runs_of_block = kSumThreads >> args.log2_groups;
  const uint32_t within = threadIdx.x & (runs_of_block - 1);
  const int group = static_cast<int>(threadIdx.x) >> (kSumLog2Threads - args.log2_groups);
  const int first_part = group * args.parts_of_group;
  const int last_part = min(first_part + args.parts_of_group, args.parts);
  for (uint32_t first = blockIdx.x * runs_of_block; first < args.runs;
       first += gridDim.x * runs_of_block) {
    const uint32_t run = first + within;
    const bool exists = run < args.runs;
    const auto* from = static_cast<const Sum*>(args.sums) + int64_t{exists ? run : 0} * Cfg::kRun;
    const int count = exists ? count_of_run<Cfg>(args, run) : Cfg::kRun;
    auto sums = add_parts<Cfg>(args, from, first_part, last_part, count);
    if (groups > 1) add_groups<Cfg>(sums, staged, groups);
    if (exists && group == 0) store_run<Cfg>(args, run, sums, finish);
  }
}

}  // namespace myblas
