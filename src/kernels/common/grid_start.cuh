// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/grid_start.cuh: what a kernel does while the grid ahead of it still ends.
//
// Its blocks start when those of the grid ahead have, and wait for its end before they touch
// memory. What does not touch memory is done by then: a product of a few microseconds would wait
// for it. (Of the time from one small kernel of a graph to the next on an H200, 0.5 us are launch
// and wait, 0.2 a load and a store.)
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/ptx/grid_dependency.h"

namespace myblas {

// By every thread that is about to touch memory. Again it costs next to nothing.
__device__ __forceinline__ void follow_previous_grid() {
  ptx::wait_for_previous_grid();
  ptx::let_next_grid_start();
}

// Has the kernel's arguments near before they are asked for. They are constants: whoever asks first
// for a line of them waits for it to come from L2, one line after the other. `size` is one of them,
// and not negative. fetched_bytes: all of them, or what the type says.
template <class Args>
consteval size_t fetched_bytes() {
  if constexpr (requires { Args::fetched_bytes(); }) {
    return Args::fetched_bytes();
  } else {
    return sizeof(Args);
  }
}
template <class Args>
__device__ __forceinline__ void fetch_arguments(const Args& args, int64_t size) {
#if __CUDA_ARCH__ >= 900
  constexpr size_t kLine = 64;  // bytes
  const auto* bytes = reinterpret_cast<const unsigned char*>(&args);
  auto all = static_cast<int32_t>(size >> 32);
#pragma unroll
  for (size_t at = 0; at < fetched_bytes<Args>(); at += kLine) {
    int32_t word;
    memcpy(&word, bytes + at, sizeof word);
    all &= word;
  }
  // Never so, which the compiler does not know: else it would leave the loads out.
  if (all < 0) __trap();
#else
  (void)args;
  (void)size;
#endif
}

// How a kernel begins, once it has done what needs no memory.
template <class Args>
__device__ __forceinline__ void begin_grid(const Args& args, int64_t size) {
  fetch_arguments(args, size);
  follow_previous_grid();
}

}  // namespace myblas
