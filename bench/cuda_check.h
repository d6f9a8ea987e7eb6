// SPDX-License-Identifier: BSD-3-Clause
// cuda_check.h: CUDA runtime errors as exceptions.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace bench {

inline void cuda_check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorName(error) + ", " +
                           cudaGetErrorString(error));
}

}  // namespace bench
