/* SPDX-License-Identifier: BSD-3-Clause */
/* cublas_v2.h: what a cuBLAS program includes. The prototypes, and the names without a suffix. */
#ifndef MYBLAS_COMPAT_CUBLAS_V2_H
#define MYBLAS_COMPAT_CUBLAS_V2_H

#ifdef MYBLAS_COMPAT_CUBLAS_H
#error "cublas.h and cublas_v2.h give the same names to different functions: include one of them"
#endif

/* For programs that ask whether cuBLAS's own header has been seen. */
#define CUBLAS_V2_H_

#include "cublas_api.h"
#include "myblas_cublas_names.h"

#endif /* MYBLAS_COMPAT_CUBLAS_V2_H */
