// SPDX-License-Identifier: BSD-3-Clause
#include "api/scratch.h"

#include <atomic>
#include <mutex>
#include <new>

#include "dispatch/cost.h"

namespace myblas {
namespace {

constexpr size_t kArrivalBytes = kScratchSlots * sizeof(uint32_t);

// Streams with a piece in one context. More are served by memory that comes with the launch.
constexpr int kMaxPieces = 8;

// Counters of captured launches are never given back: their graph may live as long as the process.
// Past the limit a capture gets a node that clears counters of its own.
constexpr size_t kCapturedChunkBytes = size_t{1} << 20;
constexpr int kMaxCapturedChunks = 64;

Scratch scratch_at(void* memory) {
  auto* bytes = static_cast<unsigned char*>(memory);
  return {reinterpret_cast<uint32_t*>(bytes), bytes + kArrivalBytes};
}

}  // namespace

// Kept until the process ends: handles point to it, and a context comes at most a few times.
class ScratchPool {
 public:
  uint64_t context_id = 0;
  void* context = nullptr;
  int sm_count = 0;
  ScratchPool* next = nullptr;

  struct Piece {
    void* stream;
    Scratch scratch;
  };
  Piece pieces[kMaxPieces] = {};
  std::atomic<int> piece_count{0};  // pieces below it are written once and stay

  // Counters for captured launches: the rest of the present chunk. Under g_mutex.
  uint32_t* captured = nullptr;
  size_t captured_left = 0;  // counters
  int captured_chunks = 0;
};

namespace {

constinit std::mutex g_mutex;
constinit ScratchPool* g_pools = nullptr;

const Scratch* find_piece(const ScratchPool& pool, void* stream) {
  const int count = pool.piece_count.load(std::memory_order_acquire);
  for (int i = 0; i < count; ++i) {
    if (pool.pieces[i].stream == stream) return &pool.pieces[i].scratch;
  }
  return nullptr;
}

// Zeroed counters for one launch, for good; null past the limit or out of memory.
uint32_t* captured_arrivals(ScratchPool* pool, int64_t slots) {
  const std::lock_guard<std::mutex> lock(g_mutex);
  const auto count = static_cast<size_t>(slots);
  if (count > pool->captured_left) {
    void* chunk = nullptr;
    if (pool->captured_chunks == kMaxCapturedChunks ||
        !gpu::allocate(pool->context, kCapturedChunkBytes, kCapturedChunkBytes, &chunk)) {
      return nullptr;
    }
    ++pool->captured_chunks;
    pool->captured = static_cast<uint32_t*>(chunk);
    pool->captured_left = kCapturedChunkBytes / sizeof(uint32_t);
  }
  uint32_t* arrivals = pool->captured;
  pool->captured += count;
  pool->captured_left -= count;
  return arrivals;
}

}  // namespace

ScratchPool* scratch_pool(const gpu::Binding& binding, int sm_count) {
  const std::lock_guard<std::mutex> lock(g_mutex);
  for (ScratchPool* pool = g_pools; pool != nullptr; pool = pool->next) {
    if (pool->context_id == binding.context_id) return pool;
  }
  auto* pool = new (std::nothrow) ScratchPool;
  if (pool == nullptr) return nullptr;
  pool->context_id = binding.context_id;
  pool->context = binding.context;
  pool->sm_count = sm_count;
  pool->next = g_pools;
  g_pools = pool;
  return pool;
}

const Scratch* scratch_of_stream(ScratchPool* pool, void* stream) {
  if (reinterpret_cast<uintptr_t>(stream) == kPerThreadStream) return nullptr;
  if (const Scratch* known = find_piece(*pool, stream)) return known;
  const std::lock_guard<std::mutex> lock(g_mutex);
  if (const Scratch* known = find_piece(*pool, stream)) return known;
  const int count = pool->piece_count.load(std::memory_order_relaxed);
  void* memory = nullptr;
  if (count == kMaxPieces ||
      !gpu::allocate(pool->context, kArrivalBytes + scratch_bytes(pool->sm_count), kArrivalBytes,
                     &memory)) {
    return nullptr;
  }
  pool->pieces[count] = {stream, scratch_at(memory)};
  pool->piece_count.store(count + 1, std::memory_order_release);
  return &pool->pieces[count].scratch;
}

Status LaunchScratch::bring_own(const ScratchNeed& need, Scratch* scratch) {
  const Status status =
      gpu::allocate_on(stream_.stream, stream_.context, kArrivalBytes + need.bytes, &own_);
  if (status != Status::kSuccess) return status;
  *scratch = scratch_at(own_);
  return gpu::zero_on(stream_.stream, stream_.context, own_,
                      static_cast<size_t>(need.slots) * sizeof(uint32_t));
}

Status LaunchScratch::open(const ScratchNeed& need, Scratch* scratch) {
  if (!gpu::is_capturing(stream_.stream)) {
    if (stream_.piece == nullptr) return bring_own(need, scratch);
    *scratch = *stream_.piece;
    return Status::kSuccess;
  }
  if (stream_.workspace == nullptr || stream_.workspace_bytes < need.bytes) {
    return bring_own(need, scratch);
  }
  *scratch = {captured_arrivals(stream_.pool, need.slots), stream_.workspace};
  return scratch->arrivals != nullptr ? Status::kSuccess : bring_own(need, scratch);
}

Status LaunchScratch::close() {
  if (own_ == nullptr) return Status::kSuccess;
  return gpu::free_on(stream_.stream, stream_.context, own_);
}

}  // namespace myblas
