/* SPDX-License-Identifier: BSD-3-Clause */
/* =============================================================================================
 * api/dropin_hooks.h: what libmyblas exports to its own drop-in library and to nobody else
 * (version node MYBLAS_PRIVATE, no promise of stability).
 *
 * The drop-in is otherwise a plain client of myblas.h: it calls myblasSgemm(...) on the handle
 * that shadows the caller's, and forwards to the real cuBLAS when that ends with NOT_INITIALIZED,
 * INVALID_VALUE, NOT_SUPPORTED or ARCH_MISMATCH (nothing was launched, C is untouched).
 * ============================================================================================= */
#ifndef MYBLAS_DROPIN_HOOKS_H
#define MYBLAS_DROPIN_HOOKS_H

#include "myblas.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A shadow handle stands beside a real cuBLAS handle. Rejections on it are not logged: the
 * drop-in logs them, with what became of the call. */
MYBLAS_API void myblasDropinMarkShadow(myblasHandle_t handle);

/* Why this thread's last gemm call on a shadow handle was rejected, e.g.
 * "lda = 3 < max(1, m) = 5". Valid until the thread's next call. */
MYBLAS_API const char* myblasDropinLastRejection(void);

/* Where a handle made now would compute: 1 on a GPU, 0 on the CPU, since none is usable or
 * MYBLAS_BACKEND is cpu; -1 where none can be made, since a variable has no sense (which was said).
 */
MYBLAS_API int myblasDropinGpuUsable(void);

/* Whether log lines go anywhere (MYBLAS_LOG, LoggerConfigure or a callback), and one line out. */
MYBLAS_API int myblasDropinLogEnabled(void);
MYBLAS_API void myblasDropinLog(const char* line);

#ifdef __cplusplus
}
#endif

#endif /* MYBLAS_DROPIN_HOOKS_H */
