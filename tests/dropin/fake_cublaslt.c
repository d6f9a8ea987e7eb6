/* SPDX-License-Identifier: BSD-3-Clause */
/* ==============================================================================
 * dropin/fake_cublaslt.c: stands for the real libcublasLt.so.N in the tests.
 *
 * Its descriptors have attributes; every other name is a recorder stub, among them
 * cublasLtMatmul. Layouts are flat, as NVIDIA's; with FAKE_LT_INDIRECT in the
 * environment they point to memory elsewhere. FAKE_LT_OLD: a release without batch
 * modes and without attributes of operations past 26.
 * ============================================================================== */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "recorder.h"

#define EXPORT __attribute__((visibility("default")))

__attribute__((visibility("hidden"))) struct RecordedCall fake_call;
__attribute__((visibility("hidden"))) struct RecordedResult fake_result;

EXPORT struct RecordedCall* fake_lt_call(void) { return &fake_call; }
EXPORT struct RecordedResult* fake_lt_result(void) { return &fake_result; }

static int layout_reads;
EXPORT int fake_lt_layout_reads(void) { return layout_reads; }

enum { kSuccess = 0, kAllocFailed = 3, kInvalidValue = 7 };
enum { kLayoutAttributes = 9, kOperationAttributes = 42 };

/* 56 bytes: no program's layout has fewer. */
struct Layout {
  int32_t type, order;
  uint64_t rows, columns;
  int64_t ld;
  int32_t batch_count;
  uint32_t batch_mode;
  int64_t batch_stride, plane_offset;
};

static struct Layout* fields_of(void* layout) {
  if (getenv("FAKE_LT_INDIRECT") == NULL) return layout;
  return *(struct Layout**)layout;
}

/* Where an attribute is, and its size; NULL: unknown. */
static void* field(struct Layout* layout, int attribute, size_t* bytes) {
  *bytes = 8;
  switch (attribute) {
    case 0: *bytes = 4; return &layout->type;
    case 1: *bytes = 4; return &layout->order;
    case 2: return &layout->rows;
    case 3: return &layout->columns;
    case 4: return &layout->ld;
    case 5: *bytes = 4; return &layout->batch_count;
    case 6: return &layout->batch_stride;
    case 7: return &layout->plane_offset;
    case 8: *bytes = 4; return getenv("FAKE_LT_OLD") == NULL ? &layout->batch_mode : NULL;
    default: return NULL;
  }
}

static int get(const void* from, size_t known, void* value, size_t bytes, size_t* written) {
  if (from == NULL || (bytes != 0 && (value == NULL || bytes != known))) return kInvalidValue;
  if (bytes != 0) memcpy(value, from, bytes);
  if (written != NULL) *written = known;
  return kSuccess;
}

EXPORT int cublasLtMatrixLayoutInit_internal(void* layout, size_t bytes, int type, uint64_t rows,
                                             uint64_t columns, int64_t ld) {
  if (bytes < sizeof(struct Layout)) return kAllocFailed;
  if (getenv("FAKE_LT_INDIRECT") != NULL) {
    *(struct Layout**)layout = calloc(1, sizeof(struct Layout)); /* never freed: a test */
  }
  struct Layout* fields = fields_of(layout);
  memset(fields, 0, sizeof *fields);
  fields->type = type;
  fields->rows = rows;
  fields->columns = columns;
  fields->ld = ld;
  fields->batch_count = 1;
  return kSuccess;
}

EXPORT int cublasLtMatrixLayoutSetAttribute(void* layout, int attribute, const void* value,
                                            size_t bytes) {
  size_t known = 0;
  void* to = field(fields_of(layout), attribute, &known);
  if (to == NULL || bytes != known) return kInvalidValue;
  memcpy(to, value, bytes);
  return kSuccess;
}

EXPORT int cublasLtMatrixLayoutGetAttribute(void* layout, int attribute, void* value, size_t bytes,
                                            size_t* written) {
  size_t known = 0;
  ++layout_reads;
  const void* from = field(fields_of(layout), attribute, &known);
  return get(from, known, value, bytes, written);
}

struct Operation {
  uint64_t values[kOperationAttributes];
};

static size_t operation_bytes(int attribute) {
  if (attribute < 0 || attribute >= kOperationAttributes || attribute == 9) return 0;
  if (attribute > 26 && getenv("FAKE_LT_OLD") != NULL) return 0;
  if (attribute == 25) return 1;
  if (attribute == 8 || (attribute >= 10 && attribute <= 14) || attribute == 38 ||
      (attribute >= 17 && attribute <= 21) || attribute == 39 || attribute == 40) {
    return 8;
  }
  return 4;
}

EXPORT int cublasLtMatmulDescCreate(struct Operation** operation, int compute, int scale) {
  *operation = calloc(1, sizeof **operation);
  (*operation)->values[0] = (uint64_t)compute;
  (*operation)->values[1] = (uint64_t)scale;
  (*operation)->values[6] = 2;           /* full */
  (*operation)->values[7] = 1;           /* the default epilogue */
  (*operation)->values[26] = 0xffffffff; /* D's type */
  (*operation)->values[41] = 0x8000;     /* unset */
  return kSuccess;
}

EXPORT int cublasLtMatmulDescDestroy(struct Operation* operation) {
  free(operation);
  return kSuccess;
}

EXPORT int cublasLtMatmulDescSetAttribute(struct Operation* operation, int attribute,
                                          const void* value, size_t bytes) {
  if (bytes == 0 || bytes != operation_bytes(attribute)) return kInvalidValue;
  memcpy(&operation->values[attribute], value, bytes);
  return kSuccess;
}

EXPORT int cublasLtMatmulDescGetAttribute(struct Operation* operation, int attribute, void* value,
                                          size_t bytes, size_t* written) {
  const size_t known = operation_bytes(attribute);
  return get(known == 0 ? NULL : &operation->values[attribute], known, value, bytes, written);
}

#ifdef FAKE_LATER
/* A private function that its cuBLAS calls and the drop-in has never heard of. */
EXPORT int cublasLtOfALaterRelease(void) { return kSuccess; }
#endif

EXPORT int cublasLtGetProperty(int type, int* value) {
  static const int kVersion[] = {FAKE_MAJOR, 1, 7};
  if (type < 0 || type > 2 || value == NULL) return kInvalidValue;
  *value = kVersion[type];
  return kSuccess;
}
