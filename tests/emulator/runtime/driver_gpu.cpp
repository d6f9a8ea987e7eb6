// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/driver_gpu.cpp: driver/gpu.h on the emulated GPU.
//
// A program that links this and myblas_core gets no other: the archive's own is never pulled in.
//==============================================================================
#include <cstdio>
#include <cstring>

#include "driver/gpu.h"
#include "runtime/emulator.h"
#include "runtime/tensor_map.h"

namespace {
int g_cc = 90, g_sm_count = 2;
uint64_t g_context_id = 1;
bool g_memory_refused = false, g_capturing = false;
uint64_t g_capture = 0;  // captures so far
uint64_t g_streams = 0;  // times that all streams were made anew
}  // namespace

namespace emulator {
void pretend_to_be(int cc, int sm_count) {
  g_cc = cc;
  g_sm_count = sm_count;
  ++g_context_id;
}
void refuse_memory(bool refused) { g_memory_refused = refused; }
void pretend_to_capture(bool capturing) {
  g_capturing = capturing;
  if (capturing) ++g_capture;
}
void make_streams_anew() { ++g_streams; }
}  // namespace emulator

namespace myblas::gpu {

bool available() { return true; }
const char* unavailable_reason() { return ""; }
int device_count() { return 1; }

// The library keeps the kernels it loaded by context: another GPU is another context.
Binding bind_current() { return {&g_cc, g_context_id, 0}; }

bool query_device(int, DeviceFacts* facts) {
  *facts = DeviceFacts{};
  std::snprintf(facts->name, sizeof facts->name, "an emulated GPU");
  facts->cc = g_cc;
  facts->sm_count = g_sm_count;
  facts->clock_khz = 1'000'000;
  facts->memory_clock_khz = 1'000'000;
  facts->memory_bus_bits = 256;
  facts->l2_bytes = 1 << 20;
  facts->smem_per_block_optin = 227 * 1024;
  facts->memory_bytes = size_t{1} << 30;
  return true;
}

// A build of some families alone (MYBLAS_EMULATOR_FAMILIES) serves their rows; the others' fail
// when they are launched.
Loading load_kernel(const char* name, int, size_t, void** kernel) {
  void* const found = emulator::find_kernel(name);
  *kernel = found != nullptr ? found : &g_cc;
  return Loading::kReady;
}

bool can_start_early(int, std::span<void* const>) { return true; }

Status launch(void* kernel, const LaunchShape& shape, void*, void*, const void* args) {
  if (kernel == &g_cc) {
    emulator::report(emulator::kNoModule);
    return Status::kExecutionFailed;
  }
  const bool good = emulator::launch(kernel,
                                     {shape.grid_x, shape.grid_y, shape.threads, shape.smem_bytes,
                                      shape.cluster_x, shape.early_start},
                                     args);
  return good ? Status::kSuccess : Status::kExecutionFailed;
}

// What nobody zeroed is poison.
bool allocate(void*, size_t bytes, size_t zero_bytes, void** memory) {
  if (g_memory_refused) return false;
  *memory = emulator::allocate(bytes);
  std::memset(*memory, 0xff, bytes);
  std::memset(*memory, 0, zero_bytes);
  return true;
}
Status allocate_on(void*, void* context, size_t bytes, void** memory) {
  return allocate(context, bytes, 0, memory) ? Status::kSuccess : Status::kAllocFailed;
}
Status zero_on(void*, void*, void* memory, size_t bytes) {
  std::memset(memory, 0, bytes);
  return Status::kSuccess;
}
Status free_on(void*, void*, void* memory) {
  emulator::release(memory);
  return Status::kSuccess;
}
bool is_capturing(void*) { return g_capturing; }
uint64_t capture_id(void*) { return g_capturing ? g_capture : 0; }
uint64_t stream_id(void* stream) { return reinterpret_cast<uint64_t>(stream) + g_streams; }

bool encode_tensor_map(const TensorMapShape& shape, TensorMap* map) {
  const char* const why = emulator::encode_tensor_map(shape, map);
  if (why != nullptr) emulator::report(why);
  return why == nullptr;
}

Status synchronize(void*) { return Status::kSuccess; }

}  // namespace myblas::gpu
