/* SPDX-License-Identifier: BSD-3-Clause */
/* cublas_v2.h: what a cuBLAS program includes. The prototypes, and the names without a suffix. */
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_

#ifdef CUBLAS_H_
#error "cublas.h and cublas_v2.h give the same names to different functions: include one of them"
#endif

#include "cublas_api.h"
#include "myblas_cublas_names.h"

#endif /* CUBLAS_V2_H_ */
