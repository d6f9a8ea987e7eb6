// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/tensor_map.h: the emulated GPU's own form of a TensorMap, and a box of one.
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/common/tensor_map.h"

namespace emulator {

struct TensorMapData {
  int sides;
  unsigned char* base;
  uint64_t size[4];    // elements, rows, matrices along two sides
  uint64_t stride[3];  // bytes
  uint32_t box[4];
  uint32_t element_bytes;
  uint32_t swizzle_bytes;  // of a row; 0: none
  bool rounds_to_tf32;     // what is read
  uint64_t mark;
};
static_assert(sizeof(TensorMapData) <= sizeof(myblas::TensorMap));

// What the driver would refuse, in words; nullptr where the map is made.
const char* encode_tensor_map(const myblas::TensorMapShape& shape, myblas::TensorMap* map);

// A box at its place: rows of row_bytes() one after the other.
struct TensorBox {
  TensorMapData map;
  int64_t at[4];

  size_t row_bytes() const { return size_t{map.box[0]} * map.element_bytes; }
  size_t rows() const { return size_t{map.box[1]} * map.box[2] * map.box[3]; }
  size_t bytes() const { return row_bytes() * rows(); }

  // The part of a row that lies in the tensor; bytes == 0: none. What is stored goes in whole
  // pieces of 16 bytes: also past the tensor's last element, as far as the box reaches. The manual
  // does not say so; an H200 does it.
  struct Part {
    unsigned char* global;
    size_t offset;  // in the row
    size_t bytes;
  };
  Part loaded_part(size_t row) const;
  Part stored_part(size_t row) const;

  void read(unsigned char* bytes) const;  // zeros where there is no tensor
  void write(const unsigned char* bytes) const;

 private:
  Part part(size_t row, uint64_t size) const;
};

// False where the map was not made by encode_tensor_map.
bool decode_tensor_map(const myblas::TensorMap* map, TensorMapData* data);

// Where the 16 bytes at this shared address go under a swizzle of rows of row_bytes (0: none).
inline uint32_t swizzled(uint32_t address, uint32_t row_bytes) {
  return row_bytes == 0 ? address : address ^ (address >> 7 & (row_bytes / 16 - 1)) << 4;
}

}  // namespace emulator
