// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ceilings.cu: loops that keep one instruction busy and do nothing else.
//
// The operands are random and stay in registers (wgmma: in shared memory, where
// it reads them), every sum is kept, nothing is loaded or stored in the loop.
// A kernel that this target was not compiled for leaves `ran` alone.
//==============================================================================
#include <algorithm>

#include "ceilings.h"
#include "cuda_check.h"
#include "element.h"
#include "instructions.h"
#include "timing.h"

namespace bench {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr double kLoopUs = 2e4;  // long enough for the clock to settle under this load
constexpr int kRepeats = 5;

// Small enough that even fp16 sums stay finite over the loop.
constexpr double kScale = 1.0 / 64.0;

// Not inlined: the fills around it are unrolled, so that the fragments stay in registers.
template <class Register>
__device__ __noinline__ Register random_register(myblasDataType_t type, uint64_t seed) {
  const double scale = type == MYBLAS_R_8I ? 32.0 : kScale;
  Register bits{};
  for (int i = 0; i < static_cast<int>(sizeof(Register) / element_bytes(type)); ++i) {
    store_real(&bits, type, i, scale * static_cast<double>(random_normal(seed, i)));
  }
  return bits;
}

__device__ uint64_t thread_seed() { return (uint64_t{blockIdx.x} << 32) + threadIdx.x * 1024u; }

struct LoopArgs {
  int iterations;
  float* sink;
  int* ran;
};

// The compiler must believe that the sums are wanted.
__device__ void keep(const LoopArgs& args, double sum) {
  if (sum == 0.123456789) *args.sink = static_cast<float>(sum);
  if (blockIdx.x == 0 && threadIdx.x == 0) *args.ran = 1;
}

template <class Mma>
__global__ void __launch_bounds__(kThreads, 2) mma_loop(LoopArgs args) {
  if constexpr (compiled_for(Mma::kMinArch)) {
    typename Mma::Input a[Mma::kRows][Mma::kRegsA], b[Mma::kCols][Mma::kRegsB];
    typename Mma::Sum sums[Mma::kRows][Mma::kCols][Mma::kSums] = {};
    uint64_t seed = thread_seed();
#pragma unroll
    for (auto& fragment : a)
#pragma unroll
      for (auto& x : fragment) x = random_register<typename Mma::Input>(Mma::kType, ++seed);
#pragma unroll
    for (auto& fragment : b)
#pragma unroll
      for (auto& x : fragment) x = random_register<typename Mma::Input>(Mma::kType, ++seed);
#pragma unroll 2
    for (int i = 0; i < args.iterations; ++i) {
#pragma unroll
      for (int row = 0; row < Mma::kRows; ++row)
#pragma unroll
        for (int col = 0; col < Mma::kCols; ++col) Mma::issue(sums[row][col], a[row], b[col]);
    }
    double total = 0.0;
    for (auto& row : sums)
      for (auto& tile : row)
        for (auto& x : tile) total += static_cast<double>(x);
    keep(args, total);
  }
}

template <class Real, int kRows, int kCols>
__global__ void __launch_bounds__(kThreads) fma_loop(LoopArgs args) {
  Real a[kRows], b[kCols], sums[kRows][kCols] = {};
  uint64_t seed = thread_seed();
#pragma unroll
  for (auto& x : a) x = static_cast<Real>(kScale) * random_normal(++seed, 0);
#pragma unroll
  for (auto& x : b) x = static_cast<Real>(kScale) * random_normal(++seed, 0);
#pragma unroll 4
  for (int i = 0; i < args.iterations; ++i) {
#pragma unroll
    for (int col = 0; col < kCols; ++col)
#pragma unroll
      for (int row = 0; row < kRows; ++row) sums[row][col] = fma(a[row], b[col], sums[row][col]);
  }
  double total = 0.0;
  for (auto& row : sums)
    for (auto& x : row) total += static_cast<double>(x);
  keep(args, total);
}

// Two warpgroups a block, so that one computes while the other waits.
struct WgmmaTiles {
  static constexpr int kRowBytes = 128, kRowsA = 64, kRowsB = 256, kGroups = 2;
  static constexpr int kBytesA = kRowsA * kRowBytes, kBytesB = kRowsB * kRowBytes;
  static constexpr int kBytes = kGroups * kBytesA + kBytesB;
  static constexpr int kSteps = kRowBytes / 32;  // instructions along one row
  static constexpr int kStepsPerCommit = 4 * kSteps;
  static constexpr int kAlignment = 1024;
};

template <class Wgmma>
__global__ void __launch_bounds__(kThreads, 1) wgmma_loop(LoopArgs args) {
  if constexpr (compiled_for_wgmma()) {
    extern __shared__ unsigned char raw[];
    unsigned char* tiles =
        raw + (WgmmaTiles::kAlignment - __cvta_generic_to_shared(raw) % WgmmaTiles::kAlignment);
    const int words = WgmmaTiles::kBytes / 4;
    for (int i = static_cast<int>(threadIdx.x); i < words; i += kThreads) {
      reinterpret_cast<uint32_t*>(tiles)[i] =
          random_register<uint32_t>(Wgmma::kType, (uint64_t{blockIdx.x} << 32) + i);
    }
    fence_async_proxy();
    __syncthreads();  // the tiles are written by all threads before any warpgroup reads them
    const int group = static_cast<int>(threadIdx.x) / (kThreads / WgmmaTiles::kGroups);
    const uint64_t a = wgmma_descriptor(tiles + group * WgmmaTiles::kBytesA);
    const uint64_t b = wgmma_descriptor(tiles + WgmmaTiles::kGroups * WgmmaTiles::kBytesA);
    typename Wgmma::Sum sums[128] = {};
    for (int i = 0; i < args.iterations; ++i) {
      wgmma_fence();
#pragma unroll
      for (int step = 0; step < WgmmaTiles::kStepsPerCommit; ++step) {
        const int along = 2 * (step % WgmmaTiles::kSteps);  // 32 bytes, in units of 16
        Wgmma::issue(sums, a + along, b + along);
      }
      wgmma_commit();
      wgmma_wait_all();
    }
    double total = 0.0;
    for (auto& x : sums) total += static_cast<double>(x);
    keep(args, total);
  }
}

__global__ void __launch_bounds__(kThreads)
    copy_kernel(const uint4* from, uint4* to, int64_t count) {
  const int64_t step = int64_t{gridDim.x} * kThreads;
#pragma unroll 4
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < count; i += step) {
    to[i] = from[i];
  }
}

__global__ void empty_kernel() {}

class Bench {
 public:
  explicit Bench(Machine& machine)
      : machine_(machine), sink_(machine, sizeof(float)), ran_(machine, sizeof(int)) {
    int device = 0;
    cuda_check(cudaGetDevice(&device), "cudaGetDevice");
    cuda_check(cudaDeviceGetAttribute(&sms_, cudaDevAttrMultiProcessorCount, device), "SM count");
  }

  template <class Mma>
  void add_mma() {
    constexpr int kBlocksPerSm = 2;
    add_loop(mma_loop<Mma>, Mma::kName, Mma::kBounds, kBlocksPerSm, 0,
             Mma::kFlop * Mma::kRows * Mma::kCols * kWarps);
  }

  template <class Wgmma>
  void add_wgmma() {
    constexpr int kSmemBytes = WgmmaTiles::kBytes + WgmmaTiles::kAlignment;
    cuda_check(cudaFuncSetAttribute(wgmma_loop<Wgmma>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    kSmemBytes),
               "shared memory of wgmma_loop");
    add_loop(wgmma_loop<Wgmma>, Wgmma::kName, Wgmma::kBounds, 1, kSmemBytes,
             Wgmma::kFlop * WgmmaTiles::kStepsPerCommit * WgmmaTiles::kGroups);
  }

  template <class Real, int kRows, int kCols>
  void add_fma(const char* name, const char* bounds) {
    constexpr int kBlocksPerSm = 4;
    add_loop(fma_loop<Real, kRows, kCols>, name, bounds, kBlocksPerSm, 0,
             2.0 * kRows * kCols * kThreads);
  }

  void add_copy();
  void add_launches();
  std::vector<Ceiling> take() { return std::move(ceilings_); }

 private:
  // flop: of one block in one iteration.
  void add_loop(void (*kernel)(LoopArgs), const char* name, const char* bounds, int blocks_per_sm,
                int smem_bytes, double flop) {
    const int blocks = sms_ * blocks_per_sm;
    const auto run_us = [&](int iterations) {
      const LoopArgs args{iterations, static_cast<float*>(sink_.get()),
                          static_cast<int*>(ran_.get())};
      return machine_
          .record(1,
                  [&](int) { kernel<<<blocks, kThreads, smem_bytes, machine_.stream()>>>(args); })
          ->run_us();
    };
    machine_.fill_byte(ran_.get(), 0, sizeof(int));
    constexpr int kProbe = 2048;
    run_us(kProbe);
    const double probe_us = run_us(kProbe);
    int ran = 0;
    cuda_check(cudaMemcpy(&ran, ran_.get(), sizeof ran, cudaMemcpyDeviceToHost), "cudaMemcpy");
    if (ran == 0) return;  // not in this build for this chip
    const int iterations = static_cast<int>(std::clamp(kProbe * kLoopUs / probe_us, 64.0, 1e8));
    std::vector<double> times;
    for (int i = 0; i < kRepeats; ++i) times.push_back(run_us(iterations));
    ceilings_.push_back(
        {name, bounds, flop * iterations * blocks / median(times) * 1e-6, "TFLOP/s"});
  }

  Machine& machine_;
  Buffer sink_, ran_;
  int sms_ = 0;
  std::vector<Ceiling> ceilings_;
};

void Bench::add_copy() {
  constexpr size_t kMostBytes = size_t{4} << 30;
  constexpr int kBlocksPerSm = 8;
  const size_t bytes = std::min(kMostBytes, machine_.memory_bytes() / 4) / 4096 * 4096;
  const Buffer from(machine_, bytes), to(machine_, bytes);
  machine_.fill_random(from.get(), MYBLAS_R_32F, static_cast<int64_t>(bytes / 4), 1);
  const auto replay = machine_.record(4, [&](int) {
    copy_kernel<<<sms_ * kBlocksPerSm, kThreads, 0, machine_.stream()>>>(
        static_cast<const uint4*>(from.get()), static_cast<uint4*>(to.get()),
        static_cast<int64_t>(bytes / sizeof(uint4)));
  });
  replay->run_us();
  std::vector<double> times;
  for (int i = 0; i < kRepeats; ++i) times.push_back(replay->run_us() / 4);
  ceilings_.push_back({"copy, read plus write", "copy",
                       2.0 * static_cast<double>(bytes) / median(times) * 1e-6, "TB/s"});
}

void Bench::add_launches() {
  constexpr int kNodes = 1000;
  const auto replay =
      machine_.record(kNodes, [&](int) { empty_kernel<<<1, 32, 0, machine_.stream()>>>(); });
  replay->run_us();
  ceilings_.push_back(
      {"empty kernel, a node of a graph", "launch", replay->run_us() / kNodes, "us"});
  ceilings_.push_back(
      {"empty kernel, host cost of a launch", "launch", machine_.empty_launch_us(), "us"});
}

}  // namespace

std::vector<Ceiling> measure_ceilings(Machine& machine) {
  if (!machine.is_gpu()) throw std::runtime_error("--ceilings needs a GPU");
  Bench bench(machine);
  bench.add_mma<MmaF16K16>();
  bench.add_mma<MmaBf16K16>();
  bench.add_mma<MmaF16K16Half>();
  bench.add_mma<MmaF16K8>();
  bench.add_mma<MmaF16K8Half>();
  bench.add_mma<MmaTf32K8>();
  bench.add_mma<MmaS8K16>();
  bench.add_mma<MmaS8K32>();
  bench.add_mma<MmaF64K4>();
  bench.add_mma<MmaF64K16>();
  bench.add_wgmma<WgmmaBf16>();
  bench.add_wgmma<WgmmaF16>();
  bench.add_wgmma<WgmmaTf32>();
  bench.add_wgmma<WgmmaS8>();
  bench.add_fma<float, 4, 8>("ffma f32, 4 x 8 a thread", "f32");
  bench.add_fma<float, 4, 4>("ffma f32, 4 x 4 a thread", "f32");
  bench.add_fma<double, 4, 4>("dfma f64, 4 x 4 a thread", "f64");
  bench.add_copy();
  bench.add_launches();
  return bench.take();
}

}  // namespace bench
