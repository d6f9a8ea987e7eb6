// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// host_costs.h: what the state calls and a small gemm cost on the host.
//==============================================================================
#pragma once

#include <string>

#include "gemm_library.h"
#include "machine.h"

namespace bench {

struct HostCosts {
  std::string library;
  double set_stream_ns = 0.0, set_math_mode_ns = 0.0, set_workspace_ns = 0.0;
  double gemm_us = 0.0;  // fp32, 64 x 64 x 64, asynchronous (on the host: the product itself)
};

HostCosts measure_host_costs(Machine& machine, GemmLibrary& library);

}  // namespace bench
