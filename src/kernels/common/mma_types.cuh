// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// common/mma_types.cuh: the tensor-core instructions as types: what they multiply,
// what they sum in, how many k they take, and how their fragments are read.
//
// multiply(): sums (16 x 8) += a (16 x kK) * b (8 x kK, transposed). Both operands come as
// fragments of 16 rows (FragmentOrder, common/mma_tile.cuh); of b one half is taken. Where an
// instruction takes but a part of kK, kPasses calls make up the product: other sums may come
// between them.
// kParts: real numbers an element is made of, which take so many k of the instruction each.
// prepare(): what becomes of a register of a fragment before it is multiplied; Signs: what that
// depends on, set once for each operand of complex elements.
// kSumsInF16: multiply() sums in fp16, two a register, what of a k-tile then goes to Sums.
// kLoadsBetween: whether loads of the next fragments, and copies, go between the instructions of a
// k-step, rather than ahead of them.
//==============================================================================
#pragma once

#include "kernels/common/arithmetic.cuh"
#include "kernels/common/swizzle.h"
#include "kernels/ptx/mma.h"

namespace myblas {

struct NoSigns {};  // of real elements

// Registers of 32 bits, four a fragment.
struct MmaOfWords {
  using Register = uint32_t;
  using Signs = NoSigns;
  static constexpr int kParts = 1;
  static constexpr int kRegisters = 4;  // a fragment of 16 rows and kK
  static constexpr int kPasses = 1;
  static constexpr bool kSumsInF16 = false;
  static constexpr bool kLoadsBetween = false;
  static __device__ __forceinline__ void prepare(uint32_t&, NoSigns) {}
};

struct MmaOf16Bits : MmaOfWords {
  using Sum = float;
  static constexpr int kK = 16;
  static constexpr bool kLoadsBetween = true;
  static constexpr SwizzleFor kReaderAlongK = SwizzleFor::kMatrixRows;
  static constexpr SwizzleFor kReaderAlongRows = SwizzleFor::kMatrixRows;
};

struct MmaBf16 : MmaOf16Bits {
  using Element = __nv_bfloat16;
  static __device__ __forceinline__ void multiply(float (&sums)[4], const uint32_t (&a)[4],
                                                  const uint32_t (&b)[4], int half,
                                                  int /*pass*/ = 0) {
    const uint32_t eight_rows[2] = {b[2 * half], b[2 * half + 1]};
    ptx::mma_m16n8k16_bf16(sums, a, eight_rows);
  }
};

struct MmaF16 : MmaOf16Bits {
  using Element = __half;
  static __device__ __forceinline__ void multiply(float (&sums)[4], const uint32_t (&a)[4],
                                                  const uint32_t (&b)[4], int half,
                                                  int /*pass*/ = 0) {
    const uint32_t eight_rows[2] = {b[2 * half], b[2 * half + 1]};
    ptx::mma_m16n8k16_f16(sums, a, eight_rows);
  }
};

struct MmaF16Sums : MmaF16 {
  static constexpr bool kSumsInF16 = true;
  static __device__ __forceinline__ void multiply(uint32_t (&sums)[2], const uint32_t (&a)[4],
                                                  const uint32_t (&b)[4], int half,
                                                  int /*pass*/ = 0) {
    const uint32_t eight_rows[2] = {b[2 * half], b[2 * half + 1]};
    ptx::mma_m16n8k16_f16_sums(sums, a, eight_rows);
  }
};

// sm_75: two instructions of 8 k.
struct MmaF16Sm75 : MmaOf16Bits {
  using Element = __half;
  static constexpr int kPasses = 2;
  static __device__ __forceinline__ void multiply(float (&sums)[4], const uint32_t (&a)[4],
                                                  const uint32_t (&b)[4], int half, int pass) {
    const uint32_t eight_k_of_a[2] = {a[2 * pass], a[2 * pass + 1]};
    const uint32_t eight_k_of_b[1] = {b[2 * half + pass]};
    ptx::mma_m16n8k8_f16(sums, eight_k_of_a, eight_k_of_b);
  }
};

struct MmaF16SumsSm75 : MmaF16Sm75 {
  static constexpr bool kSumsInF16 = true;
  static __device__ __forceinline__ void multiply(uint32_t (&sums)[2], const uint32_t (&a)[4],
                                                  const uint32_t (&b)[4], int half, int pass) {
    const uint32_t eight_k_of_a[2] = {a[2 * pass], a[2 * pass + 1]};
    const uint32_t eight_k_of_b[1] = {b[2 * half + pass]};
    ptx::mma_m16n8k8_f16_sums(sums, eight_k_of_a, eight_k_of_b);
  }
};

struct MmaTf32 : MmaOfWords {
  using Element = float;
  using Sum = float;
  static constexpr int kK = 8;
  static constexpr SwizzleFor kReaderAlongK = SwizzleFor::kMatrixRows;
  static constexpr SwizzleFor kReaderAlongRows = SwizzleFor::kQuadRows;
  // The instruction takes no notice of the lower bits: without this it would round towards zero.
  static __device__ __forceinline__ void prepare(uint32_t& value, NoSigns) {
    value = ptx::round_to_tf32(value);
  }
  static __device__ __forceinline__ void multiply(float (&sums)[4], const uint32_t (&a)[4],
                                                  const uint32_t (&b)[4], int half,
                                                  int /*pass*/ = 0) {
    const uint32_t eight_rows[2] = {b[2 * half], b[2 * half + 1]};
    ptx::mma_m16n8k8_tf32(sums, a, eight_rows);
  }
};

struct MmaS8 : MmaOfWords {
  using Element = int8_t;
  using Sum = int32_t;
  static constexpr int kK = 32;
  static constexpr SwizzleFor kReaderAlongK = SwizzleFor::kMatrixRows;
  static constexpr SwizzleFor kReaderAlongRows = SwizzleFor::kBytePairs;
  static __device__ __forceinline__ void multiply(int32_t (&sums)[4], const uint32_t (&a)[4],
                                                  const uint32_t (&b)[4], int half,
                                                  int /*pass*/ = 0) {
    const uint32_t eight_rows[2] = {b[2 * half], b[2 * half + 1]};
    ptx::mma_m16n8k32_s8(sums, a, eight_rows);
  }
};

// sm_75: two instructions of 16 k, each of 8 rows twice.
struct MmaS8Sm75 : MmaS8 {
  static constexpr int kPasses = 2;
  static __device__ __forceinline__ void multiply(int32_t (&sums)[4], const uint32_t (&a)[4],
                                                  const uint32_t (&b)[4], int half, int pass) {
    const uint32_t sixteen_k_of_b[1] = {b[2 * half + pass]};
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const uint32_t eight_rows_of_a[1] = {a[2 * pass + i]};
      int32_t two[2] = {sums[2 * i], sums[2 * i + 1]};
      ptx::mma_m8n8k16_s8(two, eight_rows_of_a, sixteen_k_of_b);
      sums[2 * i] = two[0];
      sums[2 * i + 1] = two[1];
    }
  }
};

struct MmaOfDoubles {
  using Element = double;
  using Sum = double;
  using Register = double;
  using Signs = NoSigns;
  static constexpr SwizzleFor kReaderAlongK = SwizzleFor::kQuadRows;
  static constexpr SwizzleFor kReaderAlongRows = SwizzleFor::kQuadRows;
  static constexpr int kParts = 1;
  static constexpr int kPasses = 1;
  static constexpr bool kSumsInF16 = false;
  static __device__ __forceinline__ void prepare(double&, NoSigns) {}
};

// sm_80: two instructions of 8 rows.
struct MmaF64 : MmaOfDoubles {
  static constexpr int kK = 4;
  static constexpr bool kLoadsBetween = false;
  static constexpr int kRegisters = 2;
  static __device__ __forceinline__ void multiply(double (&sums)[4], const double (&a)[2],
                                                  const double (&b)[2], int half,
                                                  int /*pass*/ = 0) {
    const double eight_rows[1] = {b[half]};
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const double eight_of_a[1] = {a[i]};
      double two[2] = {sums[2 * i], sums[2 * i + 1]};
      ptx::mma_m8n8k4_f64(two, eight_of_a, eight_rows);
      sums[2 * i] = two[0];
      sums[2 * i + 1] = two[1];
    }
  }
};

// sm_90, whose full rate is that of 16 rows.
struct MmaF64Sm90 : MmaOfDoubles {
  static constexpr int kK = 8;
  static constexpr bool kLoadsBetween = true;
  static constexpr int kRegisters = 4;
  static __device__ __forceinline__ void multiply(double (&sums)[4], const double (&a)[4],
                                                  const double (&b)[4], int half,
                                                  int /*pass*/ = 0) {
    const double eight_rows[2] = {b[2 * half], b[2 * half + 1]};
    ptx::mma_m16n8k8_f64(sums, a, eight_rows);
  }
};

// Whether this lane turns the sign of what it loads for the instruction.
struct ComplexSigns {
  uint32_t mask;  // of a double's upper half

  // The instruction's b, of which lane / 4 is the row and lane % 4 the k, is [re -im; im re] of an
  // element, its a [re im]. Of a conjugated one each im has the other sign.
  __device__ __forceinline__ void set(bool instruction_b, bool conjugate) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const bool odd_k = lane % 2 == 1, odd_row = lane / 4 % 2 == 1;
    const bool turns = instruction_b ? odd_k != odd_row && odd_k != conjugate : odd_k && conjugate;
    mask = turns ? 0x80000000u : 0u;
  }
};

// A complex product as a real one: C's rows (m) are re and im in turn, as they lie in memory, and
// so is k. Elements of A are [re -im; im re], two rows by two k; of B two k.
template <class RealMma>
struct MmaOfComplex : RealMma {
  using Element = Complex<typename RealMma::Element>;
  using Signs = ComplexSigns;
  static constexpr int kParts = 2;
  static constexpr int kK = RealMma::kK / kParts;
  static constexpr SwizzleFor kReaderAlongRows = SwizzleFor::kPairRows;
  static __device__ __forceinline__ void prepare(double& value, ComplexSigns signs) {
    const auto bits = __builtin_bit_cast(uint64_t, value);
    value = __builtin_bit_cast(double, bits ^ uint64_t{signs.mask} << 32);
  }
};
using MmaC64 = MmaOfComplex<MmaF64>;
using MmaC64Sm90 = MmaOfComplex<MmaF64Sm90>;

}  // namespace myblas
