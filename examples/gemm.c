/* SPDX-License-Identifier: BSD-3-Clause */
/* =============================================================================================
 * gemm.c: one matrix product with myblas, on the GPU or, where there is none, on the CPU.
 *
 *   cc gemm.c $(pkg-config --cflags --libs myblas) -ldl -lm && ./a.out
 *
 * Prints which kernel served it and the error against a product computed here. Exit status 0:
 * the result is right.
 * ============================================================================================= */
#include <myblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "device_memory.h"

static void require(int ok, const char* what) {
  if (ok) return;
  fprintf(stderr, "gemm: %s failed\n", what);
  exit(1);
}

static void require_status(myblasStatus_t status, const char* what) {
  if (status == MYBLAS_STATUS_SUCCESS) return;
  fprintf(stderr, "gemm: %s: %s: %s\n", what, myblasGetStatusName(status),
          myblasGetStatusString(status));
  exit(1);
}

int main(void) {
  /* C = 1.5 * A * B + 0.5 * C, all column-major: element (row, col) is at row + col * ld. */
  const Product product = {.name = "sgemm",
                           .type = kFloat,
                           .m = 300,
                           .n = 200,
                           .k = 100,
                           .batch = 1,
                           .alpha = 1.5,
                           .beta = 0.5};
  const int m = product.m, n = product.n, k = product.k;
  const float alpha = (float)product.alpha, beta = (float)product.beta;

  /* A handle is bound to the current GPU, or to the CPU. "cpu" as its target means: host memory. */
  Driver gpu_driver;
  const int have_gpu = open_gpu(&gpu_driver);
  myblasHandle_t handle = NULL;
  char target[32];
  require_status(myblasCreate(&handle), "myblasCreate");
  require_status(myblasGetTargetName(handle, target, sizeof target), "myblasGetTargetName");
  const int on_cpu = strcmp(target, "cpu") == 0;
  require(on_cpu || have_gpu, "opening the GPU");
  const Driver* const driver = on_cpu ? NULL : &gpu_driver;

  const size_t bytes_a = elements_a(&product) * sizeof(float);
  const size_t bytes_b = elements_b(&product) * sizeof(float);
  const size_t bytes_c = elements_c(&product) * sizeof(float);
  float* const a = malloc(bytes_a);
  float* const b = malloc(bytes_b);
  float* const c = malloc(bytes_c);
  float* const result = malloc(bytes_c);
  require(a && b && c && result, "malloc");
  fill_random(a, elements_a(&product), kFloat, 1);
  fill_random(b, elements_b(&product), kFloat, 2);
  fill_random(c, elements_c(&product), kFloat, 3);

  void* const device_a = device_alloc(driver, bytes_a);
  void* const device_b = device_alloc(driver, bytes_b);
  void* const device_c = device_alloc(driver, bytes_c);
  require(device_a && device_b && device_c, "allocation");
  require(copy_to_device(driver, device_a, a, bytes_a) &&
              copy_to_device(driver, device_b, b, bytes_b) &&
              copy_to_device(driver, device_c, c, bytes_c),
          "copy to the device");

  require_status(myblasSgemm(handle, MYBLAS_OP_N, MYBLAS_OP_N, m, n, k, &alpha, device_a, m,
                             device_b, k, &beta, device_c, m),
                 "myblasSgemm");
  require(copy_from_device(driver, result, device_c, bytes_c), "copy from the device");

  char kernel[128];
  require_status(myblasGetLastKernelName(kernel, sizeof kernel), "myblasGetLastKernelName");
  const double error = worst_error(&product, a, b, c, result);
  const int right = error <= tolerance(kFloat);
  printf("sgemm %d x %d x %d on %s by %s: error %.1e, %s\n", m, n, k, target, kernel, error,
         right ? "right" : "WRONG");

  device_free(driver, device_a);
  device_free(driver, device_b);
  device_free(driver, device_c);
  free(a);
  free(b);
  free(c);
  free(result);
  require_status(myblasDestroy(handle), "myblasDestroy");
  return right ? 0 : 1;
}
