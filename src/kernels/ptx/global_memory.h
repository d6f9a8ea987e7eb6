// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ptx/global_memory.h: wide loads of global memory. PTX ISA, "ld.global.nc", "ld.global.cg".
//
// 16 bytes, aligned; zeros, and nothing is read, where !exists. load_streamed and load_cached: that
// nobody writes while the kernel runs.
//==============================================================================
#pragma once

#include <cstdint>

namespace myblas::ptx {

// What this SM reads once: takes no place in L1.
__device__ __forceinline__ uint4 load_streamed_16B(const void* source, bool exists) {
  uint4 value{0, 0, 0, 0};
  asm volatile(
      "{\n"
      ".reg .pred exists;\n"
      "setp.ne.u32 exists, %5, 0;\n"
      "@exists ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];\n"
      "}\n"
      : "+r"(value.x), "+r"(value.y), "+r"(value.z), "+r"(value.w)
      : "l"(source), "r"(static_cast<uint32_t>(exists)));
  return value;
}

// What other warps of the SM read too.
__device__ __forceinline__ uint4 load_cached_16B(const void* source, bool exists) {
  uint4 value{0, 0, 0, 0};
  asm volatile(
      "{\n"
      ".reg .pred exists;\n"
      "setp.ne.u32 exists, %5, 0;\n"
      "@exists ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];\n"
      "}\n"
      : "+r"(value.x), "+r"(value.y), "+r"(value.z), "+r"(value.w)
      : "l"(source), "r"(static_cast<uint32_t>(exists)));
  return value;
}

// As they are in L2: what other SMs wrote.
__device__ __forceinline__ uint4 load_past_l1_16B(const void* source, bool exists) {
  uint4 value{0, 0, 0, 0};
  asm volatile(
      "{\n"
      ".reg .pred exists;\n"
      "setp.ne.u32 exists, %5, 0;\n"
      "@exists ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];\n"
      "}\n"
      : "+r"(value.x), "+r"(value.y), "+r"(value.z), "+r"(value.w)
      : "l"(source), "r"(static_cast<uint32_t>(exists))
      : "memory");
  return value;
}

}  // namespace myblas::ptx
