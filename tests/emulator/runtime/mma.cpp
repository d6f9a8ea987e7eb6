// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/mma.cpp: mma.sync as its definition: 32 lanes' fragments -> matrices -> product ->
// fragments. Layouts: PTX ISA, "Matrix Fragments for mma".
//
// Products are exact and summed in double, k ascending, with one rounding to the sum's type; or,
// for fp32 sums, cut off as the hardware does it (tensor_sums.h). How it cuts off fp16 sums nobody
// measured.
//==============================================================================
#include "emulator/mma.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "emulator/small_floats.h"
#include "emulator/tensor_sums.h"
#include "emulator/warp.h"

namespace emulator {
namespace {

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
Place place_of_sum(int lane, int i) { return {lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2}; }

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

void add_product(float& sum, double product) { sum = static_cast<float>(product + sum); }
void add_product(double& sum, double product) { sum += product; }
void add_product(uint16_t& sum, double product) {
  sum = half_from_float(static_cast<float>(product + half_to_float(sum)));
}
// Wraps around. Products of 32 pairs of bytes are exact in double.
void add_product(int32_t& sum, double product) {
  sum = static_cast<int32_t>(static_cast<uint32_t>(sum) +
                             static_cast<uint32_t>(static_cast<int32_t>(product)));
}

struct MmaOperand {
  void* sums;
  const void* a;
  const void* b;
};

template <class Element, class Layout, class Sum, int kM, int kN, int kK>
void multiply_fragments(void* const (&operands)[32]) {
  using Bits = typename Element::Bits;
  double a[kM][kK], b[kK][kN], products[kM][kN];
  for (int lane = 0; lane < 32; ++lane) {
    const auto* operand = static_cast<const MmaOperand*>(operands[lane]);
    for (int i = 0; i < kM * kK / 32; ++i) {
      const Place place = Layout::a(lane, i);
      a[place.row][place.col] = Element::value(static_cast<const Bits*>(operand->a)[i]);
    }
    for (int i = 0; i < kK * kN / 32; ++i) {
      const Place place = Layout::b(lane, i);
      b[place.row][place.col] = Element::value(static_cast<const Bits*>(operand->b)[i]);
    }
  }
  for (int row = 0; row < kM; ++row) {
    double sums[kN] = {};
    for (int k = 0; k < kK; ++k) {
      for (int col = 0; col < kN; ++col) sums[col] += a[row][k] * b[k][col];
    }
    std::copy_n(sums, kN, products[row]);
  }
  const int bits = tensor_core_bits();
  for (int lane = 0; lane < 32; ++lane) {
    auto* const sums = static_cast<Sum*>(static_cast<const MmaOperand*>(operands[lane])->sums);
    for (int i = 0; i < kM * kN / 32; ++i) {
      const Place place = place_of_sum(lane, i);
      if constexpr (std::is_same_v<Sum, float>) {
        if (bits != 0) {
          sums[i] = truncated_sum(sums[i], a[place.row], 1, &b[0][place.col], kN, kK, bits);
          continue;
        }
      }
      add_product(sums[i], products[place.row][place.col]);
    }
  }
}

struct Instruction {
  const char* name;
  Combine multiply;
};
// In the order of Mma.
constexpr Instruction kInstructions[] = {
    {"mma.m16n8k8.f16", multiply_fragments<HalfElement, Layout16Bit, float, 16, 8, 8>},
    {"mma.m16n8k8.f16 in f16", multiply_fragments<HalfElement, Layout16Bit, uint16_t, 16, 8, 8>},
    {"mma.m16n8k16.f16", multiply_fragments<HalfElement, Layout16Bit, float, 16, 8, 16>},
    {"mma.m16n8k16.f16 in f16", multiply_fragments<HalfElement, Layout16Bit, uint16_t, 16, 8, 16>},
    {"mma.m16n8k16.bf16", multiply_fragments<Bfloat16Element, Layout16Bit, float, 16, 8, 16>},
    {"mma.m16n8k8.tf32", multiply_fragments<Tf32Element, Layout32Bit, float, 16, 8, 8>},
    {"mma.m8n8k16.s8", multiply_fragments<Int8Element, Layout8Bit, int32_t, 8, 8, 16>},
    {"mma.m16n8k32.s8", multiply_fragments<Int8Element, Layout8Bit, int32_t, 16, 8, 32>},
    {"mma.m8n8k4.f64", multiply_fragments<DoubleElement, LayoutSmallF64, double, 8, 8, 4>},
    {"mma.m16n8k8.f64", multiply_fragments<DoubleElement, Layout32Bit, double, 16, 8, 8>},
};

}  // namespace

void mma(Mma instruction, void* sums, const void* a, const void* b) {
  const Instruction& one = kInstructions[static_cast<int>(instruction)];
  MmaOperand operand{sums, a, b};
  collective(0xffffffffu, one.name, &operand, one.multiply, __builtin_return_address(0));
}

}  // namespace emulator
