// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// support/captured_graph.h: what was captured on a stream, ready to be replayed.
//==============================================================================
#pragma once

#include <vector>

#include "support/cuda_driver.h"

namespace myblas::test {

// A graph and its executable form.
class CapturedGraph {
 public:
  // Takes over what was captured on `stream`.
  explicit CapturedGraph(myblasStream_t stream) {
    MYBLAS_TEST_CUDA(cuStreamEndCapture, stream, &graph_);
    MYBLAS_TEST_CUDA(cuGraphInstantiateWithFlags, &executable_, graph_, 0);
  }
  CapturedGraph(const CapturedGraph&) = delete;
  CapturedGraph& operator=(const CapturedGraph&) = delete;
  ~CapturedGraph() {
    if (executable_ != nullptr) cuda_driver()->cuGraphExecDestroy(executable_);
    if (graph_ != nullptr) cuda_driver()->cuGraphDestroy(graph_);
  }
  void replay(myblasStream_t stream) const { MYBLAS_TEST_CUDA(cuGraphLaunch, executable_, stream); }
  std::vector<int> node_types() const {
    size_t count = 0;
    MYBLAS_TEST_CUDA(cuGraphGetNodes, graph_, nullptr, &count);
    std::vector<CuGraphNode> nodes(count);
    if (count != 0) MYBLAS_TEST_CUDA(cuGraphGetNodes, graph_, nodes.data(), &count);
    std::vector<int> types;
    for (const CuGraphNode node : nodes) {
      types.push_back(-1);
      MYBLAS_TEST_CUDA(cuGraphNodeGetType, node, &types.back());
    }
    return types;
  }

 private:
  CuGraph graph_ = nullptr;
  CuGraphExec executable_ = nullptr;
};

}  // namespace myblas::test
