// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ptx/wgmma.h: sums += A * B by the four warps of a warpgroup, from shared memory,
// or A from registers (sm_90a). PTX ISA, "wgmma.mma_async".
//
// A is 64 x K, B K x kN, K elements 32 bytes. An operand is K-major where its neighbours in memory
// are neighbours in k, else it is "transposed": neighbours along m or n, which 16-bit types alone
// may be. Sum i of lane l of warp w is element
// (16 w + l / 4 + i / 2 % 2 * 8, i / 4 * 8 + l % 4 * 2 + i % 2). TF32's A in registers: register r
// of that lane is element (16 w + l / 4 + r % 2 * 8, l % 4 + r / 2 * 4).
//
// Between wgmma_fence and the wgmma_wait that covers a multiplication nothing else touches its
// sums or its A in registers; wgmma_keep behind that wait tells the compiler so. Threads of the
// warpgroup call all of these together.
//==============================================================================
#pragma once

#include <cstdint>

#include "kernels/common/tensor_map.h"

namespace myblas::ptx {

// Orders this thread's accesses to the sums before the multiplications behind it.
__device__ __forceinline__ void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
}

// Closes the group of the multiplications started since the last commit.
__device__ __forceinline__ void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
}

// Waits until at most kPending groups are unfinished.
template <int kPending>
__device__ __forceinline__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;\n" ::"n"(kPending) : "memory");
}

// Keeps the compiler from reading the sums ahead of the wait before it. No instruction.
template <int kSums>
__device__ __forceinline__ void wgmma_keep(float (&sums)[kSums]) {
#pragma unroll
  for (int i = 0; i < kSums; ++i) asm volatile("" : "+f"(sums[i])::"memory");
}
template <int kSums>
__device__ __forceinline__ void wgmma_keep(int32_t (&sums)[kSums]) {
#pragma unroll
  for (int i = 0; i < kSums; ++i) asm volatile("" : "+r"(sums[i])::"memory");
}

// Where and how an operand lies in shared memory. Addresses and distances are multiples of 16
// bytes; an operand of swizzled rows starts at a multiple of 8 rows, but for steps along a row.
//   K-major       rows of 128 bytes (k128B): stride_bytes from 8 rows to the next 8
//   transposed    blocks of 64 (m or n) x 8 (k): leading_bytes to the next 64, stride_bytes to the
//                 next 8 of k
constexpr __host__ __device__ uint64_t wgmma_descriptor(uint32_t shared_address, int leading_bytes,
                                                        int stride_bytes, Swizzle swizzle) {
  const auto sixteens = [](uint32_t bytes) { return uint64_t{(bytes & 0x3ffff) >> 4}; };
  const uint64_t mode = (4 - static_cast<uint64_t>(swizzle)) % 4;  // 128 bytes: 1, 64: 2, 32: 3
  return sixteens(shared_address) | sixteens(static_cast<uint32_t>(leading_bytes)) << 16 |
         sixteens(static_cast<uint32_t>(stride_bytes)) << 32 | mode << 62;
}

// ---- the multiplications ----------------------------------------------------------------------

// The instruction names each sum: %0 to %9, %10 to %19, ... by tens.
#define MYBLAS_TEN(t) \
  "%" t "0, %" t "1, %" t "2, %" t "3, %" t "4, %" t "5, %" t "6, %" t "7, %" t "8, %" t "9"
#define MYBLAS_SIXTY                                                              \
  MYBLAS_TEN("")                                                                  \
  ", " MYBLAS_TEN("1") ", " MYBLAS_TEN("2") ", " MYBLAS_TEN("3") ", " MYBLAS_TEN( \
      "4") ", " MYBLAS_TEN("5")
#define MYBLAS_EIGHTY MYBLAS_SIXTY ", " MYBLAS_TEN("6") ", " MYBLAS_TEN("7")
#define MYBLAS_SUMS_4(i) \
  MYBLAS_SUM(sums[i]), MYBLAS_SUM(sums[i + 1]), MYBLAS_SUM(sums[i + 2]), MYBLAS_SUM(sums[i + 3])
#define MYBLAS_SUMS_8(i) MYBLAS_SUMS_4(i), MYBLAS_SUMS_4(i + 4)
#define MYBLAS_SUMS_32(i) \
  MYBLAS_SUMS_8(i), MYBLAS_SUMS_8(i + 8), MYBLAS_SUMS_8(i + 16), MYBLAS_SUMS_8(i + 24)
// o0 to o4: the numbers of the operands behind the sums.
#define MYBLAS_WGMMA(n, names, o0, o1, o2, o3, o4, ...) \
  asm volatile("{\n.reg .pred accumulate;\nsetp.ne.b32 accumulate, " MYBLAS_KEPT(o2)           \
               ", 0;\n"                                                                        \
               "wgmma.mma_async.sync.aligned.m64n" n MYBLAS_TYPES " {" names "}, "             \
               MYBLAS_FACTORS(o0, o1, o2, o3, o4)                                              \
               ", accumulate" MYBLAS_IMMEDIATES(o3, o4) ";\n}\n"                               \
               : __VA_ARGS__                                                                   \
               : MYBLAS_INPUTS)

// kN: 8, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 256.
#define MYBLAS_WGMMA_OF_KN                                                                         \
  if constexpr (kN == 8) {                                                                         \
    MYBLAS_WGMMA("8", "%0, %1, %2, %3", "4", "5", "6", "7", "8", MYBLAS_SUMS_4(0));                \
  } else if constexpr (kN == 16) {                                                                 \
    MYBLAS_WGMMA("16", "%0, %1, %2, %3, %4, %5, %6, %7", "8", "9", "10", "11", "12",               \
                 MYBLAS_SUMS_8(0));                                                                \
  } else if constexpr (kN == 32) {                                                                 \
    MYBLAS_WGMMA("32", MYBLAS_TEN("") ", %10, %11, %12, %13, %14, %15", "16", "17", "18", "19",    \
                 "20", MYBLAS_SUMS_8(0), MYBLAS_SUMS_8(8));                                        \
  } else if constexpr (kN == 48) {                                                                 \
    MYBLAS_WGMMA("48", MYBLAS_TEN("") ", " MYBLAS_TEN("1") ", %20, %21, %22, %23", "24", "25",     \
                 "26", "27", "28", MYBLAS_SUMS_8(0), MYBLAS_SUMS_8(8), MYBLAS_SUMS_8(16));         \
  } else if constexpr (kN == 64) {                                                                 \
    MYBLAS_WGMMA("64", MYBLAS_TEN("") ", " MYBLAS_TEN("1") ", " MYBLAS_TEN("2") ", %30, %31",      \
                 "32", "33", "34", "35", "36", MYBLAS_SUMS_32(0));                                 \
  } else if constexpr (kN == 80) {                                                                 \
    MYBLAS_WGMMA("80",                                                                             \
                 MYBLAS_TEN("") ", " MYBLAS_TEN("1") ", " MYBLAS_TEN("2") ", " MYBLAS_TEN("3"),    \
                 "40", "41", "42", "43", "44", MYBLAS_SUMS_32(0), MYBLAS_SUMS_8(32));              \
  } else if constexpr (kN == 96) {                                                                 \
    MYBLAS_WGMMA("96",                                                                             \
                 MYBLAS_TEN("") ", " MYBLAS_TEN("1") ", " MYBLAS_TEN("2") ", " MYBLAS_TEN(         \
                     "3") ", %40, %41, %42, %43, %44, %45, %46, %47",                              \
                 "48", "49", "50", "51", "52", MYBLAS_SUMS_32(0), MYBLAS_SUMS_8(32),               \
                 MYBLAS_SUMS_8(40));                                                               \
  } else if constexpr (kN == 112) {                                                                \
    MYBLAS_WGMMA("112",                                                                            \
                 MYBLAS_TEN("") ", " MYBLAS_TEN("1") ", " MYBLAS_TEN("2") ", " MYBLAS_TEN(         \
                     "3") ", " MYBLAS_TEN("4") ", %50, %51, %52, %53, %54, %55",                   \
                 "56", "57", "58", "59", "60", MYBLAS_SUMS_32(0), MYBLAS_SUMS_8(32),               \
                 MYBLAS_SUMS_8(40), MYBLAS_SUMS_8(48));                                            \
  } else if constexpr (kN == 128) {                                                                \
    MYBLAS_WGMMA("128", MYBLAS_SIXTY ", %60, %61, %62, %63", "64", "65", "66", "67", "68",         \
                 MYBLAS_SUMS_32(0), MYBLAS_SUMS_32(32));                                           \
  } else if constexpr (kN == 144) {                                                                \
    MYBLAS_WGMMA("144", MYBLAS_SIXTY ", " MYBLAS_TEN("6") ", %70, %71", "72", "73", "74", "75",    \
                 "76", MYBLAS_SUMS_32(0), MYBLAS_SUMS_32(32), MYBLAS_SUMS_8(64));                  \
  } else if constexpr (kN == 160) {                                                                \
    MYBLAS_WGMMA("160", MYBLAS_EIGHTY, "80", "81", "82", "83", "84", MYBLAS_SUMS_32(0),            \
                 MYBLAS_SUMS_32(32), MYBLAS_SUMS_8(64), MYBLAS_SUMS_8(72));                        \
  } else if constexpr (kN == 176) {                                                                \
    MYBLAS_WGMMA("176", MYBLAS_EIGHTY ", %80, %81, %82, %83, %84, %85, %86, %87", "88", "89",      \
                 "90", "91", "92", MYBLAS_SUMS_32(0), MYBLAS_SUMS_32(32), MYBLAS_SUMS_8(64),       \
                 MYBLAS_SUMS_8(72), MYBLAS_SUMS_8(80));                                            \
  } else if constexpr (kN == 192) {                                                                \
    MYBLAS_WGMMA("192", MYBLAS_EIGHTY ", " MYBLAS_TEN("8") ", %90, %91, %92, %93, %94, %95", "96", \
                 "97", "98", "99", "100", MYBLAS_SUMS_32(0), MYBLAS_SUMS_32(32),                   \
                 MYBLAS_SUMS_32(64));                                                              \
  } else if constexpr (kN == 208) {                                                                \
    MYBLAS_WGMMA(                                                                                  \
        "208", MYBLAS_EIGHTY ", " MYBLAS_TEN("8") ", " MYBLAS_TEN("9") ", %100, %101, %102, %103", \
        "104", "105", "106", "107", "108", MYBLAS_SUMS_32(0), MYBLAS_SUMS_32(32),                  \
        MYBLAS_SUMS_32(64), MYBLAS_SUMS_8(96));                                                    \
  } else if constexpr (kN == 224) {                                                                \
    MYBLAS_WGMMA("224",                                                                            \
                 MYBLAS_EIGHTY                                                                     \
                 ", " MYBLAS_TEN("8") ", " MYBLAS_TEN("9") ", " MYBLAS_TEN("10") ", %110, %111",   \
                 "112", "113", "114", "115", "116", MYBLAS_SUMS_32(0), MYBLAS_SUMS_32(32),         \
                 MYBLAS_SUMS_32(64), MYBLAS_SUMS_8(96), MYBLAS_SUMS_8(104));                       \
  } else if constexpr (kN == 256) {                                                                \
    MYBLAS_WGMMA("256",                                                                            \
                 MYBLAS_EIGHTY                                                                     \
                 ", " MYBLAS_TEN("8") ", " MYBLAS_TEN("9") ", " MYBLAS_TEN("10") ", " MYBLAS_TEN(  \
                     "11") ", %120, %121, %122, %123, %124, %125, %126, %127",                     \
                 "128", "129", "130", "131", "132", MYBLAS_SUMS_32(0), MYBLAS_SUMS_32(32),         \
                 MYBLAS_SUMS_32(64), MYBLAS_SUMS_32(96));                                          \
  } else {                                                                                         \
    static_assert(kN == 0, "no instruction for so many columns");                                  \
  }

// sums = A * B, plus the sums where `accumulate`; A and B by their descriptors. Neither is negated;
// then how each lies.
#define MYBLAS_KEPT(o2) "%" o2
#define MYBLAS_FACTORS(o0, o1, o2, o3, o4) "%" o0 ", %" o1
#define MYBLAS_INPUTS "l"(a), "l"(b), "r"(accumulate ? 1 : 0)MYBLAS_MAJORS
#define MYBLAS_SUM(sum) "+f"(sum)
#define MYBLAS_IMMEDIATES(o3, o4) ", 1, 1, %" o3 ", %" o4
#define MYBLAS_MAJORS , "n"(int{kATransposed}), "n"(int{kBTransposed})

#define MYBLAS_TYPES "k16.f32.bf16.bf16"
template <int kN, bool kATransposed, bool kBTransposed>
__device__ __forceinline__ void wgmma_m64k16_bf16(float (&sums)[kN / 2], uint64_t a, uint64_t b,
                                                  bool accumulate) {
  MYBLAS_WGMMA_OF_KN
}
#undef MYBLAS_TYPES

#define MYBLAS_TYPES "k16.f32.f16.f16"
template <int kN, bool kATransposed, bool kBTransposed>
__device__ __forceinline__ void wgmma_m64k16_f16(float (&sums)[kN / 2], uint64_t a, uint64_t b,
                                                 bool accumulate) {
  MYBLAS_WGMMA_OF_KN
}
#undef MYBLAS_TYPES

// The other types are K-major.
#undef MYBLAS_IMMEDIATES
#undef MYBLAS_MAJORS
#define MYBLAS_MAJORS

// Of each fp32 element the 13 lowest bits are ignored.
#define MYBLAS_IMMEDIATES(o3, o4) ", 1, 1"
#define MYBLAS_TYPES "k8.f32.tf32.tf32"
template <int kN>
__device__ __forceinline__ void wgmma_m64k8_tf32(float (&sums)[kN / 2], uint64_t a, uint64_t b,
                                                 bool accumulate) {
  MYBLAS_WGMMA_OF_KN
}
#undef MYBLAS_TYPES
#undef MYBLAS_IMMEDIATES
#undef MYBLAS_SUM

// Sums wrap around.
#define MYBLAS_SUM(sum) "+r"(sum)
#define MYBLAS_IMMEDIATES(o3, o4)
#define MYBLAS_TYPES "k32.s32.s8.s8"
template <int kN>
__device__ __forceinline__ void wgmma_m64k32_s8(int32_t (&sums)[kN / 2], uint64_t a, uint64_t b,
                                                bool accumulate) {
  MYBLAS_WGMMA_OF_KN
}
#undef MYBLAS_TYPES
#undef MYBLAS_IMMEDIATES
#undef MYBLAS_SUM
#undef MYBLAS_MAJORS
#undef MYBLAS_KEPT
#undef MYBLAS_FACTORS
#undef MYBLAS_INPUTS

// sums += A * B, A in registers.
#define MYBLAS_KEPT(o2) "1"
#define MYBLAS_FACTORS(o0, o1, o2, o3, o4) "{%" o0 ", %" o1 ", %" o2 ", %" o3 "}, %" o4
#define MYBLAS_INPUTS "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b)
#define MYBLAS_SUM(sum) "+f"(sum)
#define MYBLAS_IMMEDIATES(o3, o4) ", 1, 1"
#define MYBLAS_TYPES "k8.f32.tf32.tf32"
template <int kN>
__device__ __forceinline__ void wgmma_m64k8_tf32(float (&sums)[kN / 2], const uint32_t (&a)[4],
                                                 uint64_t b) {
  MYBLAS_WGMMA_OF_KN
}
#undef MYBLAS_TYPES
#undef MYBLAS_IMMEDIATES
#undef MYBLAS_SUM
#undef MYBLAS_KEPT
#undef MYBLAS_FACTORS
#undef MYBLAS_INPUTS

#undef MYBLAS_TEN
#undef MYBLAS_SIXTY
#undef MYBLAS_EIGHTY
#undef MYBLAS_SUMS_4
#undef MYBLAS_SUMS_8
#undef MYBLAS_SUMS_32
#undef MYBLAS_WGMMA
#undef MYBLAS_WGMMA_OF_KN

}  // namespace myblas::ptx
