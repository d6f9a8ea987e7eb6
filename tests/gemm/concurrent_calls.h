// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/concurrent_calls.h: calls at the same time that need scratch memory of the stream, of the
// call or of a graph: no two may meet in one piece of it.
//==============================================================================
#pragma once

#include <span>
#include <string>

#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {

class ConcurrentCallsTest : public GpuGemmTest {
 protected:
  static constexpr uintptr_t kPerThreadStream = 2;  // cudaStreamPerThread
  static myblasStream_t per_thread_stream() {
    return reinterpret_cast<myblasStream_t>(kPerThreadStream);
  }

  // A product that is larger than a tile, scaled and added to C.
  static GemmCase scaled_case(const char* combo, int64_t m, int64_t n, int64_t k, uint64_t seed);

  // `rounds` times all of them at once through one handle, each on a stream of its own.
  static void run_on_streams(myblasHandle_t handle, std::span<const GemmCase> cases, int rounds);

  // Each in a thread and through a handle of its own, all on `stream`, `runs` times without a wait.
  // beta is taken as 0: the last of many runs is as good as the first.
  struct ThreadOfCalls {
    myblasHandle_t handle;
    GemmCase gemm;
  };
  static void run_in_threads(std::span<const ThreadOfCalls> threads, myblasStream_t stream,
                             int runs);

  // Graphs of one capture stream, replayed beside each other and beside plain calls: first with
  // memory of the graph, then with a workspace of the user's for each, which leaves so many nodes.
  struct Captured {
    std::string kernel;  // that serves the calls
    size_t least_nodes, most_nodes;
    size_t workspace_bytes;
  };
  static void replay_graphs(myblasHandle_t handle, std::span<const GemmCase> cases,
                            const GemmCase& plain, const Captured& expected);
};

}  // namespace myblas::test
