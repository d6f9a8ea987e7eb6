// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ptx/mbarrier.h: barriers in shared memory that count threads and the bytes of copies (sm_90; of
// threads alone: mbarrier_init, _arrive and _test_wait, sm_80). PTX ISA, "mbarrier".
//
// A barrier is 8 bytes, aligned to 8; `barrier` is its shared address. It completes a phase when
// as many arrived as it was made for and all expected bytes came. Phases alternate in parity,
// starting with 0: the first wait is for parity 0.
//==============================================================================
#pragma once

#include <cstdint>

namespace myblas::ptx {

// By one thread, followed by a barrier of the block, and ahead of that by mbarrier_fence_init where
// asynchronous copies or other blocks use it.
__device__ __forceinline__ void mbarrier_init(uint32_t barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n" ::"r"(barrier), "r"(arrivals)
               : "memory");
}
// The barrier is none any more, and its memory may become another one. Nobody waits for it.
__device__ __forceinline__ void mbarrier_invalidate(uint32_t barrier) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];\n" ::"r"(barrier) : "memory");
}
// Makes the initialisation known to asynchronous copies.
__device__ __forceinline__ void mbarrier_fence_init() {
  asm volatile("fence.mbarrier_init.release.cluster;\n" ::: "memory");
}

__device__ __forceinline__ void mbarrier_arrive(uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];\n" ::"r"(barrier) : "memory");
}
// Arrives at the barrier of the same offset in block `cta` of the cluster. Releases to this block
// alone, which is enough where reads of asynchronous copies are over: a release to the cluster
// costs a fence of all memory.
__device__ __forceinline__ void mbarrier_arrive_remote(uint32_t barrier, uint32_t cta) {
  asm volatile(
      "{\n"
      ".reg .b32 remote;\n"
      "mapa.shared::cluster.u32 remote, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [remote];\n"
      "}\n" ::"r"(barrier),
      "r"(cta)
      : "memory");
}
// Arrives, and says that this phase also waits for `bytes` of copies.
__device__ __forceinline__ void mbarrier_arrive_expect_tx(uint32_t barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n" ::"r"(barrier), "r"(bytes)
               : "memory");
}

// Whether the phase of this parity is complete.
__device__ __forceinline__ bool mbarrier_test_wait(uint32_t barrier, int parity) {
  uint32_t complete;
  asm volatile(
      "{\n"
      ".reg .pred complete;\n"
      "mbarrier.test_wait.parity.shared::cta.b64 complete, [%1], %2;\n"
      "selp.u32 %0, 1, 0, complete;\n"
      "}\n"
      : "=r"(complete)
      : "r"(barrier), "r"(parity)
      : "memory");
  return complete != 0;
}
// The same; may wait a while first.
__device__ __forceinline__ bool mbarrier_try_wait(uint32_t barrier, int parity) {
  uint32_t complete;
  asm volatile(
      "{\n"
      ".reg .pred complete;\n"
      "mbarrier.try_wait.parity.shared::cta.b64 complete, [%1], %2;\n"
      "selp.u32 %0, 1, 0, complete;\n"
      "}\n"
      : "=r"(complete)
      : "r"(barrier), "r"(parity)
      : "memory");
  return complete != 0;
}
__device__ __forceinline__ void mbarrier_wait(uint32_t barrier, int parity) {
  while (!mbarrier_try_wait(barrier, parity)) {
  }
}

}  // namespace myblas::ptx
