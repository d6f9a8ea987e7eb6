// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/cublas/lt_descriptors.h: what cublasLt's descriptors say.
//
// An attribute costs a call of the real library (5 to 10 ns), and a product has
// some thirty in its layouts: those are kept, by the bytes of their descriptor
// (LtLibrary::layouts_have_keys). Operations are read each time: their bias
// pointer is another in every call, and they may have bytes of any number.
//==============================================================================
#pragma once

#include <cstdint>
#include <cstring>

#include "api/cublas/lt_library.h"

namespace myblas::dropin {

struct LtLayout {
  int32_t type;
  int32_t order;
  int64_t rows;
  int64_t columns;
  int64_t ld;
  int64_t batch_stride;
  int64_t plane_offset;
  int32_t batch_count;
  uint32_t batch_mode;

  // Fields only, no gaps between them.
  bool operator==(const LtLayout& other) const {
    return std::memcmp(this, &other, sizeof other) == 0;
  }
};
static_assert(sizeof(LtLayout) == 56);

struct LtOperation {
  int32_t compute;
  int32_t scale;
  int32_t pointer_mode;
  int32_t transa;
  int32_t transb;
  int32_t sm_count;
  uint32_t epilogue;
  int32_t bias_type;  // of an epilogue with bias, as the next two
  const void* bias;
  int64_t bias_stride;
  bool all_else_is_default;
};

inline constexpr int32_t kLtColumnMajor = 0;  // CUBLASLT_ORDER_COL
inline constexpr int32_t kLtRowMajor = 1;     // CUBLASLT_ORDER_ROW
inline constexpr uint32_t kLtStrided = 0;     // CUBLASLT_BATCH_MODE_STRIDED

// cublasLtEpilogue_t. A bias alone is without the default's bit.
inline constexpr uint32_t kLtEpilogueDefault = 1;
inline constexpr uint32_t kLtEpilogueRelu = 2;
inline constexpr uint32_t kLtEpilogueBias = 4;
inline constexpr uint32_t kLtEpilogueGelu = 32;

// False where the real library does not know what it is given.
bool read_operation(const LtLibrary& lt, const void* descriptor, LtOperation* operation);
bool read_layout(const LtLibrary& lt, const void* descriptor, LtLayout* layout);

// The layouts that one thread has seen last.
class LtLayoutCache {
 public:
  bool read(const LtLibrary& lt, const void* descriptor, LtLayout* layout);

 private:
  struct Row {
    bool is_used = false;
    uint64_t key[kLtLayoutKeyBytes / sizeof(uint64_t)];
    LtLayout layout;
  };
  static constexpr int kRowBits = 5;
  Row rows_[1 << kRowBits];
};

}  // namespace myblas::dropin
