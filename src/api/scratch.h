// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/scratch.h: the memory in which the parts of a divided sum meet, or wait for the pass that
// adds them up, and that into which operands are repacked.
//
// Work of one stream runs in order, so a stream needs one piece, whatever handles use it. A stream
// is its address and its id: the next one at the address of one destroyed is another. Pieces are
// made when a handle meets a stream (creation, SetStream), and are kept until the process ends;
// their memory for packed operands grows in the call that needs more (docs/adr/0004, 0009).
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "driver/gpu.h"
#include "kernels/common/gemm_args.h"

namespace myblas {

// The counters come first, then the slots.
struct Scratch {
  uint32_t* arrivals = nullptr;  // kScratchSlots, zero between calls
  void* partials = nullptr;      // scratch_bytes(sm_count)
  void* packed = nullptr;        // what the launch asked for
};

// The pieces of one context.
class ScratchPool;
ScratchPool* scratch_pool(const gpu::Binding& binding, int sm_count);  // null: out of memory

// The piece of a stream, made if it is met for the first time. Null where there is none: more
// streams than pieces, a stream that is another in each thread (k stays whole there) or is being
// captured, no memory. A call then brings its own (LaunchScratch). Thread-safe; tens of nanoseconds
// for a known stream.
class ScratchPiece;
ScratchPiece* scratch_of_stream(ScratchPool* pool, void* stream);

// CU_STREAM_LEGACY is 1, CU_STREAM_PER_THREAD 2: work on it is in no one order.
inline constexpr uintptr_t kPerThreadStream = 2;
inline bool is_default_stream(const void* stream) {
  return reinterpret_cast<uintptr_t>(stream) <= kPerThreadStream;
}

// What one call needs.
struct ScratchNeed {
  int64_t slots = 0;        // and as many counters; 0: no sums meet in the launch
  size_t bytes = 0;         // of all slots, or of the sums that a pass adds up
  size_t packed_bytes = 0;  // of repacked operands
  bool any() const { return bytes > 0 || packed_bytes > 0; }
};

// A stream and the memory that a handle has for it.
struct ScratchStream {
  void* stream;
  void* context;
  ScratchPool* pool;
  ScratchPiece* piece;
  bool has_workspace;  // the user has set one, of 0 bytes too
  void* workspace;
  size_t workspace_bytes;
};

// Whether launches on the stream may begin while those ahead of them in it still end: on streams
// with a piece, until one of their context is met that lies where another was, and in captures.
// Streams that are destroyed while such launches are in flight may hang the device
// (docs/adr/0049).
bool may_start_early(const ScratchStream& stream);

// Bytes for sums that a call on the stream has without allocating.
size_t sum_bytes_at_hand(const ScratchStream& stream);

// Scratch for the launches of one call on a stream: the stream's piece, which belongs to this call
// until it has launched all: another thread's launches on the stream come before or behind. In a
// graph capture, where the launch may be replayed beside anything: counters that only
// launches of the same stream and workspace in that capture have, and the user's workspace, or
// memory of the graph if there is none.
class LaunchScratch {
 public:
  explicit LaunchScratch(const ScratchStream& stream) : stream_(stream) {}
  // kAllocFailed: there is not as much memory, and nothing was enqueued.
  Status open(const ScratchNeed& need, Scratch* scratch);
  Status close();  // behind the launches

 private:
  Status bring_own(const ScratchNeed& need, Scratch* scratch);
  Status take_workspace(const ScratchNeed& need, Scratch* scratch);
  Status take_piece(const ScratchNeed& need, Scratch* scratch);

  ScratchStream stream_;
  void* own_ = nullptr;
  std::unique_lock<std::mutex> launching_;
};

}  // namespace myblas
