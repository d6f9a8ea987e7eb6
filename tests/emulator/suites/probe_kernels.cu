// SPDX-License-Identifier: BSD-3-Clause
// Small kernels, each with one thing that the emulator must see, or must leave alone. a.base and c
// are arrays of floats, m of them; blocks of 64 threads.
#include "kernels/common/gemm_args.h"
#include "kernels/ptx/cp_async.h"
#include "kernels/ptx/grid_dependency.h"
#include "kernels/ptx/mbarrier.h"
#include "kernels/ptx/shared_memory.h"

using namespace myblas;

namespace {

__device__ __forceinline__ int thread() { return static_cast<int>(threadIdx.x); }
__device__ __forceinline__ float* output(const GemmArgs& args) {
  return static_cast<float*>(args.c);
}
__device__ __forceinline__ const float* input(const GemmArgs& args) {
  return static_cast<const float*>(args.a.base);
}

}  // namespace

#define PROBE(name) extern "C" __global__ void name(const __grid_constant__ GemmArgs args)

// Reverses 64 floats through shared memory.
PROBE(probe_reverse) {
  __shared__ float values[64];
  values[thread()] = input(args)[thread()];
  __syncthreads();  // all stores before any load
  output(args)[thread()] = values[63 - thread()];
}
PROBE(probe_reverse_without_barrier) {
  __shared__ float values[64];
  values[thread()] = input(args)[thread()];
  output(args)[thread()] = values[63 - thread()];
}
// Neighbouring lanes only: a warp's barrier is enough.
PROBE(probe_swap_in_warp) {
  __shared__ float values[64];
  values[thread()] = input(args)[thread()];
  __syncwarp();
  output(args)[thread()] = values[thread() ^ 1];
}
PROBE(probe_swap_across_warps) {
  __shared__ float values[64];
  values[thread()] = input(args)[thread()];
  __syncwarp();
  output(args)[thread()] = values[thread() ^ 32];
}
PROBE(probe_shared_overwritten) {
  __shared__ float values[64];
  values[thread()] = input(args)[thread()];
  __syncthreads();  // all stores before any load
  output(args)[thread()] = values[63 - thread()];
  values[thread()] = 0.0f;
}
PROBE(probe_shared_unwritten) {
  __shared__ float values[64];
  if (thread() != 40) values[thread()] = 1.0f;
  __syncthreads();  // all stores before any load
  output(args)[thread()] = values[thread()];
}
PROBE(probe_shared_past_end) {
  __shared__ float values[64];
  values[thread()] = 1.0f;
  __syncthreads();  // all stores before any load
  output(args)[thread()] = values[thread() + 1];
}
PROBE(probe_global_past_end) { output(args)[thread() + 1] = 1.0f; }
PROBE(probe_global_before_start) { output(args)[thread()] = input(args)[thread() - 1]; }
PROBE(probe_global_unknown) {
  output(args)[thread()] = *reinterpret_cast<const float*>(uintptr_t{4096});
}
// Launched while the grid ahead still ends; here one warp alone waits for it.
PROBE(probe_half_waits_for_grid_ahead) {
  if (thread() < 32) ptx::wait_for_previous_grid();
  output(args)[thread()] = input(args)[thread()];
}
PROBE(probe_waits_for_grid_ahead) {
  ptx::wait_for_previous_grid();
  output(args)[thread()] = input(args)[thread()];
}
PROBE(probe_misaligned) {
  const double two = *reinterpret_cast<const double*>(input(args) + 1);
  output(args)[thread()] = static_cast<float>(two);
}
PROBE(probe_divergent_barrier) {
  if (thread() < 32) __syncthreads();  // half of the block never comes
  output(args)[thread()] = 1.0f;
}
PROBE(probe_shuffle_from_outside) {
  float value = 0.0f;
  if (thread() % 32 < 16) value = __shfl_sync(0x0000ffffu, 1.0f, 20);
  output(args)[thread()] = value;
}
PROBE(probe_shuffles) {
  const int lane = thread() % 32;
  float sum = input(args)[thread()];
  for (int bits = 16; bits > 0; bits /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, bits);
  const float up = __shfl_up_sync(0xffffffffu, static_cast<float>(lane), 3);
  const float down = __shfl_down_sync(0xffffffffu, static_cast<float>(lane), 3, 8);
  const float odd = static_cast<float>(__ballot_sync(0xffffffffu, lane % 2) == 0xaaaaaaaau);
  output(args)[thread()] = sum + 1000.0f * up + 100000.0f * down + 10000000.0f * odd;
}

// ---- asynchronous copies ----------------------------------------------------------------------

PROBE(probe_copy) {
  alignas(16) __shared__ float values[256];
  const int bytes = thread() == 63 ? 8 : 16;  // the last two floats are filled with zeros
  ptx::cp_async_16B(ptx::shared_address(values + 4 * thread()), input(args) + 4 * thread(), bytes);
  ptx::cp_async_commit();
  ptx::cp_async_wait<0>();
  __syncthreads();  // all copies before any load
  for (int i = 0; i < 4; ++i) output(args)[4 * thread() + i] = values[4 * (63 - thread()) + i];
}
PROBE(probe_copy_without_wait) {
  alignas(16) __shared__ float values[256];
  ptx::cp_async_16B(ptx::shared_address(values + 4 * thread()), input(args) + 4 * thread(), 16);
  ptx::cp_async_commit();
  __syncthreads();
  output(args)[thread()] = values[4 * thread()];
}
PROBE(probe_copy_without_commit) {
  alignas(16) __shared__ float values[256];
  ptx::cp_async_16B(ptx::shared_address(values + 4 * thread()), input(args) + 4 * thread(), 16);
  ptx::cp_async_wait<0>();
  output(args)[thread()] = values[4 * thread()];
}
PROBE(probe_copy_wait_one_short) {
  alignas(16) __shared__ float values[2][64];
  for (int group = 0; group < 2; ++group) {
    ptx::cp_async_4B(ptx::shared_address(&values[group][thread()]), input(args) + thread(), 4);
    ptx::cp_async_commit();
  }
  ptx::cp_async_wait<1>();
  output(args)[thread()] = values[0][thread()] + values[1][thread()];
}
PROBE(probe_copy_without_barrier) {
  alignas(16) __shared__ float values[64];
  ptx::cp_async_4B(ptx::shared_address(values + thread()), input(args) + thread(), 4);
  ptx::cp_async_commit();
  ptx::cp_async_wait<0>();
  output(args)[thread()] = values[63 - thread()];
}
PROBE(probe_copy_over_a_load) {
  alignas(16) __shared__ float values[64];
  values[thread()] = 1.0f;
  __syncthreads();  // all stores before any load
  output(args)[thread()] = values[63 - thread()];
  ptx::cp_async_4B(ptx::shared_address(values + thread()), input(args) + thread(), 4);
  ptx::cp_async_wait<0>();
}
PROBE(probe_copy_misaligned) {
  alignas(16) __shared__ float values[256];
  ptx::cp_async_16B(ptx::shared_address(values), input(args) + 1, 16);
}
PROBE(probe_copy_past_end) {
  alignas(16) __shared__ float values[256];
  ptx::cp_async_16B(ptx::shared_address(values), input(args) + 256, 16);
}
PROBE(probe_copy_of_nothing) {
  alignas(16) __shared__ float values[64];
  ptx::cp_async_4B(ptx::shared_address(values + thread()), input(args) + 1000, 0);
  ptx::cp_async_commit();
  ptx::cp_async_wait<0>();
  output(args)[thread()] = values[thread()];
}

// ---- mbarriers --------------------------------------------------------------------------------

PROBE(probe_mbarrier_unknown) {
  __shared__ __align__(8) uint64_t barrier;
  if (thread() == 0) ptx::mbarrier_init(ptx::shared_address(&barrier), 64);
  ptx::mbarrier_arrive(ptx::shared_address(&barrier));
  output(args)[thread()] = 1.0f;
}

// ---- wavefronts -------------------------------------------------------------------------------

// Each lane's 16 bytes after the one before it; then 128 bytes apart.
PROBE(probe_wide_loads) {
  alignas(16) __shared__ float values[2048];
  for (int i = thread(); i < 2048; i += 64) values[i] = 1.0f;
  __syncthreads();  // all stores before any load
  float dense[4], strided[4];
  ptx::load_shared_4(dense, values + 4 * thread());
  ptx::load_shared_4(strided, values + 32 * thread());
  output(args)[thread()] = dense[0] + strided[0];
}
