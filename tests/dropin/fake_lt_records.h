// SPDX-License-Identifier: BSD-3-Clause
// dropin/fake_lt_records.h: what fake_myblas_lt.c saw of a product.
#ifndef DROPIN_FAKE_LT_RECORDS_H
#define DROPIN_FAKE_LT_RECORDS_H

#include "api/dropin_hooks.h"
#include "fake_myblas.h"

struct RecordedMatmul {
  int calls;
  void* handle;
  struct FakeShadow state;  // the handle's, when it was called
  myblasDropinMatmul_t product;
};

#endif
