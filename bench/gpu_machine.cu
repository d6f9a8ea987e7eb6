// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <chrono>
#include <fstream>
#include <optional>
#include <regex>
#include <vector>

#include "check.h"
#include "cuda_check.h"
#include "machine.h"

namespace bench {
namespace {

constexpr int kThreads = 256;
constexpr int kFillBlocks = 4096;
constexpr int kForeignBlocksPerSm = 4;
constexpr int kForeignSteps = 500;

__global__ void empty_kernel() {}

// An element a thread, as between the products of a program, and a few microseconds of arithmetic:
// behind a shorter one the launch itself would be what is timed.
__global__ void foreign_kernel(float* memory) {
  float& mine = memory[blockIdx.x * blockDim.x + threadIdx.x];
  float value = mine;
#pragma unroll 4
  for (int step = 0; step < kForeignSteps; ++step) value = fmaf(value, 0.5f, 1.0f);
  mine = value;
}

__global__ void fill_random_kernel(void* memory, myblasDataType_t real, int64_t count,
                                   uint64_t seed) {
  const int64_t step = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    store_random(memory, real, i, seed);
  }
}

// One block a sample; a fixed tree, so the judgement is the same every time.
__global__ void check_kernel(CheckedProduct product, const Sample* samples, SampleResult* results) {
  __shared__ double re[kThreads], im[kThreads], magnitude[kThreads];
  const int self = static_cast<int>(threadIdx.x);
  const Sample at = samples[blockIdx.x];
  SampleResult result = partial_sample(product, at, self, kThreads);
  re[self] = result.sum.re;
  im[self] = result.sum.im;
  magnitude[self] = result.magnitude;
  for (int width = kThreads / 2; width > 0; width /= 2) {
    __syncthreads();  // the level above is summed by its threads before this one reads it
    if (self >= width) continue;
    re[self] += re[self + width];
    im[self] += im[self + width];
    magnitude[self] += magnitude[self + width];
  }
  if (self != 0) return;
  result.sum = {re[0], im[0]};
  result.magnitude = magnitude[0];
  result.value = element_of(product.c, at.i, at.j, at.batch);
  results[blockIdx.x] = result;
}

__global__ void count_poisoned_kernel(CheckedOperand c, int batch, unsigned long long* poisoned) {
  const int64_t matrix = c.layout.rows * c.layout.cols;
  const int64_t step = int64_t{gridDim.x} * blockDim.x;
  unsigned long long found = 0;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < matrix * batch; i += step) {
    if (is_poisoned(c, i % matrix, i / matrix)) ++found;
  }
  if (found != 0) atomicAdd(poisoned, found);
}

class GraphReplay : public Replay {
 public:
  GraphReplay(cudaStream_t stream, int calls, const std::function<void(int)>& issue)
      : stream_(stream) {
    cudaGraph_t graph = nullptr;
    cuda_check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
    try {
      for (int i = 0; i < calls; ++i) issue(i);
    } catch (...) {
      cudaStreamEndCapture(stream, &graph);
      if (graph != nullptr) cudaGraphDestroy(graph);
      cudaGetLastError();  // a refused call may have invalidated the capture: that error is told
      throw;
    }
    cuda_check(cudaStreamEndCapture(stream, &graph), "end of capture");
    const cudaError_t made = cudaGraphInstantiate(&executable_, graph, 0);
    cudaGraphDestroy(graph);
    cuda_check(made, "cudaGraphInstantiate");
    cuda_check(cudaGraphUpload(executable_, stream), "cudaGraphUpload");
    cuda_check(cudaEventCreate(&start_), "cudaEventCreate");
    cuda_check(cudaEventCreate(&stop_), "cudaEventCreate");
  }
  ~GraphReplay() override {
    cudaGraphExecDestroy(executable_);
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  GraphReplay(const GraphReplay&) = delete;
  GraphReplay& operator=(const GraphReplay&) = delete;

  double run_us() override {
    cuda_check(cudaEventRecord(start_, stream_), "cudaEventRecord");
    cuda_check(cudaGraphLaunch(executable_, stream_), "cudaGraphLaunch");
    cuda_check(cudaEventRecord(stop_, stream_), "cudaEventRecord");
    cuda_check(cudaEventSynchronize(stop_), "graph replay");
    float milliseconds = 0.0f;
    cuda_check(cudaEventElapsedTime(&milliseconds, start_, stop_), "cudaEventElapsedTime");
    return 1e3 * static_cast<double>(milliseconds);
  }

 private:
  cudaStream_t stream_;
  cudaGraphExec_t executable_ = nullptr;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

std::string dotted(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

class GpuMachine : public Machine {
 public:
  GpuMachine() {
    cuda_check(cudaGetDevice(&device_), "cudaGetDevice");
    cuda_check(cudaGetDeviceProperties(&properties_, device_), "cudaGetDeviceProperties");
    cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  }
  ~GpuMachine() override { cudaStreamDestroy(stream_); }
  GpuMachine(const GpuMachine&) = delete;
  GpuMachine& operator=(const GpuMachine&) = delete;

  std::string name() const override { return properties_.name; }
  std::string driver_version() const override {
    std::ifstream file("/proc/driver/nvidia/version");
    std::string line;
    std::smatch match;
    if (std::getline(file, line) &&
        std::regex_search(line, match, std::regex("[0-9]+\\.[0-9.]+"))) {
      return match.str();
    }
    return "unknown";
  }
  std::string cuda_version() const override {
    int runtime = 0, driver = 0;
    cuda_check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
    cuda_check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    return "runtime " + dotted(runtime) + ", driver " + dotted(driver);
  }
  bool is_gpu() const override { return true; }
  size_t cache_bytes() const override { return static_cast<size_t>(properties_.l2CacheSize); }
  size_t memory_bytes() const override {
    size_t free_bytes = 0, total_bytes = 0;
    cuda_check(cudaMemGetInfo(&free_bytes, &total_bytes), "cudaMemGetInfo");
    return free_bytes / 10 * 8;
  }
  myblasStream_t stream() const override { return stream_; }

  void* allocate(size_t bytes) override {
    void* memory = nullptr;
    cuda_check(cudaMalloc(&memory, std::max<size_t>(bytes, 1)), "cudaMalloc");
    return memory;
  }
  void release(void* memory) override { cudaFree(memory); }
  void copy_in(void* to, const void* host, size_t bytes) override {
    cuda_check(cudaMemcpyAsync(to, host, bytes, cudaMemcpyHostToDevice, stream_), "cudaMemcpy");
    synchronize();
  }
  void fill_byte(void* memory, int byte, size_t bytes) override {
    cuda_check(cudaMemsetAsync(memory, byte, bytes, stream_), "cudaMemset");
  }
  void fill_random(void* memory, myblasDataType_t type, int64_t count, uint64_t seed) override {
    const int64_t reals = is_complex(type) ? 2 * count : count;
    fill_random_kernel<<<kFillBlocks, kThreads, 0, stream_>>>(memory, real_part_type(type), reals,
                                                              seed);
    cuda_check(cudaGetLastError(), "fill_random_kernel");
  }
  void synchronize() override {
    cuda_check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  }

  std::vector<SampleResult> check(const CheckedProduct& product,
                                  const std::vector<Sample>& samples) override {
    const Buffer device_samples(*this, samples.size() * sizeof(Sample));
    const Buffer device_results(*this, samples.size() * sizeof(SampleResult));
    copy_in(device_samples.get(), samples.data(), samples.size() * sizeof(Sample));
    check_kernel<<<static_cast<unsigned>(samples.size()), kThreads, 0, stream_>>>(
        product, static_cast<const Sample*>(device_samples.get()),
        static_cast<SampleResult*>(device_results.get()));
    cuda_check(cudaGetLastError(), "check_kernel");
    std::vector<SampleResult> results(samples.size());
    copy_out(results.data(), device_results.get(), results.size() * sizeof(SampleResult));
    return results;
  }

  int64_t count_poisoned(const CheckedOperand& c, int batch) override {
    const Buffer device_count(*this, sizeof(unsigned long long));
    fill_byte(device_count.get(), 0, sizeof(unsigned long long));
    count_poisoned_kernel<<<kFillBlocks, kThreads, 0, stream_>>>(
        c, batch, static_cast<unsigned long long*>(device_count.get()));
    cuda_check(cudaGetLastError(), "count_poisoned_kernel");
    unsigned long long count = 0;
    copy_out(&count, device_count.get(), sizeof count);
    return static_cast<int64_t>(count);
  }

  std::unique_ptr<Replay> record(int calls, const std::function<void(int)>& issue) override {
    return std::make_unique<GraphReplay>(stream_, calls, issue);
  }

  void issue_foreign() override {
    const int blocks = kForeignBlocksPerSm * properties_.multiProcessorCount;
    if (!foreign_) foreign_.emplace(*this, sizeof(float) * kThreads * static_cast<size_t>(blocks));
    foreign_kernel<<<static_cast<unsigned>(blocks), kThreads, 0, stream_>>>(
        static_cast<float*>(foreign_->get()));
    cuda_check(cudaGetLastError(), "foreign_kernel");
  }

  double empty_launch_us() override {
    constexpr int kLaunches = 256;
    std::vector<double> averages;
    for (int burst = 0; burst < 9; ++burst) {
      synchronize();
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < kLaunches; ++i) empty_kernel<<<1, 32, 0, stream_>>>();
      const std::chrono::duration<double, std::micro> spent =
          std::chrono::steady_clock::now() - start;
      averages.push_back(spent.count() / kLaunches);
    }
    synchronize();
    std::sort(averages.begin(), averages.end());
    return averages[averages.size() / 2];
  }

 private:
  void copy_out(void* host, const void* from, size_t bytes) {
    cuda_check(cudaMemcpyAsync(host, from, bytes, cudaMemcpyDeviceToHost, stream_), "cudaMemcpy");
    synchronize();
  }

  int device_ = 0;
  cudaDeviceProp properties_{};
  cudaStream_t stream_ = nullptr;
  std::optional<Buffer> foreign_;
};

}  // namespace

std::unique_ptr<Machine> make_gpu_machine() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return nullptr;
  return std::make_unique<GpuMachine>();
}

}  // namespace bench
