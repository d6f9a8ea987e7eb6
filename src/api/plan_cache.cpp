// SPDX-License-Identifier: BSD-3-Clause
#include "api/plan_cache.h"

#include <cstring>

#include "kernels/common/launch_tma.h"
#include "kernels/common/thread_table.h"

namespace myblas {
namespace {

// What select() depends on, packed into words without padding so that comparing and hashing are
// plain memory operations.
struct Key {
  uint64_t choices;
  int64_t m, n, k, batch_count;
  int64_t lda, ldb, ldc;
  uint64_t packed;  // see make_key
  int64_t sm_count_target;
};
static_assert(sizeof(Key) == 10 * sizeof(uint64_t), "no padding: the key is compared as bytes");

struct Entry {
  Key key;
  Plan plan;
};

// Shapes of the same hash, and the one that the next of them takes the place of. A choice takes up
// to some hundred microseconds, so all layers of a model are to fit: 1024 shapes, 117 KB a thread.
struct Bucket {
  static constexpr unsigned kWays = 4;
  Entry ways[kWays];
  unsigned next;

  // Handle ids begin at 1: zeros match nothing.
  const Plan* find(const Key& key) const {
    for (const Entry& entry : ways) {
      if (std::memcmp(&entry.key, &key, sizeof key) == 0) return &entry.plan;
    }
    return nullptr;
  }
  void keep(const Key& key, const Plan& plan) { ways[next++ % kWays] = {key, plan}; }
};
constexpr size_t kBuckets = 256;
using Buckets = ThreadTable<Bucket, kBuckets>;

constinit thread_local GemmProblem t_last_problem{};

uint64_t log2_of(int power_of_two) {
  return static_cast<uint64_t>(__builtin_ctz(static_cast<unsigned>(power_of_two)));
}

// Whether the matrices of a batch follow each other by whole lines of 128 bytes, or at least by
// whole sectors of 32: what a product costs depends on it, also where base and ld are aligned less.
uint64_t lines_of_stride(const Matrix& matrix, const GemmProblem& p) {
  constexpr int64_t kLineBytes = 128, kSectorBytes = 32;
  if (p.batch_count == 1 || p.batch_kind == BatchKind::kPointers) return 0;
  const int64_t bytes = matrix.stride * static_cast<int64_t>(element_bytes(p.ab_type));
  return bytes % kLineBytes == 0 ? 0 : (bytes % kSectorBytes == 0 ? 1 : 2);
}

Key make_key(const myblasContext& handle, const GemmProblem& p, bool passes) {
  Key key;
  key.choices = handle.choices;
  key.m = p.m;
  key.n = p.n;
  key.k = p.k;
  key.batch_count = p.batch_count;
  key.lda = p.a.ld;
  key.ldb = p.b.ld;
  key.ldc = p.c.ld;
  uint64_t packed = 0;
  const auto append = [&packed](uint64_t value, int bits) { packed = packed << bits | value; };
  append(static_cast<uint64_t>(p.ab_type), 4);
  append(static_cast<uint64_t>(p.c_type), 4);
  append(static_cast<uint64_t>(p.compute), 2);
  append(static_cast<uint64_t>(p.op_a), 2);
  append(static_cast<uint64_t>(p.op_b), 2);
  append(static_cast<uint64_t>(p.batch_kind), 1);
  append(p.fast_math, 5);
  append(p.pedantic, 1);
  append(p.full_precision_reduction, 1);
  append(is_host_zero(p.beta), 1);
  append(log2_of(alignment_bytes(p.a, p.ab_type, p)), 4);
  append(log2_of(alignment_bytes(p.b, p.ab_type, p)), 4);
  append(log2_of(alignment_bytes(p.c, p.c_type, p)), 4);
  append(goes_down(p.a, p), 1);
  append(goes_down(p.b, p), 1);
  append(goes_down(p.c, p), 1);
  append(p.batch_count > 1 && p.a.stride == 0, 1);
  append(p.batch_count > 1 && p.b.stride == 0, 1);
  append(lines_of_stride(p.a, p), 2);
  append(lines_of_stride(p.b, p), 2);
  append(is_stored_by_tma(p), 1);  // of one column it is not what C's alignment says
  append(p.epilogue.any(), 1);
  append(passes, 1);
  key.packed = packed;
  key.sm_count_target = handle.sm_count_target.load(std::memory_order_relaxed);
  return key;
}

size_t bucket_of(const Key& key) {
  uint64_t words[sizeof(Key) / sizeof(uint64_t)];
  std::memcpy(words, &key, sizeof key);
  uint64_t hash = 0;
  for (const uint64_t word : words) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash % kBuckets;
}

DeviceCaps caps_of(const myblasContext& handle, int sm_count_target, bool passes) {
  DeviceCaps caps = handle.caps;
  if (sm_count_target > 0) caps.sm_count = sm_count_target;
  if (!passes) caps.can_pack = caps.can_sum = caps.can_deal = caps.can_meet = false;
  return caps;
}

}  // namespace

Plan cached_select(const myblasContext& handle, const GemmProblem& problem, const void* stream) {
  const bool passes = reinterpret_cast<uintptr_t>(stream) != kPerThreadStream;
  const Key key = make_key(handle, problem, passes);
  Bucket* const buckets = Buckets::entries();
  Bucket* const bucket = buckets != nullptr ? &buckets[bucket_of(key)] : nullptr;
  const Plan* const known = bucket != nullptr ? bucket->find(key) : nullptr;
  if (known != nullptr) return *known;
  // By the key, not by the handle, which another thread may have changed since.
  const DeviceCaps caps = caps_of(handle, static_cast<int>(key.sm_count_target), passes);
  if (handle.policy.explain) explain(stderr, problem, caps, handle.policy);
  const Plan plan = select(problem, caps, handle.policy);
  if (bucket != nullptr) bucket->keep(key, plan);
  t_last_problem = problem;
  return plan;
}

Plan select_in_place(const myblasContext& handle, const GemmProblem& problem, size_t sum_bytes) {
  const int target = handle.sm_count_target.load(std::memory_order_relaxed);
  DeviceCaps caps = caps_of(handle, target, true);
  caps.can_pack = false;
  caps.sum_bytes = sum_bytes;
  return select(problem, caps, handle.policy);
}

const GemmProblem& last_problem() { return t_last_problem; }

}  // namespace myblas
