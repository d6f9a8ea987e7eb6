// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/tensor_map.h"

#include <algorithm>
#include <cstring>

#include "emulator/small_floats.h"

namespace emulator {
namespace {

constexpr uint64_t kMark = 0x70616d726f736e65;
constexpr uint64_t kMaxSize = uint64_t{1} << 32;
constexpr uint64_t kMaxStride = uint64_t{1} << 40;

uint32_t bytes_of(myblas::DataType type) {
  switch (type) {
    case myblas::DataType::kS8: return 1;
    case myblas::DataType::kF16:
    case myblas::DataType::kBF16: return 2;
    case myblas::DataType::kF32:
    case myblas::DataType::kS32: return 4;
    case myblas::DataType::kF64:
    case myblas::DataType::kCF32: return 8;
    default: return 0;
  }
}

void round_to_tf32(unsigned char* floats, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 4) {
    uint32_t bits;
    std::memcpy(&bits, floats + i, 4);
    bits = round_mantissa(bits, 13) << 13;
    std::memcpy(floats + i, &bits, 4);
  }
}

uint32_t bytes_of(myblas::Swizzle swizzle) {
  switch (swizzle) {
    case myblas::Swizzle::kNone: return 0;
    case myblas::Swizzle::k32B: return 32;
    case myblas::Swizzle::k64B: return 64;
    case myblas::Swizzle::k128B: return 128;
  }
  return 0;
}

}  // namespace

const char* encode_tensor_map(const myblas::TensorMapShape& shape, myblas::TensorMap* map) {
  TensorMapData data{};
  data.base = static_cast<unsigned char*>(const_cast<void*>(shape.base));
  data.element_bytes = bytes_of(shape.type);
  data.swizzle_bytes = bytes_of(shape.swizzle);
  data.rounds_to_tf32 = shape.rounds_to_tf32;
  data.mark = kMark;
  if (data.element_bytes == 0) return "a tensor map of a type that it does not know";
  if (shape.rounds_to_tf32 && shape.type != myblas::DataType::kF32) {
    return "a tensor map that rounds other elements than fp32 to TF32";
  }
  if (shape.base == nullptr) return "a tensor at NULL";
  if (reinterpret_cast<uintptr_t>(shape.base) % 16 != 0)
    return "a tensor's base, not aligned to 16";
  if (shape.sides != 3 && shape.sides != 4) return "a tensor of neither 3 nor 4 sides";
  data.sides = shape.sides;
  data.size[3] = data.box[3] = 1;
  for (int i = 0; i < shape.sides; ++i) {
    if (shape.size[i] < 1 || shape.size[i] > kMaxSize) return "a tensor's size, not 1 to 2^32";
    if (shape.box[i] < 1 || shape.box[i] > 256) return "a box's side, not 1 to 256";
    data.size[i] = shape.size[i];
    data.box[i] = shape.box[i];
  }
  for (int i = 0; i < shape.sides - 1; ++i) {
    if (shape.stride_bytes[i] % 16 != 0) return "a tensor's stride, no multiple of 16 bytes";
    if (shape.stride_bytes[i] >= kMaxStride) return "a tensor's stride of 2^40 bytes or more";
    data.stride[i] = shape.stride_bytes[i];
  }
  const uint32_t row_bytes = data.box[0] * data.element_bytes;
  if (row_bytes % 16 != 0) return "a box's row, no multiple of 16 bytes";
  // NOTE: the hardware takes shorter rows too; where it puts them is not in its manual.
  if (data.swizzle_bytes != 0 && row_bytes != data.swizzle_bytes) {
    return "a box's row, not as many bytes as its swizzle exchanges";
  }
  std::memset(map, 0, sizeof *map);
  std::memcpy(map, &data, sizeof data);
  return nullptr;
}

bool decode_tensor_map(const myblas::TensorMap* map, TensorMapData* data) {
  if (reinterpret_cast<uintptr_t>(map) % 64 != 0) return false;
  std::memcpy(data, map, sizeof *data);
  return data->mark == kMark;
}

TensorBox::Part TensorBox::loaded_part(size_t row) const { return part(row, map.size[0]); }

TensorBox::Part TensorBox::stored_part(size_t row) const {
  const uint64_t piece = std::max<uint64_t>(16 / map.element_bytes, 1);
  return part(row, (map.size[0] + piece - 1) / piece * piece);
}

// Of rows of `size` elements.
TensorBox::Part TensorBox::part(size_t row, uint64_t size) const {
  const int64_t y = at[1] + static_cast<int64_t>(row % map.box[1]);
  const int64_t z = at[2] + static_cast<int64_t>(row / map.box[1] % map.box[2]);
  const int64_t w = at[3] + static_cast<int64_t>(row / map.box[1] / map.box[2]);
  const int64_t first = std::max<int64_t>(at[0], 0);
  const int64_t last = std::min(at[0] + map.box[0], static_cast<int64_t>(size));
  if (y < 0 || y >= static_cast<int64_t>(map.size[1]) || z < 0 ||
      z >= static_cast<int64_t>(map.size[2]) || w < 0 || w >= static_cast<int64_t>(map.size[3]) ||
      last <= first) {
    return {nullptr, 0, 0};
  }
  const uint64_t element = map.element_bytes;
  // Of a map of all memory this comes round to what lies ahead of its base.
  const uint64_t address =
      reinterpret_cast<uintptr_t>(map.base) + static_cast<uint64_t>(w) * map.stride[2] +
      static_cast<uint64_t>(z) * map.stride[1] + static_cast<uint64_t>(y) * map.stride[0] +
      static_cast<uint64_t>(first) * element;
  return {reinterpret_cast<unsigned char*>(address), static_cast<size_t>(first - at[0]) * element,
          static_cast<size_t>(last - first) * element};
}

void TensorBox::read(unsigned char* to) const {
  std::memset(to, 0, bytes());
  for (size_t row = 0; row < rows(); ++row) {
    const Part here = loaded_part(row);
    if (here.bytes == 0) continue;
    unsigned char* const there = to + row * row_bytes() + here.offset;
    std::memcpy(there, here.global, here.bytes);
    if (map.rounds_to_tf32) round_to_tf32(there, here.bytes);
  }
}

void TensorBox::write(const unsigned char* from) const {
  for (size_t row = 0; row < rows(); ++row) {
    const Part here = stored_part(row);
    if (here.bytes != 0)
      std::memcpy(here.global, from + row * row_bytes() + here.offset, here.bytes);
  }
}

}  // namespace emulator
