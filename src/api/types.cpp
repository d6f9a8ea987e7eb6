// SPDX-License-Identifier: BSD-3-Clause
#include "api/types.h"

namespace myblas {
namespace {

using enum DataType;

struct DataTypeText {
  int value;
  const char* name;
};

// Every cudaDataType that has a name; most are served by no routine.
constexpr DataTypeText kDataTypes[] = {
    {0, "R_32F"},       {1, "R_64F"},      {2, "R_16F"},      {3, "R_8I"},       {4, "C_32F"},
    {5, "C_64F"},       {6, "C_16F"},      {7, "C_8I"},       {8, "R_8U"},       {9, "C_8U"},
    {10, "R_32I"},      {11, "C_32I"},     {12, "R_32U"},     {13, "C_32U"},     {14, "R_16BF"},
    {15, "C_16BF"},     {16, "R_4I"},      {17, "C_4I"},      {18, "R_4U"},      {19, "C_4U"},
    {20, "R_16I"},      {21, "C_16I"},     {22, "R_16U"},     {23, "C_16U"},     {24, "R_64I"},
    {25, "C_64I"},      {26, "R_64U"},     {27, "C_64U"},     {28, "R_8F_E4M3"}, {29, "R_8F_E5M2"},
    {30, "R_8F_UE8M0"}, {31, "R_6F_E2M3"}, {32, "R_6F_E3M2"}, {33, "R_4F_E2M1"},
};

struct ComputeMeaning {
  int value;
  Compute compute;
  uint8_t fast_math;
  bool pedantic;
};
// NOTE: who permits 16 bits permits TF32, whose numbers have fp16's bits or more: it is what cuBLAS
// takes for them, at the same speed.
constexpr ComputeMeaning kComputeTypes[] = {
    {MYBLAS_COMPUTE_16F, Compute::kF16, kFastF16Sums, false},
    {MYBLAS_COMPUTE_16F_PEDANTIC, Compute::kF16, kFastNone, true},
    {MYBLAS_COMPUTE_32F, Compute::kF32, kFastNone, false},
    {MYBLAS_COMPUTE_32F_PEDANTIC, Compute::kF32, kFastNone, true},
    {MYBLAS_COMPUTE_64F, Compute::kF64, kFastNone, false},
    {MYBLAS_COMPUTE_64F_PEDANTIC, Compute::kF64, kFastNone, true},
    {MYBLAS_COMPUTE_32I, Compute::kS32, kFastNone, false},
    {MYBLAS_COMPUTE_32I_PEDANTIC, Compute::kS32, kFastNone, true},
    {MYBLAS_COMPUTE_32F_FAST_16F, Compute::kF32, kFastF16 | kFastTF32, false},
    {MYBLAS_COMPUTE_32F_FAST_16BF, Compute::kF32, kFastBF16 | kFastTF32, false},
    {MYBLAS_COMPUTE_32F_FAST_TF32, Compute::kF32, kFastTF32, false},
    {MYBLAS_COMPUTE_32F_EMULATED_16BFX9, Compute::kF32, kFastBF16x9, false},
    {MYBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT, Compute::kF64, kFastNone, false},
};

struct Line {
  Compute compute;
  int ab, c;  // public values
  DataType ab_type, c_type, scale;
};
constexpr Line kLines[] = {
    {Compute::kF16, MYBLAS_R_16F, MYBLAS_R_16F, kF16, kF16, kF16},
    {Compute::kS32, MYBLAS_R_8I, MYBLAS_R_32I, kS8, kS32, kS32},
    {Compute::kF32, MYBLAS_R_16BF, MYBLAS_R_16BF, kBF16, kBF16, kF32},
    {Compute::kF32, MYBLAS_R_16F, MYBLAS_R_16F, kF16, kF16, kF32},
    {Compute::kF32, MYBLAS_R_8I, MYBLAS_R_32F, kS8, kF32, kF32},
    {Compute::kF32, MYBLAS_R_16BF, MYBLAS_R_32F, kBF16, kF32, kF32},
    {Compute::kF32, MYBLAS_R_16F, MYBLAS_R_32F, kF16, kF32, kF32},
    {Compute::kF32, MYBLAS_R_32F, MYBLAS_R_32F, kF32, kF32, kF32},
    {Compute::kF32, MYBLAS_C_8I, MYBLAS_C_32F, kCS8, kCF32, kCF32},
    {Compute::kF32, MYBLAS_C_32F, MYBLAS_C_32F, kCF32, kCF32, kCF32},
    {Compute::kF64, MYBLAS_R_64F, MYBLAS_R_64F, kF64, kF64, kF64},
    {Compute::kF64, MYBLAS_C_64F, MYBLAS_C_64F, kCF64, kCF64, kCF64},
};

const ComputeMeaning* meaning_of(int compute) {
  for (const ComputeMeaning& meaning : kComputeTypes) {
    if (meaning.value == compute) return &meaning;
  }
  return nullptr;
}

}  // namespace

bool is_narrow_float(int type) { return type == 28 || type == 29 || type == 33; }

bool is_known_data_type(int type) {
  return (type >= MYBLAS_R_32F && type <= MYBLAS_C_16BF) || is_narrow_float(type);
}

bool is_compute_value(int compute) {
  return meaning_of(compute) != nullptr || compute < MYBLAS_COMPUTE_16F;
}

bool is_known_algo(int algo) {
  return (algo >= MYBLAS_GEMM_DEFAULT && algo <= MYBLAS_GEMM_ALGO23) ||
         (algo >= MYBLAS_GEMM_DEFAULT_TENSOR_OP && algo <= MYBLAS_GEMM_ALGO15_TENSOR_OP) ||
         algo == MYBLAS_GEMM_AUTOTUNE;
}

int normalize_compute_type(int compute) {
  switch (compute) {
    case MYBLAS_R_16F: return MYBLAS_COMPUTE_16F;
    case MYBLAS_R_32F:
    case MYBLAS_C_32F: return MYBLAS_COMPUTE_32F;
    case MYBLAS_R_64F:
    case MYBLAS_C_64F: return MYBLAS_COMPUTE_64F;
    case MYBLAS_R_32I: return MYBLAS_COMPUTE_32I;
    default: return meaning_of(compute) != nullptr ? compute : -1;
  }
}

std::optional<TypeCase> find_type_case(int compute, int a, int b, int c) {
  const ComputeMeaning* meaning = meaning_of(compute);
  if (meaning == nullptr || a != b) return std::nullopt;
  for (const Line& line : kLines) {
    if (line.compute != meaning->compute || line.ab != a || line.c != c) continue;
    return TypeCase{line.ab_type,     line.c_type,        line.scale,
                    meaning->compute, meaning->fast_math, meaning->pedantic};
  }
  return std::nullopt;
}

bool allowed_in_sgemm_ex(const TypeCase& types) {
  return types.compute == Compute::kF32 && types.scale == kF32;
}

bool allowed_in_cgemm_ex(const TypeCase& types) {
  return types.compute == Compute::kF32 && types.scale == kCF32;
}

bool allowed_in_grouped(int compute, const TypeCase& types) {
  if (types.ab != types.c || is_complex(types.ab)) return false;
  switch (compute) {
    case MYBLAS_COMPUTE_32F: return types.compute == Compute::kF32;
    case MYBLAS_COMPUTE_32F_PEDANTIC:
    case MYBLAS_COMPUTE_32F_FAST_TF32: return types.ab == kF32;
    case MYBLAS_COMPUTE_64F:
    case MYBLAS_COMPUTE_64F_PEDANTIC: return types.ab == kF64;
    default: return false;
  }
}

const char* data_type_name(int type) {
  for (const DataTypeText& text : kDataTypes) {
    if (text.value == type) return text.name;
  }
  return "?";
}

}  // namespace myblas
