// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/common/tensor_map_cache.h"

#include <cstddef>
#include <cstring>

#include "driver/gpu.h"
#include "kernels/common/thread_table.h"

namespace myblas {
namespace {

// Everything a map depends on, in words without padding: compared and hashed as memory.
struct Key {
  uint64_t base;
  uint64_t size[4];
  uint64_t stride_bytes[3];
  uint64_t box;   // four sides of at most 256
  uint64_t kind;  // sides, type, swizzle and rounding
};
constexpr size_t kWords = 10;
static_assert(sizeof(Key) == kWords * sizeof(uint64_t));

struct Entry {
  Key key;
  TensorMap map;
};

// 128 KB a thread, for up to five maps a product. No key is all zeros.
constexpr size_t kEntries = 512;
using Entries = ThreadTable<Entry, kEntries>;

Key make_key(const TensorMapShape& shape) {
  Key key{};
  key.base = reinterpret_cast<uintptr_t>(shape.base);
  for (int i = 0; i < shape.sides; ++i) {
    key.size[i] = shape.size[i];
    key.box |= uint64_t{shape.box[i]} << 16 * i;
    if (i > 0) key.stride_bytes[i - 1] = shape.stride_bytes[i - 1];
  }
  key.kind = static_cast<uint64_t>(shape.sides) | static_cast<uint64_t>(shape.type) << 8 |
             static_cast<uint64_t>(shape.swizzle) << 16 | uint64_t{shape.rounds_to_tf32} << 24;
  return key;
}

size_t slot_of(const Key& key) {
  uint64_t words[kWords];
  std::memcpy(words, &key, sizeof key);
  uint64_t hash = 0;
  for (const uint64_t word : words) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash % kEntries;
}

}  // namespace

bool cached_tensor_map(const TensorMapShape& shape, TensorMap* map) {
  Entry* const entries = Entries::entries();
  if (entries == nullptr) return gpu::encode_tensor_map(shape, map);
  const Key key = make_key(shape);
  Entry& entry = entries[slot_of(key)];
  if (std::memcmp(&entry.key, &key, sizeof key) != 0) {
    if (!gpu::encode_tensor_map(shape, map)) return false;
    entry = {key, *map};
  }
  *map = entry.map;
  return true;
}

}  // namespace myblas
