// SPDX-License-Identifier: BSD-3-Clause
// runtime/matrix_copy.cpp: ldmatrix and stmatrix. The lane that gives a row's address is the one
// that reads or writes it.
#include "emulator/matrix_copy.h"

#include <cstring>

#include "runtime/machine.h"

namespace emulator {
namespace {

struct Operand {
  uint16_t row[8];        // of the matrix whose row this lane addresses
  uint32_t registers[4];  // this lane's fragments
  bool transposed;
};

// Element `half` (0, 1) of register r of a lane: matrix r, at this place.
struct MatrixPlace {
  int row, col;
};
MatrixPlace place(int lane, int half, bool transposed) {
  const MatrixPlace plain{lane / 4, lane % 4 * 2 + half};
  return transposed ? MatrixPlace{plain.col, plain.row} : plain;
}

// Calls visit(row element, lane's register, half) for every element.
template <class Visit>
void for_each_element(void* const (&operands)[32], Visit visit) {
  for (int lane = 0; lane < 32; ++lane) {
    auto* mine = static_cast<Operand*>(operands[lane]);
    for (int r = 0; r < 4; ++r) {
      for (int half = 0; half < 2; ++half) {
        const MatrixPlace at = place(lane, half, mine->transposed);
        auto* owner = static_cast<Operand*>(operands[8 * r + at.row]);
        visit(owner->row[at.col], mine->registers[r], half);
      }
    }
  }
}

void distribute(void* const (&operands)[32]) {
  for_each_element(operands, [](uint16_t& element, uint32_t& fragment, int half) {
    const uint32_t kept = fragment & (half == 0 ? 0xffff0000u : 0x0000ffffu);
    fragment = kept | static_cast<uint32_t>(element) << (16 * half);
  });
}

void gather(void* const (&operands)[32]) {
  for_each_element(operands, [](uint16_t& element, uint32_t& fragment, int half) {
    element = static_cast<uint16_t>(fragment >> (16 * half));
  });
}

uintptr_t row_address(uint32_t row, Access access, const void* site) {
  const auto address = reinterpret_cast<uintptr_t>(shared_pointer(row));
  if (address % 16 != 0) fail(site, "a matrix row at %#zx, not aligned to 16 bytes", address);
  if (!machine().watching) return address;
  if (!is_shared(address, 16)) fail(site, "a matrix row outside shared memory");
  check_access(address, 16, access, site);
  if (machine().settings.count_wavefronts) count_wavefronts(address, 16, site, 8);
  return address;
}

}  // namespace

void load_matrices(uint32_t (&to)[4], uint32_t row, bool transposed) {
  const void* const site = __builtin_return_address(0);
  Operand operand{{}, {}, transposed};
  std::memcpy(operand.row, reinterpret_cast<const void*>(row_address(row, Access::kPeek, site)),
              sizeof operand.row);
  collective(0xffffffffu, "ldmatrix", &operand, distribute, site);
  std::memcpy(to, operand.registers, sizeof to);
}

void store_matrices(uint32_t row, const uint32_t (&from)[4], bool transposed) {
  const void* const site = __builtin_return_address(0);
  Operand operand{{}, {from[0], from[1], from[2], from[3]}, transposed};
  collective(0xffffffffu, "stmatrix", &operand, gather, site);
  std::memcpy(reinterpret_cast<void*>(row_address(row, Access::kWrite, site)), operand.row,
              sizeof operand.row);
}

}  // namespace emulator
