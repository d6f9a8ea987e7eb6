// SPDX-License-Identifier: BSD-3-Clause
// runtime/async_copy.cpp: cp.async, which lands when a program can least use it.
#include "emulator/async_copy.h"

#include <cstring>

#include "runtime/machine.h"

namespace emulator {
namespace {

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
    mark_written(copy.destination, copy.bytes, copy.site);
    land(copy);
  }
  group.clear();
}

}  // namespace

void copy_async(uint32_t destination, const void* source, uint32_t bytes, uint32_t source_bytes,
                const void* site) {
  const Guard guard;
  const auto to = reinterpret_cast<uintptr_t>(shared_pointer(destination));
  const auto from = reinterpret_cast<uintptr_t>(source);
  if (bytes != 4 && bytes != 8 && bytes != 16) fail(site, "cp.async of %u bytes", bytes);
  if (source_bytes > bytes) fail(site, "cp.async of %u bytes from %u", bytes, source_bytes);
  if (!is_shared(to, bytes)) fail(site, "cp.async to no shared variable");
  // NOTE: the source has to be aligned even where none of it is read.
  if (from % bytes != 0) fail(site, "cp.async of %u bytes from %#zx", bytes, from);
  if (source_bytes != 0) check_access(from, source_bytes, Access::kRead, site);
  mark_pending(to, bytes, site);
  self().open_group.push_back({to, from, bytes, source_bytes, false, site});
  if (machine().settings.copies == CopyTiming::kAtOnce) land(self().open_group.back());
}

void commit_copies() {
  const Guard guard;
  self().groups.push_back(std::move(self().open_group));
  self().open_group.clear();
}

void wait_for_copies(size_t still_allowed) {
  const Guard guard;
  auto& groups = self().groups;
  while (groups.size() > still_allowed) {
    complete(groups.front());
    groups.erase(groups.begin());
  }
}

void wait_for_all_copies() {
  commit_copies();
  wait_for_copies(0);
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
