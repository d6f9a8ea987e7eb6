// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// cublas_app.cu: a plain cuBLAS program. Nothing in it knows of myblas.
//
//   nvcc cublas_app.cu -o cublas_app -lcublas
//   ./cublas_app                                                 by cuBLAS
//   MYBLAS_LOG=1 LD_PRELOAD=.../libmyblas_cublas.so.1 ./cublas_app    by myblas
//
//   --size N        the largest dimension (1024)
//   --repeats N     calls that are timed (20)
//   --forward       also calls what myblas does not serve: Saxpy and Snrm2
//   --save FILE     keeps the results
//   --against FILE  compares them with results kept by another run
//
// Exit status 0: every result is right; 1: one is not; 77: no GPU.
//==============================================================================
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "check.h"

static void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "cublas_app: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

static void require(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "cublas_app: %s: %s\n", what, cublasGetStatusString(status));
  std::exit(1);
}

struct Options {
  int size = 1024;
  int repeats = 20;
  bool forward = false;
  const char* save = nullptr;
  const char* against = nullptr;
};

// Host bytes with a copy on the GPU.
struct Buffer {
  std::vector<unsigned char> host;
  void* device = nullptr;

  explicit Buffer(size_t bytes) : host(bytes) { require(cudaMalloc(&device, bytes), "cudaMalloc"); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(device); }

  void upload() {
    require(cudaMemcpy(device, host.data(), host.size(), cudaMemcpyHostToDevice), "upload");
  }
  std::vector<unsigned char> download() const {
    std::vector<unsigned char> bytes(host.size());
    require(cudaMemcpy(bytes.data(), device, bytes.size(), cudaMemcpyDeviceToHost), "download");
    return bytes;
  }
};

static void multiply(cublasHandle_t handle, const Product& p, const void* a, const void* b,
                     void* c) {
  const cublasOperation_t op_a = p.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N;
  const cublasOperation_t op_b = p.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N;
  const int lda = p.transpose_a ? p.k : p.m;
  const int ldb = p.transpose_b ? p.n : p.k;
  const float alpha = static_cast<float>(p.alpha), beta = static_cast<float>(p.beta);
  if (p.batch > 1) {
    require(cublasSgemmStridedBatched(
                handle, op_a, op_b, p.m, p.n, p.k, &alpha, static_cast<const float*>(a), lda,
                static_cast<long long>(elements_a(&p)), static_cast<const float*>(b), ldb,
                static_cast<long long>(elements_b(&p)), &beta, static_cast<float*>(c), p.m,
                static_cast<long long>(elements_c(&p)), p.batch),
            p.name);
  } else if (p.type == kFloat) {
    require(cublasSgemm(handle, op_a, op_b, p.m, p.n, p.k, &alpha, static_cast<const float*>(a),
                        lda, static_cast<const float*>(b), ldb, &beta, static_cast<float*>(c), p.m),
            p.name);
  } else if (p.type == kDouble) {
    require(
        cublasDgemm(handle, op_a, op_b, p.m, p.n, p.k, &p.alpha, static_cast<const double*>(a), lda,
                    static_cast<const double*>(b), ldb, &p.beta, static_cast<double*>(c), p.m),
        p.name);
  } else {
    require(
        cublasGemmEx(handle, op_a, op_b, p.m, p.n, p.k, &alpha, a, CUDA_R_16BF, lda, b, CUDA_R_16BF,
                     ldb, &beta, c, CUDA_R_16BF, p.m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
        p.name);
  }
}

// Times the product, then computes it once more on fresh data for the check. Appends the result
// to `kept` and returns whether it is right.
static bool run(cublasHandle_t handle, const Product& p, const Options& options,
                std::vector<double>& kept) {
  const size_t bytes = element_bytes(p.type), batch = static_cast<size_t>(p.batch);
  const size_t count_c = elements_c(&p) * batch;
  Buffer a(elements_a(&p) * batch * bytes), b(elements_b(&p) * batch * bytes), c(count_c * bytes);
  fill_random(a.host.data(), elements_a(&p) * batch, p.type, 1);
  fill_random(b.host.data(), elements_b(&p) * batch, p.type, 2);
  fill_random(c.host.data(), count_c, p.type, 3);
  a.upload();
  b.upload();
  c.upload();

  cudaEvent_t start = nullptr, stop = nullptr;
  require(cudaEventCreate(&start), "cudaEventCreate");
  require(cudaEventCreate(&stop), "cudaEventCreate");
  multiply(handle, p, a.device, b.device, c.device);
  require(cudaEventRecord(start), "cudaEventRecord");
  for (int i = 0; i < options.repeats; ++i) multiply(handle, p, a.device, b.device, c.device);
  require(cudaEventRecord(stop), "cudaEventRecord");
  require(cudaEventSynchronize(stop), "the products");
  float elapsed_ms = 0.0f;
  require(cudaEventElapsedTime(&elapsed_ms, start, stop), "cudaEventElapsedTime");
  cudaEventDestroy(start);
  cudaEventDestroy(stop);

  c.upload();
  multiply(handle, p, a.device, b.device, c.device);
  const std::vector<unsigned char> result = c.download();
  for (size_t i = 0; i < count_c; ++i) kept.push_back(load_element(result.data(), i, p.type));

  const double ms = static_cast<double>(elapsed_ms) / options.repeats;
  const double flops = 2.0 * p.m * p.n * p.k * p.batch;
  const double error = worst_error(&p, a.host.data(), b.host.data(), c.host.data(), result.data());
  const bool right = error <= tolerance(p.type);
  std::printf("%-24s %c%c %5d x %5d x %5d x %3d %9.4f ms %8.2f TFLOP/s  error %.1e  %s\n", p.name,
              p.transpose_a ? 'T' : 'N', p.transpose_b ? 'T' : 'N', p.m, p.n, p.k, p.batch, ms,
              flops / ms * 1e-9, error, right ? "right" : "WRONG");
  return right;
}

// y = 2 x + y and |y|, which myblas hands to the real cuBLAS.
static bool run_vectors(cublasHandle_t handle, std::vector<double>& kept) {
  const int n = 100000;
  Buffer x(n * sizeof(float)), y(n * sizeof(float));
  fill_random(x.host.data(), n, kFloat, 4);
  fill_random(y.host.data(), n, kFloat, 5);
  x.upload();
  y.upload();
  const float alpha = 2.0f;
  float norm = 0.0f;
  require(cublasSaxpy(handle, n, &alpha, static_cast<const float*>(x.device), 1,
                      static_cast<float*>(y.device), 1),
          "Saxpy");
  require(cublasSnrm2(handle, n, static_cast<const float*>(y.device), 1, &norm), "Snrm2");
  double sum = 0.0;
  for (int i = 0; i < n; ++i) {
    const size_t at = static_cast<size_t>(i);
    const double value =
        2.0 * load_element(x.host.data(), at, kFloat) + load_element(y.host.data(), at, kFloat);
    sum += value * value;
  }
  const double error = std::fabs(static_cast<double>(norm) / std::sqrt(sum) - 1.0);
  const bool right = error <= 1e-5;
  kept.push_back(static_cast<double>(norm));
  std::printf("%-24s %55s error %.1e  %s\n", "Saxpy, Snrm2", "", error, right ? "right" : "WRONG");
  return right;
}

static bool save(const char* path, const std::vector<double>& kept) {
  std::FILE* const file = std::fopen(path, "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(kept.data(), sizeof(double), kept.size(), file) == kept.size();
  return std::fclose(file) == 0 && written;
}

// Whether the other run's results are the same up to the rounding of the coarsest type.
static bool compare(const char* path, const std::vector<double>& kept) {
  std::vector<double> other(kept.size() + 1);
  std::FILE* const file = std::fopen(path, "rb");
  if (file == nullptr) return false;
  const size_t count = std::fread(other.data(), sizeof(double), other.size(), file);
  std::fclose(file);
  if (count != kept.size()) {
    std::printf("%s holds another set of results\n", path);
    return false;
  }
  size_t equal = 0;
  double worst = 0.0;
  for (size_t i = 0; i < count; ++i) {
    if (other[i] == kept[i]) ++equal;
    const double difference = std::fabs(other[i] - kept[i]) / (1.0 + std::fabs(other[i]));
    if (!(difference <= worst)) worst = std::isnan(difference) ? INFINITY : difference;
  }
  std::printf(
      "compared with %s: %.1f %% of %zu values have the same bits, largest difference %.1e\n", path,
      100.0 * static_cast<double>(equal) / static_cast<double>(count), count, worst);
  return worst <= 1.0 / 64.0;
}

static Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--forward") {
      options.forward = true;
    } else if (i + 1 < argc && name == "--size") {
      options.size = std::atoi(argv[++i]);
    } else if (i + 1 < argc && name == "--repeats") {
      options.repeats = std::atoi(argv[++i]);
    } else if (i + 1 < argc && name == "--save") {
      options.save = argv[++i];
    } else if (i + 1 < argc && name == "--against") {
      options.against = argv[++i];
    } else {
      std::fprintf(stderr,
                   "usage: cublas_app [--size N] [--repeats N] [--forward] [--save FILE] "
                   "[--against FILE]\n");
      std::exit(2);
    }
  }
  if (options.size < 128 || options.repeats < 1) {
    std::fprintf(stderr, "cublas_app: --size is at least 128, --repeats at least 1\n");
    std::exit(2);
  }
  return options;
}

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("cublas_app: skipped, no GPU\n");
    return 77;
  }
  const int size = options.size;
  const Product products[] = {
      {"Sgemm", kFloat, 0, 0, size, size - 64, size / 2, 1, 1.5, 0.5},
      {"Sgemm", kFloat, 1, 1, size / 2 + 3, size / 3, size - 7, 1, 1.0, 0.0},
      {"Dgemm", kDouble, 1, 0, size, size - 64, size / 2, 1, 1.0, -1.0},
      {"GemmEx bf16", kBfloat16, 1, 0, size, size, size, 1, 1.0, 0.0},
      {"GemmEx bf16", kBfloat16, 0, 0, size - 8, size / 2, size - 8, 1, 1.0, 1.0},
      {"SgemmStridedBatched", kFloat, 0, 1, 128, 96, 64, 20, 2.0, 1.0},
  };
  cublasHandle_t handle = nullptr;
  require(cublasCreate(&handle), "cublasCreate");
  std::vector<double> kept;
  bool right = true;
  for (const Product& product : products) right &= run(handle, product, options, kept);
  if (options.forward) right &= run_vectors(handle, kept);
  require(cublasDestroy(handle), "cublasDestroy");

  if (options.save != nullptr && !save(options.save, kept)) {
    std::fprintf(stderr, "cublas_app: cannot write %s\n", options.save);
    right = false;
  }
  if (options.against != nullptr) right &= compare(options.against, kept);
  std::printf("%s\n", right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
