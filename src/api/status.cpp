// SPDX-License-Identifier: BSD-3-Clause
// Version and the names of status codes: answered without a handle.
#include "myblas.h"

namespace {

struct StatusText {
  myblasStatus_t status;
  const char* name;
  const char* sentence;
};

constexpr StatusText kStatusTexts[] = {
    {MYBLAS_STATUS_SUCCESS, "MYBLAS_STATUS_SUCCESS", "success"},
    {MYBLAS_STATUS_NOT_INITIALIZED, "MYBLAS_STATUS_NOT_INITIALIZED",
     "the handle is not initialized, or no backend could be opened"},
    {MYBLAS_STATUS_ALLOC_FAILED, "MYBLAS_STATUS_ALLOC_FAILED", "a memory allocation failed"},
    {MYBLAS_STATUS_INVALID_VALUE, "MYBLAS_STATUS_INVALID_VALUE",
     "an argument has an invalid value"},
    {MYBLAS_STATUS_ARCH_MISMATCH, "MYBLAS_STATUS_ARCH_MISMATCH",
     "the device lacks a feature that the call needs"},
    {MYBLAS_STATUS_MAPPING_ERROR, "MYBLAS_STATUS_MAPPING_ERROR",
     "memory could not be copied or mapped"},
    {MYBLAS_STATUS_EXECUTION_FAILED, "MYBLAS_STATUS_EXECUTION_FAILED",
     "a kernel could not be launched"},
    {MYBLAS_STATUS_INTERNAL_ERROR, "MYBLAS_STATUS_INTERNAL_ERROR", "an internal error"},
    {MYBLAS_STATUS_NOT_SUPPORTED, "MYBLAS_STATUS_NOT_SUPPORTED",
     "the combination of arguments is not supported"},
    {MYBLAS_STATUS_LICENSE_ERROR, "MYBLAS_STATUS_LICENSE_ERROR", "a licence is missing"},
};

const char* text_of(myblasStatus_t status, const char* StatusText::*field) {
  for (const StatusText& text : kStatusTexts) {
    if (text.status == status) return text.*field;
  }
  return "unrecognized status";
}

}  // namespace

const char* myblasGetStatusName(myblasStatus_t status) {
  return text_of(status, &StatusText::name);
}

const char* myblasGetStatusString(myblasStatus_t status) {
  return text_of(status, &StatusText::sentence);
}

myblasStatus_t myblasGetVersion(myblasHandle_t, int* version) {
  if (version == nullptr) return MYBLAS_STATUS_INVALID_VALUE;
  *version = MYBLAS_VERSION;
  return MYBLAS_STATUS_SUCCESS;
}

myblasStatus_t myblasGetProperty(myblasPropertyType_t type, int* value) {
  if (value == nullptr) return MYBLAS_STATUS_INVALID_VALUE;
  switch (type) {
    case MYBLAS_MAJOR_VERSION: *value = MYBLAS_VER_MAJOR; return MYBLAS_STATUS_SUCCESS;
    case MYBLAS_MINOR_VERSION: *value = MYBLAS_VER_MINOR; return MYBLAS_STATUS_SUCCESS;
    case MYBLAS_PATCH_LEVEL: *value = MYBLAS_VER_PATCH; return MYBLAS_STATUS_SUCCESS;
  }
  return MYBLAS_STATUS_INVALID_VALUE;
}
