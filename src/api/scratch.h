// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/scratch.h: the memory in which the parts of a divided sum meet.
//
// Work of one stream runs in order, so a stream needs one piece, whatever handles use it. Pieces
// are made when a handle meets a stream (creation, SetStream), never in a call, and are kept until
// the process ends (docs/adr/0004).
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>

#include "driver/gpu.h"
#include "kernels/common/gemm_args.h"

namespace myblas {

// The counters come first, then the slots.
struct Scratch {
  uint32_t* arrivals = nullptr;  // kScratchSlots, zero between calls
  void* partials = nullptr;      // scratch_bytes(sm_count)
};

// The pieces of one context.
class ScratchPool;
ScratchPool* scratch_pool(const gpu::Binding& binding, int sm_count);  // null: out of memory

// The piece of a stream, made if it is met for the first time. Null where there is none: more
// streams than pieces, a stream that is another in each thread (k stays whole there), no memory. A
// call then brings its own (LaunchScratch). Thread-safe; tens of nanoseconds for a known stream.
const Scratch* scratch_of_stream(ScratchPool* pool, void* stream);

// CU_STREAM_PER_THREAD: work on it is in no one order.
inline constexpr uintptr_t kPerThreadStream = 2;

// What one launch needs.
struct ScratchNeed {
  int64_t slots;  // and as many counters
  size_t bytes;   // of all slots
};

// Scratch for one launch on a stream: the stream's piece. In a graph capture, where the launch may
// be replayed beside anything: counters that no other launch has, and the user's workspace if it
// suffices, else memory of the graph.
class LaunchScratch {
 public:
  struct Stream {
    void* stream;
    void* context;
    ScratchPool* pool;
    const Scratch* piece;
    void* workspace;
    size_t workspace_bytes;
  };
  explicit LaunchScratch(const Stream& stream) : stream_(stream) {}
  Status open(const ScratchNeed& need, Scratch* scratch);
  Status close();  // behind the launch

 private:
  Status bring_own(const ScratchNeed& need, Scratch* scratch);

  Stream stream_;
  void* own_ = nullptr;
};

}  // namespace myblas
