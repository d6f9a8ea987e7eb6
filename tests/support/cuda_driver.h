// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// support/cuda_driver.h: the driver calls that the tests use, from libcuda.so.1.
//
// Own declarations of the documented C interface: the tests build without any
// CUDA header and start without any CUDA library.
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "myblas.h"

namespace myblas::test {

using CuResult = int;  // 0 is success
using CuDevice = int;
using CuAddress = unsigned long long;
using CuContext = struct CUctx_st*;
using CuGraph = struct CUgraph_st*;
using CuGraphNode = struct CUgraphNode_st*;
using CuGraphExec = struct CUgraphExec_st*;

enum CuStreamFlags : unsigned { kStreamBlocking = 0, kStreamNonBlocking = 1 };
enum CuCaptureMode { kCaptureGlobal = 0, kCaptureThreadLocal = 1, kCaptureRelaxed = 2 };
enum CuGraphNodeType { kNodeMemAlloc = 10, kNodeMemFree = 11 };

// One member per driver function, named as the library exports it without the suffix _v2.
struct CudaDriver {
  CuResult (*cuInit)(unsigned flags);
  CuResult (*cuGetErrorName)(CuResult error, const char** name);
  CuResult (*cuDeviceGetCount)(int* count);
  CuResult (*cuDeviceGet)(CuDevice* device, int ordinal);
  CuResult (*cuDevicePrimaryCtxRetain)(CuContext* context, CuDevice device);
  CuResult (*cuCtxSetCurrent)(CuContext context);
  CuResult (*cuCtxSynchronize)();
  CuResult (*cuMemAlloc)(CuAddress* address, size_t bytes);
  CuResult (*cuMemFree)(CuAddress address);
  CuResult (*cuMemGetInfo)(size_t* available, size_t* total);
  CuResult (*cuMemcpyHtoD)(CuAddress to, const void* from, size_t bytes);
  CuResult (*cuMemcpyDtoH)(void* to, CuAddress from, size_t bytes);
  CuResult (*cuMemsetD8)(CuAddress to, unsigned char value, size_t count);
  CuResult (*cuMemsetD16)(CuAddress to, unsigned short value, size_t count);
  CuResult (*cuMemsetD32)(CuAddress to, unsigned value, size_t count);
  CuResult (*cuStreamCreate)(myblasStream_t* stream, unsigned flags);
  CuResult (*cuStreamDestroy)(myblasStream_t stream);
  CuResult (*cuStreamSynchronize)(myblasStream_t stream);
  CuResult (*cuStreamBeginCapture)(myblasStream_t stream, CuCaptureMode mode);
  CuResult (*cuStreamEndCapture)(myblasStream_t stream, CuGraph* graph);
  CuResult (*cuGraphGetNodes)(CuGraph graph, CuGraphNode* nodes, size_t* count);
  CuResult (*cuGraphNodeGetType)(CuGraphNode node, int* type);
  CuResult (*cuGraphInstantiateWithFlags)(CuGraphExec* executable, CuGraph graph,
                                          unsigned long long flags);
  CuResult (*cuGraphLaunch)(CuGraphExec executable, myblasStream_t stream);
  CuResult (*cuGraphExecDestroy)(CuGraphExec executable);
  CuResult (*cuGraphDestroy)(CuGraph graph);
};

// The driver, opened once and initialised. nullptr where it cannot be; `why` then says so.
const CudaDriver* cuda_driver(std::string* why = nullptr);

// Throws std::runtime_error naming `call` unless `result` is success.
void check_cuda(CuResult result, const char* call);

}  // namespace myblas::test

#define MYBLAS_TEST_CUDA(function, ...)                                            \
  ::myblas::test::check_cuda(::myblas::test::cuda_driver()->function(__VA_ARGS__), \
                             #function "(" #__VA_ARGS__ ")")
