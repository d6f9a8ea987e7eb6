// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/matrix_operand.h: an operand of wgmma in shared memory, by its descriptor. PTX ISA,
// "Matrix Descriptor" and "Shared Memory Matrix Layout".
//
// 16 bytes are a chunk. Bits of a descriptor, in chunks: 0-13 the address, 16-29 the leading
// distance, 32-45 the stride; 49-51 the base offset; 62-63 the swizzle.
//
//   K-major, none       8 rows x 1 chunk together; leading: next chunk of k; stride: next 8 rows
//   K-major, swizzled   8 rows of S bytes together; chunks of k side by side; stride: next 8 rows
//   transposed, none    1 chunk x 8 k together; stride: next chunk; leading: next 8 of k
//   transposed, swizzled  S bytes x 8 k together; leading: next S bytes; stride: next 8 of k
//==============================================================================
#pragma once

#include <cstdint>

#include "runtime/machine.h"

namespace emulator {

struct MatrixOperand {
  uint32_t start, leading, stride;  // bytes
  uint32_t row_bytes;               // S; 0: no swizzle
  bool transposed;
  uint32_t element_bytes;

  MatrixOperand(uint64_t descriptor, bool is_transposed, uint32_t bytes_an_element,
                const void* site)
      : start(field(descriptor, 0)),
        leading(field(descriptor, 16)),
        stride(field(descriptor, 32)),
        row_bytes(kRowBytes[descriptor >> 62]),
        transposed(is_transposed),
        element_bytes(bytes_an_element) {
    constexpr uint64_t kFields = 0xc00e3fff3fff3fff;
    if ((descriptor & ~kFields) != 0)
      fail(site, "a matrix descriptor with bits set between fields");
    if ((descriptor >> 49 & 7) != 0) fail(site, "a matrix descriptor with a base offset");
    if (transposed && element_bytes != 2) fail(site, "a transposed operand of no 16-bit type");
  }

  // The shared address of the chunk that holds element (row, k), row counting m or n.
  uint32_t chunk(uint32_t row, uint32_t k) const {
    const uint32_t per_row = row_bytes / 16;
    uint32_t offset;
    if (!transposed) {
      const uint32_t chunk = k * element_bytes / 16;
      offset = row_bytes == 0 ? row % 8 * 16 + row / 8 * stride + chunk * leading
                              : row % 8 * row_bytes + row / 8 * stride + chunk * 16;
    } else {
      const uint32_t chunk = row / 8;
      offset = row_bytes == 0 ? k % 8 * 16 + k / 8 * leading + chunk * stride
                              : chunk % per_row * 16 + chunk / per_row * leading +
                                    k % 8 * row_bytes + k / 8 * stride;
    }
    return swizzled(address_of_operand(start + offset), row_bytes);
  }

  // Calls visit(row, k, bytes) for each chunk: its elements go on along k, or along the rows.
  template <class Visit>
  void for_each_chunk(uint32_t rows, Visit visit) const {
    const uint32_t elements = 16 / element_bytes, depth = 32 / element_bytes;
    const uint32_t row_step = transposed ? elements : 1, k_step = transposed ? 1 : elements;
    for (uint32_t row = 0; row < rows; row += row_step) {
      for (uint32_t k = 0; k < depth; k += k_step) {
        visit(row, k, shared_bytes({self().block, chunk(row, k)}));
      }
    }
  }

 private:
  static constexpr uint32_t kRowBytes[] = {0, 128, 64, 32};
  static uint32_t field(uint64_t descriptor, int bit) {
    return static_cast<uint32_t>(descriptor >> bit & 0x3fff) * 16;
  }
};

}  // namespace emulator
