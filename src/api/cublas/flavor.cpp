// SPDX-License-Identifier: BSD-3-Clause
// The one thing that differs between the drop-in's libraries (CMakeLists.txt) beside their SONAME
// and version script: compiled once for each.
#include "api/cublas/real_library.h"

namespace myblas::dropin {

extern const int kOwnMajor = MYBLAS_CUBLAS_MAJOR;

}  // namespace myblas::dropin
