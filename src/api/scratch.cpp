// SPDX-License-Identifier: BSD-3-Clause
#include "api/scratch.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <new>
#include <optional>

#include "dispatch/cost.h"

namespace myblas {
namespace {

constexpr size_t kArrivalBytes = kScratchSlots * sizeof(uint32_t);

// Streams with a piece in one context, over its life. More are served by memory that comes with the
// launch.
constexpr int kMaxPieces = 8;

// Counters of captured launches are never given back: their graph may live as long as the process.
// Past the limit each launch gets a node that clears counters of its own.
constexpr size_t kCapturedChunkBytes = size_t{1} << 20;
constexpr int kMaxCapturedChunks = 64;
constexpr size_t kCapturedStep = 32;  // counters, a cache line
constexpr int kRecentCaptures = 32;   // whose counters further launches find

// Memory for packed operands grows in powers of two, and then in steps.
constexpr size_t kLeastPackedBytes = size_t{1} << 20;
constexpr size_t kPackedStepBytes = size_t{64} << 20;
size_t grown(size_t bytes) {
  if (bytes < kPackedStepBytes) return std::bit_ceil(std::max(bytes, kLeastPackedBytes));
  return (bytes + kPackedStepBytes - 1) / kPackedStepBytes * kPackedStepBytes;
}

constexpr size_t kAlignment = 256;  // of slots, and of packed operands behind them
size_t aligned(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

Scratch scratch_at(void* memory) {
  auto* bytes = static_cast<unsigned char*>(memory);
  return {reinterpret_cast<uint32_t*>(bytes), bytes + kArrivalBytes};
}

}  // namespace

// A stream may be destroyed while its work goes on, and the next one made has its address: that one
// must not meet that work in its piece. NOTE: asked for in SetStream even of the present address.
struct StreamName {
  void* stream = nullptr;
  uint64_t id = 0;  // of default streams 0
  bool operator==(const StreamName&) const = default;
};
StreamName name_of(void* stream) {
  return {stream, is_default_stream(stream) ? 0 : gpu::stream_id(stream)};
}

class ScratchPiece {
 public:
  StreamName stream;
  Scratch scratch;  // but for `packed`: fixed once the piece is found
  // Held by a call from before its first launch to behind its last.
  std::mutex launching;
  void* packed = nullptr;  // under the mutex, as its size
  size_t packed_bytes = 0;
};

// Counters that launches of one capture share which are of one stream, and so in order, and which
// share a workspace.
struct CapturedCounters {
  uint64_t capture = 0;  // 0: none
  void* stream = nullptr;
  void* workspace = nullptr;
  uint32_t* arrivals = nullptr;
  size_t count = 0;
};

// Kept until the process ends: handles point to it, and a context comes at most a few times.
class ScratchPool {
 public:
  uint64_t context_id = 0;
  void* context = nullptr;
  int sm_count = 0;
  ScratchPool* next = nullptr;

  ScratchPiece pieces[kMaxPieces];
  std::atomic<int> piece_count{0};       // pieces below it are written once and stay
  std::atomic<bool> streams_end{false};  // for good: this program destroys streams

  // The stream for whose piece there was no memory when it was last asked for. Under g_mutex.
  std::optional<StreamName> refused;

  // Counters for captured launches: the rest of the present chunk. Under g_mutex.
  uint32_t* captured = nullptr;
  size_t captured_left = 0;  // counters
  int captured_chunks = 0;
  CapturedCounters recent[kRecentCaptures];
  int oldest_capture = 0;  // of the recent ones
};

namespace {

constinit std::mutex g_mutex;
constinit ScratchPool* g_pools = nullptr;

ScratchPiece* find_piece(ScratchPool* pool, const StreamName& stream) {
  const int count = pool->piece_count.load(std::memory_order_acquire);
  for (int i = 0; i < count; ++i) {
    if (pool->pieces[i].stream == stream) return &pool->pieces[i];
  }
  return nullptr;
}

bool lies_where_another_was(const ScratchPool& pool, const StreamName& stream) {
  const int count = pool.piece_count.load(std::memory_order_acquire);
  return std::any_of(pool.pieces, pool.pieces + count, [&](const ScratchPiece& piece) {
    return piece.stream.stream == stream.stream && piece.stream.id != stream.id;
  });
}

// NOTE: another thread's SetStream may have come between the stream and its piece.
bool has_piece(const ScratchStream& stream) {
  return stream.piece != nullptr && stream.piece->stream.stream == stream.stream;
}

// Zeroed counters, for good; null past the limit or out of memory. Under g_mutex.
uint32_t* new_captured_arrivals(ScratchPool* pool, size_t count) {
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

CapturedCounters* find_captured(ScratchPool* pool, uint64_t capture, const ScratchStream& stream) {
  for (CapturedCounters& known : pool->recent) {
    if (known.capture == capture && known.stream == stream.stream &&
        known.workspace == stream.workspace) {
      return &known;
    }
  }
  return nullptr;
}

// Zeroed counters for a launch that is captured; null past the limit or out of memory. Of a capture
// that asks for more than it has, twice as many.
uint32_t* captured_arrivals(const ScratchStream& stream, int64_t slots) {
  ScratchPool* const pool = stream.pool;
  const size_t count =
      (static_cast<size_t>(slots) + kCapturedStep - 1) / kCapturedStep * kCapturedStep;
  const uint64_t capture = gpu::capture_id(stream.stream);
  const std::lock_guard<std::mutex> lock(g_mutex);
  if (capture == 0) return new_captured_arrivals(pool, count);
  CapturedCounters* known = find_captured(pool, capture, stream);
  if (known != nullptr && known->count >= count) return known->arrivals;
  const size_t wanted = known == nullptr ? count : std::bit_ceil(count);
  uint32_t* const arrivals = new_captured_arrivals(pool, wanted);
  if (arrivals == nullptr) return nullptr;
  if (known == nullptr) {
    known = &pool->recent[pool->oldest_capture];
    pool->oldest_capture = (pool->oldest_capture + 1) % kRecentCaptures;
  }
  *known = {capture, stream.stream, stream.workspace, arrivals, wanted};
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

ScratchPiece* scratch_of_stream(ScratchPool* pool, void* stream) {
  if (reinterpret_cast<uintptr_t>(stream) == kPerThreadStream) return nullptr;
  // NOTE: asked for its id while it is captured, a stream would lose the capture. Captured calls
  // have no use for a piece (LaunchScratch::open).
  if (!is_default_stream(stream) && gpu::is_capturing(stream)) return nullptr;
  const StreamName name = name_of(stream);
  if (name.id == 0 && !is_default_stream(stream)) return nullptr;
  if (ScratchPiece* known = find_piece(pool, name)) return known;
  if (lies_where_another_was(*pool, name)) pool->streams_end.store(true, std::memory_order_relaxed);
  if (pool->piece_count.load(std::memory_order_relaxed) == kMaxPieces) return nullptr;
  const std::lock_guard<std::mutex> lock(g_mutex);
  if (ScratchPiece* known = find_piece(pool, name)) return known;
  const int count = pool->piece_count.load(std::memory_order_relaxed);
  if (count == kMaxPieces || (count > 0 && name == pool->refused)) return nullptr;
  void* memory = nullptr;
  if (!gpu::allocate(pool->context, kArrivalBytes + scratch_bytes(pool->sm_count), kArrivalBytes,
                     &memory)) {
    pool->refused = name;
    return nullptr;
  }
  pool->refused.reset();
  ScratchPiece* piece = &pool->pieces[count];
  piece->stream = name;
  piece->scratch = scratch_at(memory);
  pool->piece_count.store(count + 1, std::memory_order_release);
  return piece;
}

bool may_start_early(const ScratchStream& stream) {
  const bool stays = has_piece(stream) && !stream.pool->streams_end.load(std::memory_order_relaxed);
  return stays || gpu::is_capturing(stream.stream);
}

size_t sum_bytes_at_hand(const ScratchStream& stream) {
  if (gpu::is_capturing(stream.stream)) {
    return stream.has_workspace ? stream.workspace_bytes / kAlignment * kAlignment : 0;
  }
  return has_piece(stream) ? scratch_bytes(stream.pool->sm_count) : 0;
}

Status LaunchScratch::bring_own(const ScratchNeed& need, Scratch* scratch) {
  const size_t divided = need.bytes > 0 ? kArrivalBytes + aligned(need.bytes) : 0;
  const Status status =
      gpu::allocate_on(stream_.stream, stream_.context, divided + need.packed_bytes, &own_);
  if (status != Status::kSuccess) return status;
  *scratch = scratch_at(own_);
  scratch->packed = static_cast<unsigned char*>(own_) + divided;
  if (need.slots == 0) return Status::kSuccess;
  return gpu::zero_on(stream_.stream, stream_.context, own_,
                      static_cast<size_t>(need.slots) * sizeof(uint32_t));
}

// What a piece has too little of goes in the order of the stream: launches ahead may still use it.
Status LaunchScratch::take_piece(const ScratchNeed& need, Scratch* scratch) {
  ScratchPiece& piece = *stream_.piece;
  *scratch = piece.scratch;
  launching_ = std::unique_lock<std::mutex>(piece.launching);
  if (need.packed_bytes == 0) return Status::kSuccess;
  if (piece.packed_bytes < need.packed_bytes) {
    void* const outgrown = piece.packed;
    piece.packed = nullptr;
    piece.packed_bytes = 0;
    if (outgrown != nullptr) {
      const Status freed = gpu::free_on(stream_.stream, stream_.context, outgrown);
      if (freed != Status::kSuccess) return freed;
    }
    const size_t bytes = grown(need.packed_bytes);
    const Status status = gpu::allocate_on(stream_.stream, stream_.context, bytes, &piece.packed);
    if (status != Status::kSuccess) return status;
    piece.packed_bytes = bytes;
  }
  scratch->packed = piece.packed;
  return Status::kSuccess;
}

// Who sets a workspace, if to none, may want a graph without memory nodes, which no child graph may
// have: what the workspace does not hold is not there.
Status LaunchScratch::take_workspace(const ScratchNeed& need, Scratch* scratch) {
  auto* const workspace = static_cast<unsigned char*>(stream_.workspace);
  const size_t divided = aligned(need.bytes);
  const size_t taken = divided + aligned(need.packed_bytes);
  if (stream_.workspace_bytes < taken) return Status::kAllocFailed;
  *scratch = {nullptr, workspace, workspace + divided};
  if (need.slots == 0) return Status::kSuccess;
  scratch->arrivals = captured_arrivals(stream_, need.slots);
  if (scratch->arrivals != nullptr) return Status::kSuccess;
  const size_t counter_bytes = static_cast<size_t>(need.slots) * sizeof(uint32_t);
  if (stream_.workspace_bytes - taken < counter_bytes) return Status::kAllocFailed;
  scratch->arrivals = reinterpret_cast<uint32_t*>(workspace + taken);
  return gpu::zero_on(stream_.stream, stream_.context, scratch->arrivals, counter_bytes);
}

Status LaunchScratch::open(const ScratchNeed& need, Scratch* scratch) {
  if (gpu::is_capturing(stream_.stream)) {
    return stream_.has_workspace ? take_workspace(need, scratch) : bring_own(need, scratch);
  }
  return has_piece(stream_) ? take_piece(need, scratch) : bring_own(need, scratch);
}

Status LaunchScratch::close() {
  if (launching_.owns_lock()) launching_.unlock();
  if (own_ == nullptr) return Status::kSuccess;
  return gpu::free_on(stream_.stream, stream_.context, own_);
}

}  // namespace myblas
