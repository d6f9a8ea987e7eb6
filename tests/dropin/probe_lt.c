/* SPDX-License-Identifier: BSD-3-Clause */
/* ==============================================================================
 * dropin/probe_lt.c: an application that uses cublasLt, for the tests that start
 * one. Linked, or with PROBE_DLOPEN through dlopen of its first argument. Prints the
 * status of a product and of a function that it just passes on.
 * ============================================================================== */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef int (*DescCreate)(void**, int, int);
typedef int (*LayoutInit)(void*, size_t, int, uint64_t, uint64_t, int64_t);
typedef int (*Matmul)(void*, void*, const void*, const void*, void*, const void*, void*,
                      const void*, const void*, void*, void*, void*, const void*, void*, size_t,
                      void*);

#ifdef PROBE_DLOPEN
static void* library;
#define FUNCTION(type, name) ((type)dlsym(library, #name))
#else
extern int cublasLtMatmulDescCreate(void**, int, int);
extern int cublasLtMatrixLayoutInit_internal(void*, size_t, int, uint64_t, uint64_t, int64_t);
extern int cublasLtMatmul(void*, void*, const void*, const void*, void*, const void*, void*,
                          const void*, const void*, void*, void*, void*, const void*, void*, size_t,
                          void*);
#define FUNCTION(type, name) ((type)name)
#endif

int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
#ifdef PROBE_DLOPEN
  library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    printf("dlopen: %s\n", dlerror());
    return 1;
  }
#endif
  void* operation = NULL;
  uint64_t layouts[3][8];
  const int created = FUNCTION(DescCreate, cublasLtMatmulDescCreate)(&operation, 68, 0);
  const LayoutInit init = FUNCTION(LayoutInit, cublasLtMatrixLayoutInit_internal);
  init(layouts[0], sizeof layouts[0], 0, 2, 4, 2);
  init(layouts[1], sizeof layouts[1], 0, 4, 3, 4);
  init(layouts[2], sizeof layouts[2], 0, 2, 3, 2);
  const float a[8] = {1}, b[12] = {1}, alpha = 1, beta = 0;
  float d[6] = {0};
  int handle = 0;
  const int product =
      FUNCTION(Matmul, cublasLtMatmul)(&handle, operation, &alpha, a, layouts[0], b, layouts[1],
                                       &beta, d, layouts[2], d, layouts[2], NULL, NULL, 0, NULL);
  printf("create=%d matmul=%d\n", created, product);
  return 0;
}
