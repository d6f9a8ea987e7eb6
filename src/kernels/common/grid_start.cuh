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

// Which bytes of the arguments threads ask for: all, or from where to where the type says.
template <class Args>
consteval size_t first_fetched() {
  if constexpr (requires { Args::first_fetched(); }) return Args::first_fetched();
  return 0;
}
template <class Args>
consteval size_t fetched_end() {
  if constexpr (requires { Args::fetched_end(); }) {
    return Args::fetched_end();
  } else {
    return sizeof(Args);
  }
}

// Has the kernel's arguments near before they are asked for. They are constants: whoever asks first
// for a line of them waits for it to come from L2, on an H200 90 to 110 clocks a line, one after
// the other. `size` is one of them, and not negative.
inline constexpr unsigned kArgumentLine = 64;  // bytes
template <class Args>
__device__ __forceinline__ void fetch_arguments(const Args& args, int64_t size) {
#if __CUDA_ARCH__ >= 900
  const auto* bytes = reinterpret_cast<const unsigned char*>(&args);
  auto all = static_cast<int32_t>(size >> 32);
#pragma unroll
  for (size_t at = first_fetched<Args>(); at < fetched_end<Args>(); at += kArgumentLine) {
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

// The first lines for a kernel in which one thread starts copies that all others wait for: each
// warp asks for a line of its own, all at the same time. A consumer fetches the others while the
// copies are on their way (fetch_arguments). Of kernels without a register left some spill by it:
// those do not touch.
template <bool kTouches>
class TouchedArguments {
 public:
  template <class Args>
  __device__ __forceinline__ explicit TouchedArguments([[maybe_unused]] const Args& args) {
#if __CUDA_ARCH__ >= 900
    if constexpr (!kTouches) return;
    constexpr unsigned kFirst = first_fetched<Args>(), kEnd = fetched_end<Args>();
    constexpr unsigned kLast = (kEnd - 1 - kFirst) / kArgumentLine;
    const auto* bytes = reinterpret_cast<const unsigned char*>(&args) + kFirst;
    memcpy(&word_, bytes + min(threadIdx.x / 32, kLast) * kArgumentLine, sizeof word_);
#endif
  }
  // Once the warp needs a line itself: `needed` is of that line, and not negative.
  __device__ __forceinline__ void drop([[maybe_unused]] int32_t needed) const {
#if __CUDA_ARCH__ >= 900
    if ((word_ & needed) < 0) __trap();  // never so, as in fetch_arguments
#endif
  }

 private:
  int32_t word_ = 0;
};

// How a kernel begins, once it has done what needs no memory.
template <class Args>
__device__ __forceinline__ void begin_grid(const Args& args, int64_t size) {
  fetch_arguments(args, size);
  follow_previous_grid();
}

}  // namespace myblas
