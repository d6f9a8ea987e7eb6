// SPDX-License-Identifier: BSD-3-Clause
// The one thing that differs between libcublas.so.13, libcublas.so.12 and libmyblas_cublas.so.1,
// beside their SONAME and version script: compiled once for each.
#include "api/cublas/real_library.h"

namespace myblas::dropin {

extern const int kOwnMajor = MYBLAS_CUBLAS_MAJOR;

}  // namespace myblas::dropin
