// SPDX-License-Identifier: BSD-3-Clause
#include "support/arena.h"

#include <malloc.h>

#include <cstdio>
#include <cstdlib>

namespace myblas::test {
namespace {

constexpr size_t kAlignment = 256;
constexpr uint8_t kGuardByte = 0xFF;

// Suites make and drop megabytes thousands of times. Without this malloc would give them back to
// the kernel each time, which then zeroes each page anew: a seventh of such a suite's time.
void keep_freed_memory() {
  static const bool once =
      mallopt(M_MMAP_THRESHOLD, 32 << 20) == 1 && mallopt(M_TRIM_THRESHOLD, 128 << 20) == 1;
  static_cast<void>(once);
}

size_t align_up(size_t x) { return (x + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

int64_t Layout::slot_elements() const {
  if (empty()) return 0;
  return (batch - 1) * std::abs(stride) + matrix_elements();
}

Arena::Arena(Device& device)
    : device_(device), exact_allocations_(std::getenv("MYBLAS_TEST_EXACT_ALLOCATIONS") != nullptr) {
  keep_freed_memory();
}

SlotId Arena::add(std::string name, size_t bytes, size_t misalign_bytes) {
  slots_.push_back({std::move(name), bytes, misalign_bytes, 0});
  return slots_.size() - 1;
}

SlotId Arena::add(std::string name, const Layout& layout, int64_t misalign_elements) {
  return add(std::move(name), layout.bytes(),
             static_cast<size_t>(misalign_elements) * element_bytes(layout.type));
}

void Arena::place() {
  size_t end = device_.outer_guard_bytes();
  for (Slot& slot : slots_) {
    slot.offset = align_up(end) + slot.misalign_bytes;
    end = slot.offset + slot.bytes + device_.inner_guard_bytes();
  }
  image_.assign(end + device_.outer_guard_bytes(), kGuardByte);
  if (!exact_allocations_) {
    memory_ = DeviceMemory(device_, image_.size() + kAlignment);
    return;
  }
  for (const Slot& slot : slots_) {
    exact_memory_.emplace_back(device_, slot.misalign_bytes + slot.bytes);
  }
}

uint8_t* Arena::device_address(SlotId slot) const {
  if (exact_allocations_) return exact_memory_[slot].data() + slots_[slot].misalign_bytes;
  // malloc aligns to 16 only.
  const auto base = align_up(reinterpret_cast<size_t>(memory_.data()));
  return reinterpret_cast<uint8_t*>(base) + slots_[slot].offset;
}

void Arena::upload() {
  sent_ = image_;
  if (!exact_allocations_) {
    const auto base = align_up(reinterpret_cast<size_t>(memory_.data()));
    device_.copy_in(reinterpret_cast<void*>(base), image_.data(), image_.size());
    return;
  }
  for (SlotId slot = 0; slot < slots_.size(); ++slot) {
    // What lies ahead of a misaligned operand, kernels may load along with its first bytes.
    const std::vector<uint8_t> ahead(slots_[slot].misalign_bytes, kGuardByte);
    if (!ahead.empty()) device_.copy_in(exact_memory_[slot].data(), ahead.data(), ahead.size());
    device_.copy_in(device_address(slot), host(slot), slots_[slot].bytes);
  }
}

void Arena::download() {
  if (!exact_allocations_) {
    const auto base = align_up(reinterpret_cast<size_t>(memory_.data()));
    device_.copy_out(image_.data(), reinterpret_cast<const void*>(base), image_.size());
    return;
  }
  for (SlotId slot = 0; slot < slots_.size(); ++slot) {
    device_.copy_out(host(slot), device_address(slot), slots_[slot].bytes);
  }
}

void Arena::reset() {
  image_ = sent_;
  upload();
}

void Arena::release_output(SlotId slot, const Layout& layout) {
  const size_t column_bytes = static_cast<size_t>(layout.rows) * element_bytes(layout.type);
  if (layout.empty()) return;
  for (int64_t index = 0; index < layout.batch; ++index) {
    for (int64_t j = 0; j < layout.cols; ++j) {
      const size_t at = slots_[slot].offset + layout.byte(0, j, index);
      std::memcpy(image_.data() + at, sent_.data() + at, column_bytes);
    }
  }
}

std::string Arena::describe(size_t offset) const {
  for (const Slot& slot : slots_) {
    if (offset < slot.offset) {
      return "guard, " + std::to_string(slot.offset - offset) + " bytes before " + slot.name;
    }
    if (offset < slot.offset + slot.bytes) {
      return "byte " + std::to_string(offset - slot.offset) + " of " + slot.name +
             " (an input element or a gap between columns)";
    }
    if (offset < slot.offset + slot.bytes + device_.inner_guard_bytes() / 2) {
      return "guard, " + std::to_string(offset - slot.offset - slot.bytes) + " bytes after " +
             slot.name;
    }
  }
  return "guard at the end";
}

testing::AssertionResult Arena::unchanged_elsewhere() {
  if (image_ == sent_) return testing::AssertionSuccess();
  size_t count = 0, first = 0;
  for (size_t i = image_.size(); i-- > 0;) {
    if (image_[i] == sent_[i]) continue;
    ++count;
    first = i;
  }
  char bytes[64];
  std::snprintf(bytes, sizeof bytes, "expected 0x%02X, found 0x%02X", sent_[first], image_[first]);
  return testing::AssertionFailure()
         << count << " bytes changed that no result may change; first: " << describe(first) << ", "
         << bytes;
}

}  // namespace myblas::test
