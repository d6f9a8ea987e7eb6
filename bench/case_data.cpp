// SPDX-License-Identifier: BSD-3-Clause
#include "case_data.h"

#include <algorithm>

#include "check.h"

namespace bench {
namespace {

constexpr size_t kAlignment = 256;
constexpr size_t kMaxSets = 1024;
constexpr size_t kCachesToCover = 2;

size_t aligned(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

CaseData::CaseData(Machine& machine, const Case& one, uint64_t seed)
    : machine_(machine), case_(one), seed_(seed) {
  const auto place = [&](const Layout& layout, myblasDataType_t type) {
    const size_t bytes =
        aligned(static_cast<size_t>(layout.elements(one.batch)) * element_bytes(type));
    const Region r{set_bytes_, bytes, layout, type};
    set_bytes_ += bytes;
    return r;
  };
  a_ = place(layout_a(one), one.op.ab_type);
  b_ = place(layout_b(one), one.op.ab_type);
  c_ = place(layout_c(one), one.op.c_type);

  const size_t wanted = kCachesToCover * machine.cache_bytes() / set_bytes_ + 1;
  const size_t possible = machine.memory_bytes() / set_bytes_;
  if (possible == 0) {
    throw CaseTooLarge("needs " + std::to_string(set_bytes_ >> 20) + " MiB of memory");
  }
  sets_.resize(std::min({wanted, possible, kMaxSets}));
  memory_ = Buffer(machine, set_bytes_ * sets_.size());
  if (one.op.batching == Batching::kPointers) {
    pointers_ = Buffer(machine, 3 * sizeof(void*) * static_cast<size_t>(one.batch) * sets_.size());
  }
  for (size_t set = 0; set < sets_.size(); ++set) {
    fill_random(set, a_);
    fill_random(set, b_);
    fill_c(set);
    make_operands(set);
  }
}

char* CaseData::region(size_t set, const Region& r) const {
  return static_cast<char*>(memory_.get()) + set * set_bytes_ + r.at;
}

void* CaseData::first_matrix(size_t set, const Region& r) const {
  return region(set, r) + static_cast<size_t>(r.layout.offset) * element_bytes(r.type);
}

void CaseData::make_operands(size_t set) {
  if (case_.op.batching == Batching::kPointers) {
    sets_[set] = {pointer_array(set, 0, a_), pointer_array(set, 1, b_), pointer_array(set, 2, c_)};
  } else {
    sets_[set] = {first_matrix(set, a_), first_matrix(set, b_), first_matrix(set, c_)};
  }
}

void* CaseData::pointer_array(size_t set, int operand, const Region& r) {
  const auto batch = static_cast<size_t>(case_.batch);
  std::vector<void*> matrices;
  for (size_t i = 0; i < batch; ++i) {
    matrices.push_back(static_cast<char*>(first_matrix(set, r)) +
                       i * static_cast<size_t>(r.layout.stride) * element_bytes(r.type));
  }
  void** to =
      static_cast<void**>(pointers_.get()) + (3 * set + static_cast<size_t>(operand)) * batch;
  machine_.copy_in(to, matrices.data(), batch * sizeof(void*));
  return to;
}

void CaseData::fill_c(size_t set) {
  if (case_.beta == 0.0) {
    machine_.fill_byte(region(set, c_), poison_byte(c_.type), c_.bytes);
  } else {
    fill_random(set, c_);
  }
}

void CaseData::fill_random(size_t set, const Region& r) {
  const auto count = static_cast<int64_t>(r.bytes / element_bytes(r.type));
  const uint64_t operand = &r == &a_ ? 0 : &r == &b_ ? 1 : 2;
  machine_.fill_random(region(set, r), r.type, count, mix_bits(seed_) + 3 * set + operand);
}

CheckedProduct CaseData::checked(size_t set) const {
  const auto operand = [&](const Region& r, char trans) {
    return CheckedOperand{first_matrix(set, r), r.type, r.layout, trans};
  };
  return {operand(a_, case_.trans_a), operand(b_, case_.trans_b), operand(c_, 'N'), case_.k};
}

}  // namespace bench
