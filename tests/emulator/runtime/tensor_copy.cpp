// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/tensor_copy.cpp: TMA's boxes. A load is a bulk copy (mbarrier.cpp) of all bytes of its
// box. A store reads shared memory no sooner than its issuer waits for that, and writes when that
// thread ends.
//==============================================================================
#include "emulator/tensor_copy.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/machine.h"

namespace emulator {
namespace {

constexpr uint32_t kAlignment = 128;  // of boxes in shared memory

[[noreturn]] void fail_on_map(const myblas::TensorMap* map, const void* site) {
  fail(site, "no tensor map at %p: not encoded, or not aligned to 64",
       static_cast<const void*>(map));
}

TensorBox box_at(const myblas::TensorMap* map, const BoxPlace& place, const void* site) {
  TensorBox box{};
  if (!decode_tensor_map(map, &box.map)) fail_on_map(map, site);
  if (place.sides != box.map.sides) {
    fail(site, "a copy of %d sides, of a map of %d", place.sides, box.map.sides);
  }
  // NOTE: an H200 ends the kernel with an illegal instruction; PTX ISA does not say so.
  if (place.x * static_cast<int64_t>(box.map.element_bytes) % 16 != 0) {
    fail(site, "a box from element %d of its rows, not at a multiple of 16 bytes", place.x);
  }
  box.at[0] = place.x;
  box.at[1] = place.y;
  box.at[2] = place.z;
  box.at[3] = place.w;
  return box;
}

void check_rows(const TensorBox& box, Access access, const void* site) {
  if (!machine().watching) return;
  // NOTE: an H200 looks up what begins outside of the tensor at its base; PTX ISA does not say so.
  check_global(reinterpret_cast<uintptr_t>(box.map.base), 1, access, site);
  for (size_t row = 0; row < box.rows(); ++row) {
    const TensorBox::Part part =
        access == Access::kWrite ? box.stored_part(row) : box.loaded_part(row);
    if (part.bytes == 0) continue;
    check_global(reinterpret_cast<uintptr_t>(part.global), part.bytes, access, site);
  }
}

// Calls visit(bytes in shared memory, offset in the box, count) for runs inside 16 bytes of what
// is stored.
template <class Visit>
void for_each_run(const TensorBox& box, uint32_t source, Visit visit) {
  for (size_t row = 0; row < box.rows(); ++row) {
    const TensorBox::Part part = box.stored_part(row);
    size_t offset = row * box.row_bytes() + part.offset;
    const size_t end = offset + part.bytes;
    while (offset < end) {
      const size_t count = std::min<size_t>(16 - offset % 16, end - offset);
      const auto chunk = source + static_cast<uint32_t>(offset / 16 * 16);
      unsigned char* const bytes =
          shared_bytes({self().block, swizzled(chunk, box.map.swizzle_bytes) +
                                          static_cast<uint32_t>(offset % 16)});
      visit(bytes, offset, count);
      offset += count;
    }
  }
}

void fetch(PendingStore& store) {
  if (!store.data.empty()) return;
  store.data.resize(store.box.bytes());
  for_each_run(store.box, store.source, [&](unsigned char* bytes, size_t offset, size_t count) {
    std::memcpy(store.data.data() + offset, bytes, count);
  });
}

void finish_reading(PendingStore& store) {
  if (std::exchange(store.has_read, true)) return;
  fetch(store);
  if (!machine().watching) return;
  const Moment now{static_cast<uint16_t>(self().id), self().clock};
  for_each_run(store.box, store.source, [&](unsigned char* bytes, size_t, size_t count) {
    end_async_read(reinterpret_cast<uintptr_t>(bytes), count, now);
  });
}

}  // namespace

void prefetch_map(const myblas::TensorMap* map) {
  const Guard guard;
  TensorMapData data{};
  if (!decode_tensor_map(map, &data)) fail_on_map(map, __builtin_return_address(0));
}

void load_box(uint32_t destination, const myblas::TensorMap* map, const BoxPlace& place,
              uint32_t barrier, uint32_t blocks) {
  const Guard guard;
  const void* const site = __builtin_return_address(0);
  const SharedPlace to = shared_place(destination);
  if (to.address % kAlignment != 0) {
    fail(site, "a box to 0x%x, not aligned to %u", destination, kAlignment);
  }
  const auto box = std::make_shared<const TensorBox>(box_at(map, place, site));
  check_rows(*box, Access::kRead, site);
  if (blocks == 0) {
    start_bulk_copy({to.block, to.address, barrier, box}, site);
  }
  for (int rank = 0; blocks >> rank != 0; ++rank) {
    if ((blocks >> rank & 1) == 0) continue;
    start_bulk_copy({rank, to.address, barrier, box}, site);
  }
}

void store_box(const myblas::TensorMap* map, const BoxPlace& place, uint32_t source) {
  const Guard guard;
  const void* const site = __builtin_return_address(0);
  const SharedPlace from = shared_place(source);
  if (from.address % kAlignment != 0) {
    fail(site, "a box from 0x%x, not aligned to %u", source, kAlignment);
  }
  // NOTE: as above, of stores alone.
  if (place.x < 0 || place.y < 0 || place.z < 0 || place.w < 0) {
    fail(site, "a box stored to (%d, %d, %d, %d), below 0", place.x, place.y, place.z, place.w);
  }
  PendingStore store{box_at(map, place, site), from.address, {}, false, site};
  check_rows(store.box, Access::kWrite, site);
  if (machine().watching) {
    for_each_run(store.box, store.source, [&](unsigned char* bytes, size_t, size_t count) {
      begin_async_read(reinterpret_cast<uintptr_t>(bytes), count, "a store reads",
                       Unwritten::kIsAnError, site);
    });
  }
  if (machine().settings.copies == CopyTiming::kAtOnce) {
    fetch(store);
    store.box.write(store.data.data());
  }
  self().open_stores.push_back(std::move(store));
}

void commit_stores() {
  self().store_groups.push_back(std::move(self().open_stores));
  self().open_stores.clear();
}

void wait_for_store_reads(size_t still_allowed) {
  const Guard guard;
  auto& groups = self().store_groups;
  for (size_t i = 0; i + still_allowed < groups.size(); ++i) {
    for (PendingStore& store : groups[i]) finish_reading(store);
  }
}

void finish_stores(Thread& thread) {
  bool reading = !thread.open_stores.empty();
  const void* site = reading ? thread.open_stores.front().site : nullptr;
  for (const auto& group : thread.store_groups) {
    for (const PendingStore& store : group) {
      if (store.has_read) continue;
      reading = true;
      site = store.site;
    }
  }
  if (reading) fail(site, "a store that may still read shared memory when its thread ends");
  const Guard guard;
  for (const auto& group : thread.store_groups) {
    for (const PendingStore& store : group) store.box.write(store.data.data());
  }
  thread.store_groups.clear();
}

void fence_for_copies() {
  const Guard guard;
  Thread& thread = self();
  thread.async_fences.push_back(thread.clock++);
  thread.known_at_fence = view_of(thread);
  for (auto& [address, barrier] : block_of(thread).mbarriers) {
    if (barrier.made.thread == thread.id) barrier.fenced = true;
  }
}

}  // namespace emulator
