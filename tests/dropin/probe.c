/* SPDX-License-Identifier: BSD-3-Clause */
/* ==============================================================================
 * dropin/probe.c: an application that uses cuBLAS, for the tests that start one.
 *
 * Linked, or with PROBE_DLOPEN through dlopen of its first argument. Prints the
 * product of two matrices, which the fake cuBLAS does not compute, and the version;
 * with PROBE_ONLY=version in the environment, the version alone. PROBE_STREAM: on a
 * stream; PROBE_FORK: then a child, which exits (quiet) or makes a call first (call).
 * ============================================================================== */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int (*Create)(void**);
typedef int (*Destroy)(void*);
typedef int (*GetVersion)(void*, int*);
typedef int (*SetStream)(void*, void*);
typedef int (*Saxpy)(void*, int, const float*, const float*, int, float*, int);
typedef int (*Sgemm)(void*, int, int, int, int, int, const float*, const float*, int, const float*,
                     int, const float*, float*, int);

#ifdef PROBE_DLOPEN
static void* library;
#define FUNCTION(type, name) ((type)dlsym(library, #name))
#else
extern int cublasCreate_v2(void**);
extern int cublasDestroy_v2(void*);
extern int cublasGetVersion_v2(void*, int*);
extern int cublasSetStream_v2(void*, void*);
extern int cublasSaxpy_v2(void*, int, const float*, const float*, int, float*, int);
extern int cublasSgemm_v2(void*, int, int, int, int, int, const float*, const float*, int,
                          const float*, int, const float*, float*, int);
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
  void* handle = NULL;
  int version = 0;
  const char* only = getenv("PROBE_ONLY");
  if (only != NULL && strcmp(only, "version") == 0) {
    FUNCTION(GetVersion, cublasGetVersion_v2)(NULL, &version);
    printf("version=%d\n", version);
    return 0;
  }
  const int created = FUNCTION(Create, cublasCreate_v2)(&handle);
  FUNCTION(GetVersion, cublasGetVersion_v2)(handle, &version);
  printf("create=%d version=%d\n", created, version);
  if (created != 0) return 1;
  if (getenv("PROBE_STREAM") != NULL) {
    FUNCTION(SetStream, cublasSetStream_v2)(handle, (void*)0x5700);
  }
  const float a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8}, alpha = 1, beta = 0;
  float c[] = {-1, -1, -1, -1};
  const int product =
      FUNCTION(Sgemm, cublasSgemm_v2)(handle, 0, 0, 2, 2, 2, &alpha, a, 2, b, 2, &beta, c, 2);
  const int sum = FUNCTION(Saxpy, cublasSaxpy_v2)(handle, 2, &alpha, a, 1, c, 1);
  printf("sgemm=%d c=%g,%g,%g,%g saxpy=%d\n", product, c[0], c[1], c[2], c[3], sum);
  const char* child = getenv("PROBE_FORK");
  if (child != NULL) {
    fflush(stdout);
    if (fork() == 0) {
      if (strcmp(child, "call") == 0) {
        FUNCTION(Saxpy, cublasSaxpy_v2)(handle, 2, &alpha, a, 1, c, 1);
      }
      exit(0);
    }
    wait(NULL);
  }
  return FUNCTION(Destroy, cublasDestroy_v2)(handle);
}
