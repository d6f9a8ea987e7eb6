// SPDX-License-Identifier: BSD-3-Clause
// The GPU of a build without CUDA: there is none. Nothing past available() is ever reached.
#include "driver/gpu.h"

namespace myblas::gpu {

bool available() { return false; }
const char* unavailable_reason() { return "this build of myblas has no GPU kernels"; }
Binding bind_current() { return {}; }
bool query_device(int, DeviceFacts*) { return false; }
int device_count() { return 0; }
Loading prepare_kernel(void*, int, size_t) { return Loading::kNoCode; }
Loading load_kernel(const char*, int, size_t, void**) { return Loading::kNoCode; }
bool can_start_early(int, std::span<void* const>) { return false; }
Status launch(void*, const LaunchShape&, void*, void*, const void*) {
  return Status::kInternalError;
}
bool allocate(void*, size_t, size_t, void**) { return false; }
Status allocate_on(void*, void*, size_t, void**) { return Status::kInternalError; }
Status zero_on(void*, void*, void*, size_t) { return Status::kInternalError; }
Status free_on(void*, void*, void*) { return Status::kInternalError; }
bool is_capturing(void*) { return false; }
uint64_t capture_id(void*) { return 0; }
uint64_t stream_id(void*) { return 0; }
bool encode_tensor_map(const TensorMapShape&, TensorMap*) { return false; }
Status synchronize(void*) { return Status::kInternalError; }

}  // namespace myblas::gpu
