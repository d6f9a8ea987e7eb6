// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// emulator/device.h: CUDA C++ for g++. Included ahead of every kernel source.
//
// Keywords become attributes, built-in variables and functions become calls of the
// runtime. A __shared__ variable is a static one: blocks run one after the other,
// and the runtime finds it by its symbol, poisons it and watches it. It is aligned to
// more than it may be large, so that between two of them there is nobody's memory.
//==============================================================================
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "emulator/warp.h"

#define __global__ __attribute__((visibility("default"), noinline))
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __shared__ static __attribute__((aligned(65536)))
#define __constant__ static const
#define __restrict__ __restrict
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)

namespace emulator {

struct Index3 {
  unsigned x, y, z;
};
// By value: a kernel's own loads are watched, and these are no memory of the program's.
Index3 thread_index();
Index3 block_index();
Index3 block_dim();
Index3 grid_dim();

void* dynamic_shared_memory();
uint32_t shared_address(const void* pointer);
void* shared_pointer(uint32_t address);

uint32_t add_atomically(uint32_t* to, uint32_t value);

// From here on the calling thread may touch global memory.
void wait_for_grid_ahead();

}  // namespace emulator

#define threadIdx (::emulator::thread_index())
#define blockIdx (::emulator::block_index())
#define blockDim (::emulator::block_dim())
#define gridDim (::emulator::grid_dim())
inline constexpr int warpSize = 32;

// ---- vector types -----------------------------------------------------------------------------

#define EMULATOR_VECTOR(T, name, align2, align4)             \
  struct alignas(align2) name##2 {                           \
    T x, y;                                                  \
  };                                                         \
  struct name##3 {                                           \
    T x, y, z;                                               \
  };                                                         \
  struct alignas(align4) name##4 {                           \
    T x, y, z, w;                                            \
  };                                                         \
  inline name##2 make_##name##2(T x, T y) { return {x, y}; } \
  inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
EMULATOR_VECTOR(int8_t, char, 2, 4)
EMULATOR_VECTOR(uint8_t, uchar, 2, 4)
EMULATOR_VECTOR(int16_t, short, 4, 8)
EMULATOR_VECTOR(uint16_t, ushort, 4, 8)
EMULATOR_VECTOR(int32_t, int, 8, 16)
EMULATOR_VECTOR(uint32_t, uint, 8, 16)
EMULATOR_VECTOR(float, float, 8, 16)
EMULATOR_VECTOR(double, double, 16, 16)
#undef EMULATOR_VECTOR

// ---- barriers, votes, shuffles ----------------------------------------------------------------

inline constexpr unsigned kEmulatorFullMask = 0xffffffffu;

inline __attribute__((always_inline)) void __syncthreads() { emulator::block_barrier(0, 0); }
inline __attribute__((always_inline)) int __syncthreads_or(int predicate) {
  return emulator::block_barrier_or(0, 0, predicate != 0);
}
inline __attribute__((always_inline)) void __syncwarp(unsigned mask = kEmulatorFullMask) {
  emulator::warp_barrier(mask);
}
inline void __threadfence_block() {}
inline void __threadfence() {}
inline __attribute__((always_inline)) unsigned __ballot_sync(unsigned mask, int predicate) {
  return emulator::ballot(mask, predicate != 0);
}
inline __attribute__((always_inline)) int __any_sync(unsigned mask, int predicate) {
  return emulator::ballot(mask, predicate != 0) != 0;
}
inline __attribute__((always_inline)) int __all_sync(unsigned mask, int predicate) {
  return emulator::ballot(mask, predicate != 0) == mask;
}

template <class T>
inline __attribute__((always_inline)) T __shfl_sync(unsigned mask, T value, int lane,
                                                    int width = 32) {
  const int self = emulator::lane();
  return emulator::shuffle(mask, value, (self & ~(width - 1)) | (lane & (width - 1)));
}
template <class T>
inline __attribute__((always_inline)) T __shfl_xor_sync(unsigned mask, T value, int bits,
                                                        int width = 32) {
  const int self = emulator::lane();
  const int from = self ^ bits;
  // A lane of a later segment is out of reach; of an earlier one it is not.
  return emulator::shuffle(mask, value, from < (self & ~(width - 1)) + width ? from : self);
}
template <class T>
inline __attribute__((always_inline)) T __shfl_up_sync(unsigned mask, T value, unsigned delta,
                                                       int width = 32) {
  const int self = emulator::lane();
  const int from = self - static_cast<int>(delta);
  return emulator::shuffle(mask, value, from < (self & ~(width - 1)) ? self : from);
}
template <class T>
inline __attribute__((always_inline)) T __shfl_down_sync(unsigned mask, T value, unsigned delta,
                                                         int width = 32) {
  const int self = emulator::lane();
  const int from = self + static_cast<int>(delta);
  return emulator::shuffle(mask, value, from >= (self & ~(width - 1)) + width ? self : from);
}

// ---- arithmetic -------------------------------------------------------------------------------

using std::fma;
inline float __fmaf_rn(float a, float b, float c) { return std::fmaf(a, b, c); }
inline int __popc(unsigned value) { return __builtin_popcount(value); }
inline int __ffs(int value) { return __builtin_ffs(value); }
inline int __clz(int value) {
  return value == 0 ? 32 : __builtin_clz(static_cast<unsigned>(value));
}
inline float __int_as_float(int bits) { return std::bit_cast<float>(bits); }
inline int __float_as_int(float value) { return std::bit_cast<int>(value); }
inline unsigned __float_as_uint(float value) { return std::bit_cast<unsigned>(value); }
inline float __uint_as_float(unsigned bits) { return std::bit_cast<float>(bits); }
template <class T>
T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T max(T a, T b) {
  return a < b ? b : a;
}

// ---- memory -----------------------------------------------------------------------------------

inline size_t __cvta_generic_to_shared(const void* pointer) {
  return emulator::shared_address(pointer);
}
template <class T>
inline __attribute__((always_inline)) T __ldg(const T* pointer) {
  return *pointer;
}
// Past L1: there are no caches here.
template <class T>
inline __attribute__((always_inline)) T __ldcg(const T* pointer) {
  return *pointer;
}
template <class T>
inline __attribute__((always_inline)) void __stcg(T* pointer, T value) {
  *pointer = value;
}
inline __attribute__((always_inline)) uint32_t atomicAdd(uint32_t* to, uint32_t value) {
  return emulator::add_atomically(to, value);
}
