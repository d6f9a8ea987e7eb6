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

size_t scratch_piece_bytes(int sm_count);

// The pieces of one context.
class ScratchPool;
ScratchPool* scratch_pool(const gpu::Binding& binding, int sm_count);  // null: out of memory

// The piece of a stream, made if it is met for the first time. Null where there is none: more
// streams than pieces, a stream that is another in each thread, no memory. A call then brings its
// own (divided_scratch). Thread-safe; tens of nanoseconds for a known stream.
const Scratch* scratch_of_stream(ScratchPool* pool, void* stream);

// Scratch for one launch on a stream: its piece; in a graph capture, where the launch may be
// replayed on any stream, the user's workspace if it suffices, else memory of the graph.
class LaunchScratch {
 public:
  struct Stream {
    void* stream;
    void* context;
    int sm_count;
    const Scratch* piece;
    void* workspace;
    size_t workspace_bytes;
  };
  explicit LaunchScratch(const Stream& stream) : stream_(stream) {}
  Status open(Scratch* scratch);
  Status close();  // behind the launch

 private:
  Stream stream_;
  void* own_ = nullptr;
};

}  // namespace myblas
