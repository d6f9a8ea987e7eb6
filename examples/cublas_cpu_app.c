/* SPDX-License-Identifier: BSD-3-Clause */
/* =============================================================================================
 * cublas_cpu_app.c: cuBLAS's interface on a machine with neither CUDA nor a GPU.
 *
 *   cc cublas_cpu_app.c $(pkg-config --cflags --libs myblas-cublas) -lm
 *   MYBLAS_BACKEND=cpu ./a.out
 *
 * The calls are cublas_app.cu's; the matrices are in host memory and OpenBLAS does the work.
 * Prints a table and exits with 0 if every result is right.
 * ============================================================================================= */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include <cublas_v2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"

static void require(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  fprintf(stderr, "cublas_cpu_app: %s: %s\n", what, cublasGetStatusString(status));
  exit(1);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void* allocate(size_t bytes) {
  void* const memory = malloc(bytes);
  if (memory != NULL) return memory;
  fprintf(stderr, "cublas_cpu_app: out of memory\n");
  exit(1);
}

/* The call a program would write for this product. */
static void multiply(cublasHandle_t handle, const Product* p, const void* a, const void* b,
                     void* c) {
  const cublasOperation_t op_a = p->transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N;
  const cublasOperation_t op_b = p->transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N;
  const int lda = p->transpose_a ? p->k : p->m;
  const int ldb = p->transpose_b ? p->n : p->k;
  const float alpha = (float)p->alpha, beta = (float)p->beta;
  if (p->batch > 1) {
    require(cublasSgemmStridedBatched(handle, op_a, op_b, p->m, p->n, p->k, &alpha, a, lda,
                                      (long long)elements_a(p), b, ldb, (long long)elements_b(p),
                                      &beta, c, p->m, (long long)elements_c(p), p->batch),
            p->name);
  } else if (p->type == kFloat) {
    require(
        cublasSgemm(handle, op_a, op_b, p->m, p->n, p->k, &alpha, a, lda, b, ldb, &beta, c, p->m),
        p->name);
  } else if (p->type == kDouble) {
    require(cublasDgemm(handle, op_a, op_b, p->m, p->n, p->k, &p->alpha, a, lda, b, ldb, &p->beta,
                        c, p->m),
            p->name);
  } else {
    require(cublasGemmEx(handle, op_a, op_b, p->m, p->n, p->k, &alpha, a, CUDA_R_16BF, lda, b,
                         CUDA_R_16BF, ldb, &beta, c, CUDA_R_16BF, p->m, CUBLAS_COMPUTE_32F,
                         CUBLAS_GEMM_DEFAULT),
            p->name);
  }
}

/* Runs one product twice (the first call warms up), prints its line; 1 if the result is right. */
static int run(cublasHandle_t handle, const Product* p) {
  const size_t bytes = element_bytes(p->type), batch = (size_t)p->batch;
  const size_t count_c = elements_c(p) * batch;
  void* const a = allocate(elements_a(p) * batch * bytes);
  void* const b = allocate(elements_b(p) * batch * bytes);
  void* const c = allocate(count_c * bytes);
  void* const result = allocate(count_c * bytes);
  fill_random(a, elements_a(p) * batch, p->type, 1);
  fill_random(b, elements_b(p) * batch, p->type, 2);
  fill_random(c, count_c, p->type, 3);

  double elapsed = 0.0;
  for (int repeat = 0; repeat < 2; ++repeat) {
    memcpy(result, c, count_c * bytes);
    const double start = seconds();
    multiply(handle, p, a, b, result);
    elapsed = seconds() - start;
  }
  const double flops = 2.0 * p->m * p->n * p->k * p->batch;
  const double error = worst_error(p, a, b, c, result);
  const int right = error <= tolerance(p->type);
  printf("%-24s %c%c %5d x %5d x %5d x %3d %9.3f ms %8.1f GFLOP/s  error %.1e  %s\n", p->name,
         p->transpose_a ? 'T' : 'N', p->transpose_b ? 'T' : 'N', p->m, p->n, p->k, p->batch,
         elapsed * 1e3, flops / elapsed * 1e-9, error, right ? "right" : "WRONG");
  free(a);
  free(b);
  free(c);
  free(result);
  return right;
}

int main(void) {
  const Product products[] = {
      {"Sgemm", kFloat, 0, 0, 1024, 960, 512, 1, 1.5, 0.5},
      {"Sgemm", kFloat, 1, 1, 515, 333, 777, 1, 1.0, 0.0},
      {"Dgemm", kDouble, 1, 0, 512, 448, 512, 1, 1.0, -1.0},
      {"GemmEx bf16", kBfloat16, 1, 0, 512, 512, 1024, 1, 1.0, 0.0},
      {"SgemmStridedBatched", kFloat, 0, 1, 128, 96, 64, 20, 2.0, 1.0},
  };
  cublasHandle_t handle = NULL;
  require(cublasCreate(&handle), "cublasCreate");
  int all_right = 1;
  for (size_t i = 0; i < sizeof products / sizeof products[0]; ++i)
    all_right &= run(handle, &products[i]);
  require(cublasDestroy(handle), "cublasDestroy");
  printf("%s\n", all_right ? "PASS" : "FAIL");
  return all_right ? 0 : 1;
}
