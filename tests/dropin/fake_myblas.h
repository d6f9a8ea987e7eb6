/* SPDX-License-Identifier: BSD-3-Clause */
/* dropin/fake_myblas.h: the handles of the fake myblas. */
#ifndef DROPIN_FAKE_MYBLAS_H
#define DROPIN_FAKE_MYBLAS_H

#include <stddef.h>

struct FakeShadow {
  int is_shadow;
  /* Kept by fake_myblas_lt.c alone. */
  int pointer_mode;
  int sm_count;
  void* stream;
  int has_workspace;
  void* workspace;
  size_t workspace_bytes;
};

#endif
