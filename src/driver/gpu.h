// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// driver/gpu.h: everything the library asks of the CUDA driver.
//
// libcuda.so.1 is opened with dlopen at the first call: the library loads on a
// machine without a GPU, and nothing happens before a handle is made. No CUDA
// header is needed to use this one; gpu_none.cpp stands in for builds without
// CUDA and answers that there is no GPU.
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/common/gemm_problem.h"
#include "kernels/common/tensor_map.h"

namespace myblas::gpu {

// True where the driver opened and at least one device of compute capability 7.5 or newer is
// there. Otherwise the reason says what is missing. Thread-safe.
bool available();
const char* unavailable_reason();

// The context that is current on this thread, or, where there is none, the primary context of
// device 0, made current (what the CUDA runtime would do). Null on failure.
struct Binding {
  void* context = nullptr;  // CUcontext
  uint64_t context_id = 0;  // never reused, unlike the address
  int device = -1;
};
Binding bind_current();

// Raw facts of a device; dispatch/device_caps.cpp turns them into DeviceCaps.
struct DeviceFacts {
  char name[128];
  int cc;  // 10 * major + minor
  int sm_count;
  int clock_khz;
  int memory_clock_khz;
  int memory_bus_bits;
  int l2_bytes;
  int smem_per_block_optin;
  size_t memory_bytes;
};
bool query_device(int device, DeviceFacts* facts);
int device_count();

// Whether a kernel can be launched; kNoCode: this build has none of it for the device, or the
// device refuses.
enum class Loading : uint8_t { kReady, kNoCode, kNoMemory };

// Loads the kernel into the current context and opts into its dynamic shared memory, so that no
// launch has to (a launch may be captured into a graph).
Loading prepare_kernel(void* kernel, int device, size_t smem_bytes);
// The same of the compiled kernel of that name, which is good for every context.
Loading load_kernel(const char* name, int device, size_t smem_bytes, void** kernel);

struct LaunchShape {
  unsigned grid_x, grid_y, threads, smem_bytes;
  unsigned cluster_x = 1;    // blocks of a cluster; divides grid_x
  bool early_start = false;  // while what is ahead in the stream still ends (docs/adr/0049)
};

// The first compute capability that lets a grid start before the one ahead of it has ended
// (ptx/grid_dependency.h).
inline constexpr int kFirstEarlyStart = 90;

// Whether these kernels (null ones are passed over), prepared for the device, may be launched with
// early_start. They then wait for the grids ahead of them themselves, by
// ptx::wait_for_previous_grid, before they touch memory; what the driver made of PTX for chips
// before sm_90 does not wait.
bool can_start_early(int device, std::span<void* const> kernels);

// Launches kernel(args) on the stream. `args` points to the kernel's one parameter; `context` is
// the handle's, made current where this thread has none. kExecutionFailed where the driver
// refuses; a sticky error of earlier work is not ours to clear.
Status launch(void* kernel, const LaunchShape& shape, void* stream, void* context,
              const void* args);

// Device memory whose first zero_bytes are zero before this returns. May be called while streams
// are being captured: nothing of it is captured. False where memory is short.
bool allocate(void* context, size_t bytes, size_t zero_bytes, void** memory);

// Work of a stream, captured with it: memory that is there for what follows, zeros in it, and
// memory that is given back after what went before.
Status allocate_on(void* stream, void* context, size_t bytes, void** memory);
Status zero_on(void* stream, void* context, void* memory, size_t bytes);
Status free_on(void* stream, void* context, void* memory);
bool is_capturing(void* stream);
// Of the capture that the stream is in, never reused, or kLostCapture, which makes no graph; 0: it
// is in none, or the driver does not say.
inline constexpr uint64_t kLostCapture = ~uint64_t{0};
uint64_t capture_id(void* stream);

// Of a stream that was made (no default one): never reused, unlike its address; 0 on failure.
// NOTE: of a stream that is being captured it would end the capture with an error.
uint64_t stream_id(void* stream);

// Encodes the map for TMA. False where the shape breaks a rule of TensorMapShape.
bool encode_tensor_map(const TensorMapShape& shape, TensorMap* map);

// Waits for all work of the context, whichever is current on this thread.
Status synchronize(void* context);

}  // namespace myblas::gpu
