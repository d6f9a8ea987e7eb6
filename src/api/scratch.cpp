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

// The default stream of each thread, under one name: work on it is not in one order.
constexpr uintptr_t kPerThreadStream = 2;

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

}  // namespace

size_t scratch_piece_bytes(int sm_count) { return kArrivalBytes + scratch_bytes(sm_count); }

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
      !gpu::allocate(pool->context, scratch_piece_bytes(pool->sm_count), kArrivalBytes, &memory)) {
    return nullptr;
  }
  pool->pieces[count] = {stream, scratch_at(memory)};
  pool->piece_count.store(count + 1, std::memory_order_release);
  return &pool->pieces[count].scratch;
}

Status LaunchScratch::open(Scratch* scratch) {
  const bool captured = gpu::is_capturing(stream_.stream);
  if (stream_.piece != nullptr && !captured) {
    *scratch = *stream_.piece;
    return Status::kSuccess;
  }
  const size_t bytes = scratch_piece_bytes(stream_.sm_count);
  void* memory = stream_.workspace;
  if (memory == nullptr || stream_.workspace_bytes < bytes) {
    const Status status = gpu::allocate_on(stream_.stream, stream_.context, bytes, &own_);
    if (status != Status::kSuccess) return status;
    memory = own_;
  }
  *scratch = scratch_at(memory);
  return gpu::zero_on(stream_.stream, stream_.context, memory, kArrivalBytes);
}

Status LaunchScratch::close() {
  if (own_ == nullptr) return Status::kSuccess;
  return gpu::free_on(stream_.stream, stream_.context, own_);
}

}  // namespace myblas
