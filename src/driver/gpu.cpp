// SPDX-License-Identifier: BSD-3-Clause
#include "driver/gpu.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <mutex>

#include "driver/cuda_driver.h"

// One symbol an image; the list is made by myblas_kernel_image (cmake/MyblasCuda.cmake).
#define MYBLAS_IMAGE(stem) extern "C" const unsigned char myblas_image_##stem[];
#include "kernel_images.inc"
#undef MYBLAS_IMAGE

namespace myblas::gpu {
namespace {

constexpr int kOldestComputeCapability = 75;
constexpr int kOldestForEarlyStart = 12040;  // programmatic edges in graphs

// A kernel's name begins with the stem of the file that it was compiled from. Of two stems that
// begin alike the longer stands first, so that the first fit is the file where that was built: to
// ask another one for the kernel fails, and compute-sanitizer counts that as an error of the
// program.
struct Image {
  const char* stem;
  const unsigned char* fatbin;
};
#define MYBLAS_IMAGE(stem) {#stem, myblas_image_##stem},
const Image kImages[] = {
#include "kernel_images.inc"
};
#undef MYBLAS_IMAGE

// The images as loaded libraries, each on its first use. A failed load is tried again: it may
// have been for want of memory.
constinit std::mutex g_library_mutex;
constinit CUlibrary g_libraries[std::size(kImages)] = {};

CUresult open_library(size_t image, CUlibrary* library) {
  const std::lock_guard<std::mutex> lock(g_library_mutex);
  CUresult result = CUDA_SUCCESS;
  if (g_libraries[image] == nullptr) {
    CUlibrary loaded = nullptr;
    result = cuda_driver()->library_load_data(&loaded, kImages[image].fatbin, nullptr, nullptr, 0,
                                              nullptr, nullptr, 0);
    if (result == CUDA_SUCCESS) g_libraries[image] = loaded;
  }
  *library = g_libraries[image];
  return result;
}

CUresult find_kernel(const char* name, CUkernel* kernel) {
  for (size_t image = 0; image < std::size(kImages); ++image) {
    if (std::strncmp(name, kImages[image].stem, std::strlen(kImages[image].stem)) != 0) continue;
    CUlibrary library = nullptr;
    const CUresult result = open_library(image, &library);
    return result == CUDA_SUCCESS ? cuda_driver()->library_get_kernel(kernel, library, name)
                                  : result;
  }
  return CUDA_ERROR_NOT_FOUND;
}

Loading loading_of(CUresult result) {
  if (result == CUDA_SUCCESS) return Loading::kReady;
  return result == CUDA_ERROR_OUT_OF_MEMORY ? Loading::kNoMemory : Loading::kNoCode;
}

// A kernel's code onto the device of the current context.
CUresult load_code(CUkernel kernel, int device, size_t smem_bytes) {
  const CudaDriver& driver = *cuda_driver();
  // Without this 48 KB are all, the kernel's static ones included.
  CUresult result = CUDA_SUCCESS;
  if (smem_bytes > 0) {
    result = driver.kernel_set_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                         static_cast<int>(smem_bytes), kernel, device);
  }
  CUfunction function = nullptr;
  if (result == CUDA_SUCCESS) result = driver.kernel_get_function(&function, kernel);
  if (result != CUDA_SUCCESS) return result;
  // Under lazy loading the code is not on the device yet. NOTE: reading an attribute loads it on
  // drivers that have no cuFuncLoad.
  if (driver.func_load != nullptr) return driver.func_load(function);
  int registers = 0;
  return driver.func_get_attribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function);
}

int attribute(int device, CUdevice_attribute name) {
  int value = 0;
  return cuda_driver()->device_get_attribute(&value, name, device) == CUDA_SUCCESS ? value : 0;
}

int compute_capability(int device) {
  return 10 * attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
         attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
}

bool has_usable_device() {
  for (int device = 0; device < device_count(); ++device) {
    if (compute_capability(device) >= kOldestComputeCapability) return true;
  }
  return false;
}

Status status_of(CUresult result) {
  return result == CUDA_SUCCESS ? Status::kSuccess : Status::kExecutionFailed;
}

void* pointer_of(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

// The context, current on this thread for a while.
class InContext {
 public:
  explicit InContext(void* context) {
    const CudaDriver& driver = *cuda_driver();
    entered_ = driver.ctx_get_current(&before_) == CUDA_SUCCESS &&
               driver.ctx_set_current(static_cast<CUcontext>(context)) == CUDA_SUCCESS;
  }
  ~InContext() {
    if (entered_) cuda_driver()->ctx_set_current(before_);
  }
  InContext(const InContext&) = delete;
  InContext& operator=(const InContext&) = delete;
  explicit operator bool() const { return entered_; }

 private:
  CUcontext before_ = nullptr;
  bool entered_ = false;
};

CUtensorMapDataType map_type(const TensorMapShape& shape) {
  switch (shape.type) {
    case DataType::kF16: return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    case DataType::kBF16: return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    case DataType::kS8: return CU_TENSOR_MAP_DATA_TYPE_UINT8;
    case DataType::kS32: return CU_TENSOR_MAP_DATA_TYPE_INT32;
    case DataType::kF64:
    case DataType::kCF32: return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;  // its 8 bytes
    default: break;
  }
  return shape.rounds_to_tf32 ? CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
}

// Allocations are forbidden to a thread while any thread captures in the usual mode; they are no
// part of that capture.
class BesideCaptures {
 public:
  BesideCaptures() { entered_ = cuda_driver()->exchange_capture_mode(&mode_) == CUDA_SUCCESS; }
  ~BesideCaptures() {
    if (entered_) cuda_driver()->exchange_capture_mode(&mode_);
  }
  BesideCaptures(const BesideCaptures&) = delete;
  BesideCaptures& operator=(const BesideCaptures&) = delete;
  explicit operator bool() const { return entered_; }

 private:
  CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
  bool entered_ = false;
};

}  // namespace

bool available() { return cuda_driver() != nullptr && has_usable_device(); }

const char* unavailable_reason() {
  if (cuda_driver() == nullptr) return driver_error();
  return available() ? "" : "no GPU of compute capability 7.5 or newer";
}

int device_count() {
  int count = 0;
  const CudaDriver* driver = cuda_driver();
  if (driver == nullptr || driver->device_get_count(&count) != CUDA_SUCCESS) return 0;
  return count;
}

Binding bind_current() {
  const CudaDriver& driver = *cuda_driver();
  Binding binding;
  CUcontext context = nullptr;
  if (driver.ctx_get_current(&context) != CUDA_SUCCESS) return {};
  if (context == nullptr) {
    if (driver.device_primary_ctx_retain(&context, 0) != CUDA_SUCCESS) return {};
    if (driver.ctx_set_current(context) != CUDA_SUCCESS) return {};
  }
  CUdevice device = -1;
  unsigned long long id = 0;
  if (driver.ctx_get_device(&device) != CUDA_SUCCESS) return {};
  if (driver.ctx_get_id(context, &id) != CUDA_SUCCESS) return {};
  binding.context_id = id;
  binding.context = context;
  binding.device = device;
  return binding;
}

bool query_device(int device, DeviceFacts* facts) {
  const CudaDriver* driver = cuda_driver();
  if (driver == nullptr || device < 0 || device >= device_count()) return false;
  *facts = DeviceFacts{};
  if (driver->device_get_name(facts->name, sizeof facts->name, device) != CUDA_SUCCESS)
    return false;
  if (driver->device_total_mem(&facts->memory_bytes, device) != CUDA_SUCCESS) return false;
  facts->cc = compute_capability(device);
  facts->sm_count = attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  facts->clock_khz = attribute(device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  facts->memory_clock_khz = attribute(device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  facts->memory_bus_bits = attribute(device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  facts->l2_bytes = attribute(device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  facts->smem_per_block_optin =
      attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  return facts->cc > 0 && facts->sm_count > 0;
}

Loading prepare_kernel(void* kernel, int device, size_t smem_bytes) {
  return loading_of(load_code(static_cast<CUkernel>(kernel), device, smem_bytes));
}

Loading load_kernel(const char* name, int device, size_t smem_bytes, void** kernel) {
  CUkernel found = nullptr;
  Loading loading = loading_of(find_kernel(name, &found));
  if (loading == Loading::kReady) loading = prepare_kernel(found, device, smem_bytes);
  *kernel = loading == Loading::kReady ? found : nullptr;
  return loading;
}

bool can_start_early(int device, std::span<void* const> kernels) {
  const CudaDriver& driver = *cuda_driver();
  int version = 0;
  if (compute_capability(device) < kFirstEarlyStart ||
      driver.driver_get_version(&version) != CUDA_SUCCESS || version < kOldestForEarlyStart) {
    return false;
  }
  return std::all_of(kernels.begin(), kernels.end(), [&](void* kernel) {
    CUfunction function = nullptr;
    int compiled_for = 0;
    return kernel == nullptr ||
           (driver.kernel_get_function(&function, static_cast<CUkernel>(kernel)) == CUDA_SUCCESS &&
            driver.func_get_attribute(&compiled_for, CU_FUNC_ATTRIBUTE_PTX_VERSION, function) ==
                CUDA_SUCCESS &&
            compiled_for >= kFirstEarlyStart);
  });
}

Status launch(void* kernel, const LaunchShape& shape, void* stream, void* context,
              const void* args) {
  const CudaDriver& driver = *cuda_driver();
  void* parameters[] = {const_cast<void*>(args)};
  CUlaunchAttribute attributes[2] = {};
  CUlaunchConfig config{};
  config.gridDimX = shape.grid_x;
  config.gridDimY = shape.grid_y;
  config.gridDimZ = 1;
  config.blockDimX = shape.threads;
  config.blockDimY = 1;
  config.blockDimZ = 1;
  config.sharedMemBytes = shape.smem_bytes;
  config.hStream = static_cast<CUstream>(stream);
  config.attrs = attributes;
  if (shape.cluster_x > 1) {
    CUlaunchAttribute& cluster = attributes[config.numAttrs++];
    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster.value.clusterDim.x = shape.cluster_x;
    cluster.value.clusterDim.y = 1;
    cluster.value.clusterDim.z = 1;
  }
  if (shape.early_start) {
    CUlaunchAttribute& early = attributes[config.numAttrs++];
    early.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    early.value.programmaticStreamSerializationAllowed = 1;
  }
  const auto start = [&] {
    if (config.numAttrs > 0) {
      return driver.launch_kernel_ex(&config, static_cast<CUfunction>(kernel), parameters, nullptr);
    }
    // A CUkernel stands for its function in the stream's context, or in the current one.
    return driver.launch_kernel(static_cast<CUfunction>(kernel), shape.grid_x, shape.grid_y, 1,
                                shape.threads, 1, 1, shape.smem_bytes,
                                static_cast<CUstream>(stream), parameters, nullptr);
  };
  CUresult result = start();
  if (result == CUDA_ERROR_INVALID_CONTEXT &&
      driver.ctx_set_current(static_cast<CUcontext>(context)) == CUDA_SUCCESS) {
    result = start();
  }
  return status_of(result);
}

bool allocate(void* context, size_t bytes, size_t zero_bytes, void** memory) {
  const CudaDriver& driver = *cuda_driver();
  const InContext in_context(context);
  const BesideCaptures beside_captures;
  if (!in_context || !beside_captures) return false;
  CUdeviceptr address = 0;
  CUstream stream = nullptr;
  bool good = driver.mem_alloc(&address, bytes) == CUDA_SUCCESS &&
              driver.stream_create(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS;
  if (good) {
    good = driver.memset_d32_async(address, 0, zero_bytes / 4, stream) == CUDA_SUCCESS &&
           driver.stream_synchronize(stream) == CUDA_SUCCESS;
    driver.stream_destroy(stream);
  }
  if (!good && address != 0) driver.mem_free(address);
  *memory = good ? pointer_of(address) : nullptr;
  return good;
}

Status allocate_on(void* stream, void* context, size_t bytes, void** memory) {
  const InContext in_context(context);
  const BesideCaptures beside_captures;
  CUdeviceptr address = 0;
  if (!in_context || cuda_driver()->mem_alloc_async(
                         &address, bytes, static_cast<CUstream>(stream)) != CUDA_SUCCESS) {
    return Status::kAllocFailed;
  }
  *memory = pointer_of(address);
  return Status::kSuccess;
}

Status zero_on(void* stream, void* context, void* memory, size_t bytes) {
  const InContext in_context(context);
  return in_context
             ? status_of(cuda_driver()->memset_d32_async(reinterpret_cast<CUdeviceptr>(memory), 0,
                                                         bytes / 4, static_cast<CUstream>(stream)))
             : Status::kExecutionFailed;
}

Status free_on(void* stream, void* context, void* memory) {
  const InContext in_context(context);
  return in_context ? status_of(cuda_driver()->mem_free_async(reinterpret_cast<CUdeviceptr>(memory),
                                                              static_cast<CUstream>(stream)))
                    : Status::kExecutionFailed;
}

bool is_capturing(void* stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return cuda_driver()->stream_is_capturing(static_cast<CUstream>(stream), &status) ==
             CUDA_SUCCESS &&
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

uint64_t capture_id(void* stream) {
  const auto get = cuda_driver()->stream_get_capture_info;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  cuuint64_t id = 0;
  if (get == nullptr || get(static_cast<CUstream>(stream), &status, &id) != CUDA_SUCCESS) return 0;
  if (status == CU_STREAM_CAPTURE_STATUS_INVALIDATED) return kLostCapture;
  return status == CU_STREAM_CAPTURE_STATUS_ACTIVE ? id : 0;
}

uint64_t stream_id(void* stream) {
  unsigned long long id = 0;
  const CUresult result = cuda_driver()->stream_get_id(static_cast<CUstream>(stream), &id);
  return result == CUDA_SUCCESS ? id : 0;
}

bool encode_tensor_map(const TensorMapShape& shape, TensorMap* map) {
  static_assert(sizeof(TensorMap) == sizeof(CUtensorMap));
  constexpr CUtensorMapSwizzle kSwizzles[] = {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B,
                                              CU_TENSOR_MAP_SWIZZLE_64B,
                                              CU_TENSOR_MAP_SWIZZLE_128B};
  constexpr cuuint32_t kSteps[] = {1, 1, 1, 1};
  const cuuint64_t sizes[] = {shape.size[0], shape.size[1], shape.size[2], shape.size[3]};
  const cuuint64_t strides[] = {shape.stride_bytes[0], shape.stride_bytes[1],
                                shape.stride_bytes[2]};
  // Whole lines come from DRAM. Pairs of them are slower where rows begin within a line (1000^3 in
  // bf16 on an H200: 10.8 us for 9.5), and were no faster elsewhere.
  CUtensorMap encoded;  // on its own alignment, which differs between versions of cuda.h
  const CUresult result = cuda_driver()->tensor_map_encode_tiled(
      &encoded, map_type(shape), static_cast<cuuint32_t>(shape.sides),
      const_cast<void*>(shape.base), sizes, strides, shape.box, kSteps,
      CU_TENSOR_MAP_INTERLEAVE_NONE, kSwizzles[static_cast<int>(shape.swizzle)],
      CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  std::memcpy(map, &encoded, sizeof encoded);
  return result == CUDA_SUCCESS;
}

Status synchronize(void* context) {
  const InContext in_context(context);
  return in_context ? status_of(cuda_driver()->ctx_synchronize()) : Status::kExecutionFailed;
}

}  // namespace myblas::gpu
