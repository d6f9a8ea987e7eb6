// SPDX-License-Identifier: BSD-3-Clause
// runtime/async_copy.cpp: cp.async, which lands when a program can least use it. Each thread
// touches its own lists only: a lock here would order what the kernel does not.
#include "emulator/async_copy.h"

#include <cstring>

#include "runtime/machine.h"

namespace emulator {
namespace {

constexpr int kPoison = 0xff;

// Data moves; whose bytes they are is settled by the wait.
void land(PendingCopy& copy) {
  if (copy.landed) return;
  copy.landed = true;
  auto* destination = reinterpret_cast<unsigned char*>(copy.destination);
  std::memcpy(destination, reinterpret_cast<const void*>(copy.source), copy.source_bytes);
  std::memset(destination + copy.source_bytes, 0, copy.bytes - copy.source_bytes);
}

void complete(std::vector<PendingCopy>& group) {
  for (PendingCopy& copy : group) {
    if (machine().watching) mark_written(copy.destination, copy.bytes, copy.site);
    land(copy);
  }
  group.clear();
}

}  // namespace

void copy_async(uint32_t destination, const void* source, int bytes, int source_bytes) {
  const void* const site = __builtin_return_address(0);
  const auto to = reinterpret_cast<uintptr_t>(shared_pointer(destination));
  const auto from = reinterpret_cast<uintptr_t>(source);
  const auto size = static_cast<size_t>(bytes);
  if (source_bytes < 0 || source_bytes > bytes) {
    fail(site, "cp.async of %d bytes from a source of %d", bytes, source_bytes);
  }
  // NOTE: the source has to be aligned even where none of it is read.
  if (from % size != 0) fail(site, "cp.async of %d bytes from %#zx", bytes, from);
  if (machine().watching) {
    if (!is_shared(to, size)) fail(site, "cp.async to no shared variable");
    if (source_bytes != 0) {
      check_access(from, static_cast<size_t>(source_bytes), Access::kRead, site);
    }
    mark_pending(to, size, site);
    if (machine().settings.count_wavefronts) count_wavefronts(to, size, site);
  }
  std::memset(reinterpret_cast<void*>(to), kPoison, size);
  self().open_group.push_back(
      {to, from, static_cast<uint32_t>(bytes), static_cast<uint32_t>(source_bytes), false, site});
  if (machine().settings.copies == CopyTiming::kAtOnce) land(self().open_group.back());
}

void commit_copies() {
  self().groups.push_back(std::move(self().open_group));
  self().open_group.clear();
}

void wait_for_copies(size_t still_allowed) {
  auto& groups = self().groups;
  while (groups.size() > still_allowed) {
    complete(groups.front());
    groups.erase(groups.begin());
  }
}

void land_some_copies() {
  Machine& m = machine();
  if (m.settings.copies != CopyTiming::kSeeded) return;
  for (Thread& thread : m.threads) {
    for (PendingCopy& copy : thread.open_group) {
      if (random_below(4) == 0) land(copy);
    }
    for (auto& group : thread.groups) {
      for (PendingCopy& copy : group) {
        if (random_below(4) == 0) land(copy);
      }
    }
  }
}

void finish_copies(Thread& thread) {
  for (auto& group : thread.groups) complete(group);
  complete(thread.open_group);
}

}  // namespace emulator
