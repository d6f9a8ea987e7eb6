// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// emulator/mma.h: mma.sync as its definition: 32 lanes' fragments -> matrices -> product ->
// fragments. Layouts: PTX ISA, "Matrix Fragments for mma".
//
// Products are exact and summed in double, k ascending, with one rounding to the sum's type; or,
// for fp32 sums, cut off as the hardware does it (tensor_sums.h).
//==============================================================================
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "emulator/small_floats.h"
#include "emulator/tensor_sums.h"
#include "emulator/warp.h"

namespace emulator {

struct Place {
  int row, col;
};

// Element i of lane `lane`: where it lies in A (M x K), B (K x N) or C (M x N).
struct Layout8Bit {  // m8n8k16, m16n8k32, four elements a register
  static Place a(int lane, int i) {
    return {lane / 4 + i / 4 % 2 * 8, lane % 4 * 4 + i % 4 + i / 8 * 16};
  }
  static Place b(int lane, int i) { return {lane % 4 * 4 + i % 4 + i / 4 * 16, lane / 4}; }
};
struct Layout16Bit {  // m16n8k8, m16n8k16, two elements a register
  static Place a(int lane, int i) {
    return {lane / 4 + i / 2 % 2 * 8, lane % 4 * 2 + i % 2 + i / 4 * 8};
  }
  static Place b(int lane, int i) { return {lane % 4 * 2 + i % 2 + i / 2 * 8, lane / 4}; }
};
struct Layout32Bit {  // m16n8k8 of tf32; of f64 m16n8k16 also, whose registers are pairs
  static Place a(int lane, int i) { return {lane / 4 + i % 2 * 8, lane % 4 + i / 2 * 4}; }
  static Place b(int lane, int i) { return {lane % 4 + i * 4, lane / 4}; }
};
struct LayoutSmallF64 {  // m8n8k4
  static Place a(int lane, int) { return {lane / 4, lane % 4}; }
  static Place b(int lane, int) { return {lane % 4, lane / 4}; }
};
inline Place place_of_sum(int lane, int i) { return {lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2}; }

struct HalfElement {
  using Bits = uint16_t;
  static double value(Bits bits) { return half_to_float(bits); }
};
struct Bfloat16Element {
  using Bits = uint16_t;
  static double value(Bits bits) { return bfloat16_to_float(bits); }
};
struct Tf32Element {
  using Bits = float;
  static double value(Bits bits) { return tf32_operand(bits); }
};
struct Int8Element {
  using Bits = int8_t;
  static double value(Bits bits) { return bits; }
};
struct DoubleElement {
  using Bits = double;
  static double value(Bits bits) { return bits; }
};

inline void add_product(float& sum, double product) { sum = static_cast<float>(product + sum); }
inline void add_product(double& sum, double product) { sum += product; }
// Wraps around. Products of 32 pairs of bytes are exact in double.
inline void add_product(int32_t& sum, double product) {
  sum = static_cast<int32_t>(static_cast<uint32_t>(sum) +
                             static_cast<uint32_t>(static_cast<int32_t>(product)));
}

template <class Sum>
struct MmaOperand {
  Sum* sums;
  const void* a;
  const void* b;
};

template <class Element, class Layout, class Sum, int kM, int kN, int kK>
void multiply_fragments(void* const (&operands)[32]) {
  using Bits = typename Element::Bits;
  double a[kM][kK], b[kK][kN];
  for (int lane = 0; lane < 32; ++lane) {
    const auto* operand = static_cast<const MmaOperand<Sum>*>(operands[lane]);
    for (int i = 0; i < kM * kK / 32; ++i) {
      const Place place = Layout::a(lane, i);
      a[place.row][place.col] = Element::value(static_cast<const Bits*>(operand->a)[i]);
    }
    for (int i = 0; i < kK * kN / 32; ++i) {
      const Place place = Layout::b(lane, i);
      b[place.row][place.col] = Element::value(static_cast<const Bits*>(operand->b)[i]);
    }
  }
  for (int lane = 0; lane < 32; ++lane) {
    const auto* operand = static_cast<const MmaOperand<Sum>*>(operands[lane]);
    for (int i = 0; i < kM * kN / 32; ++i) {
      const Place place = place_of_sum(lane, i);
      if constexpr (std::is_same_v<Sum, float>) {
        if (const int bits = tensor_core_bits(); bits != 0) {
          operand->sums[i] =
              truncated_sum(operand->sums[i], a[place.row], 1, &b[0][place.col], kN, kK, bits);
          continue;
        }
      }
      double product = 0.0;
      for (int k = 0; k < kK; ++k) product += a[place.row][k] * b[k][place.col];
      add_product(operand->sums[i], product);
    }
  }
}

// The whole warp comes to it together.
template <class Element, class Layout, int kM, int kN, int kK, class Sum>
inline __attribute__((always_inline)) void mma(const char* instruction, Sum* sums, const void* a,
                                               const void* b) {
  MmaOperand<Sum> operand{sums, a, b};
  collective(0xffffffffu, instruction, &operand,
             multiply_fragments<Element, Layout, Sum, kM, kN, kK>);
}

}  // namespace emulator
