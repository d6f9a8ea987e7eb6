// SPDX-License-Identifier: BSD-3-Clause
#include "support/type_combos.h"

#include <array>

namespace myblas::test {
namespace {

constexpr auto kF16 = MYBLAS_R_16F, kBF16 = MYBLAS_R_16BF, kF32 = MYBLAS_R_32F;
constexpr auto kF64 = MYBLAS_R_64F, kS8 = MYBLAS_R_8I, kS32 = MYBLAS_R_32I;
constexpr auto kCS8 = MYBLAS_C_8I, kCF32 = MYBLAS_C_32F, kCF64 = MYBLAS_C_64F;

// clang-format off
constexpr std::array kCombos{
    // name                        compute type                            A, B   C      alpha, beta
    TypeCombo{"f16_f16_16F",           MYBLAS_COMPUTE_16F,                     kF16,  kF16,  kF16},
    TypeCombo{"f16_f16_16Fp",          MYBLAS_COMPUTE_16F_PEDANTIC,            kF16,  kF16,  kF16},
    TypeCombo{"s8_s32_32I",            MYBLAS_COMPUTE_32I,                     kS8,   kS32,  kS32},
    TypeCombo{"s8_s32_32Ip",           MYBLAS_COMPUTE_32I_PEDANTIC,            kS8,   kS32,  kS32},
    TypeCombo{"bf16_bf16_32F",         MYBLAS_COMPUTE_32F,                     kBF16, kBF16, kF32},
    TypeCombo{"f16_f16_32F",           MYBLAS_COMPUTE_32F,                     kF16,  kF16,  kF32},
    TypeCombo{"s8_f32_32F",            MYBLAS_COMPUTE_32F,                     kS8,   kF32,  kF32},
    TypeCombo{"bf16_f32_32F",          MYBLAS_COMPUTE_32F,                     kBF16, kF32,  kF32},
    TypeCombo{"f16_f32_32F",           MYBLAS_COMPUTE_32F,                     kF16,  kF32,  kF32},
    TypeCombo{"f32_f32_32F",           MYBLAS_COMPUTE_32F,                     kF32,  kF32,  kF32},
    TypeCombo{"cs8_cf32_32F",          MYBLAS_COMPUTE_32F,                     kCS8,  kCF32, kCF32},
    TypeCombo{"cf32_cf32_32F",         MYBLAS_COMPUTE_32F,                     kCF32, kCF32, kCF32},
    TypeCombo{"bf16_bf16_32Fp",        MYBLAS_COMPUTE_32F_PEDANTIC,            kBF16, kBF16, kF32},
    TypeCombo{"f16_f16_32Fp",          MYBLAS_COMPUTE_32F_PEDANTIC,            kF16,  kF16,  kF32},
    TypeCombo{"s8_f32_32Fp",           MYBLAS_COMPUTE_32F_PEDANTIC,            kS8,   kF32,  kF32},
    TypeCombo{"bf16_f32_32Fp",         MYBLAS_COMPUTE_32F_PEDANTIC,            kBF16, kF32,  kF32},
    TypeCombo{"f16_f32_32Fp",          MYBLAS_COMPUTE_32F_PEDANTIC,            kF16,  kF32,  kF32},
    TypeCombo{"f32_f32_32Fp",          MYBLAS_COMPUTE_32F_PEDANTIC,            kF32,  kF32,  kF32},
    TypeCombo{"cs8_cf32_32Fp",         MYBLAS_COMPUTE_32F_PEDANTIC,            kCS8,  kCF32, kCF32},
    TypeCombo{"cf32_cf32_32Fp",        MYBLAS_COMPUTE_32F_PEDANTIC,            kCF32, kCF32, kCF32},
    TypeCombo{"f32_f32_FAST_16F",      MYBLAS_COMPUTE_32F_FAST_16F,            kF32,  kF32,  kF32},
    TypeCombo{"cf32_cf32_FAST_16F",    MYBLAS_COMPUTE_32F_FAST_16F,            kCF32, kCF32, kCF32},
    TypeCombo{"f32_f32_FAST_16BF",     MYBLAS_COMPUTE_32F_FAST_16BF,           kF32,  kF32,  kF32},
    TypeCombo{"cf32_cf32_FAST_16BF",   MYBLAS_COMPUTE_32F_FAST_16BF,           kCF32, kCF32, kCF32},
    TypeCombo{"f32_f32_FAST_TF32",     MYBLAS_COMPUTE_32F_FAST_TF32,           kF32,  kF32,  kF32},
    TypeCombo{"cf32_cf32_FAST_TF32",   MYBLAS_COMPUTE_32F_FAST_TF32,           kCF32, kCF32, kCF32},
    TypeCombo{"f32_f32_16BFX9",        MYBLAS_COMPUTE_32F_EMULATED_16BFX9,     kF32,  kF32,  kF32},
    TypeCombo{"cf32_cf32_16BFX9",      MYBLAS_COMPUTE_32F_EMULATED_16BFX9,     kCF32, kCF32, kCF32},
    TypeCombo{"f64_f64_64F",           MYBLAS_COMPUTE_64F,                     kF64,  kF64,  kF64},
    TypeCombo{"cf64_cf64_64F",         MYBLAS_COMPUTE_64F,                     kCF64, kCF64, kCF64},
    TypeCombo{"f64_f64_64Fp",          MYBLAS_COMPUTE_64F_PEDANTIC,            kF64,  kF64,  kF64},
    TypeCombo{"cf64_cf64_64Fp",        MYBLAS_COMPUTE_64F_PEDANTIC,            kCF64, kCF64, kCF64},
    TypeCombo{"f64_f64_FIXEDPOINT",    MYBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT, kF64,  kF64,  kF64},
    TypeCombo{"cf64_cf64_FIXEDPOINT",  MYBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT, kCF64, kCF64, kCF64},
};
// clang-format on

}  // namespace

std::span<const TypeCombo> type_combos() { return kCombos; }

const TypeCombo* find_combo(std::string_view name) {
  for (const TypeCombo& combo : kCombos) {
    if (name == combo.name) return &combo;
  }
  return nullptr;
}

double input_roundoff(const TypeCombo& combo) {
  switch (combo.compute) {
    case MYBLAS_COMPUTE_32F_FAST_16F:
    case MYBLAS_COMPUTE_32F_FAST_TF32: return 0x1p-11;
    case MYBLAS_COMPUTE_32F_FAST_16BF: return 0x1p-8;
    default: return 0.0;
  }
}

double f16_sum_error(const TypeCombo& combo) {
  return combo.compute == MYBLAS_COMPUTE_16F ? 4 * 0x1p-10 : 0.0;
}

double sum_roundoff(const TypeCombo& combo) {
  const double fp32 = 0x1p-24;
  if (unit_roundoff(combo.ab) == 0x1p-53) return 0x1p-53;
  // Tensor cores truncate: twice the error of a rounded sum (reliability.md, O2).
  const bool tensor_cores =
      unit_roundoff(combo.ab) > fp32 || input_roundoff(combo) > 0.0 || is_integer(combo.ab);
  return tensor_cores ? 2 * fp32 : fp32;
}

}  // namespace myblas::test
