/* SPDX-License-Identifier: BSD-3-Clause */
/* ==============================================================================
 * dropin/recorder.h: what a recorder stub saw of a call.
 *
 * The fake cuBLAS and the fake myblas export the whole list of names of the real
 * library. Names without a C function of their own are stubs in assembly that
 * write down every place where an argument can be, and return fake_result.
 * ============================================================================== */
#ifndef DROPIN_RECORDER_H
#define DROPIN_RECORDER_H

#include <stdint.h>

enum { kRecordedStackWords = 24 };

/* The stubs know the offsets. */
struct RecordedCall {
  int64_t index;                      /*   0: of the name in the list */
  int64_t general[9];                 /*   8: rdi rsi rdx rcx r8 r9 rax r10 - ; x0 to x8 */
  double vector[8][2];                /*  80: xmm0-7; q0-7 */
  int64_t stack[kRecordedStackWords]; /* 208: the words from the first stack argument on */
};

/* What a stub returns: rax or x0, and xmm0-1 or q0-1. */
struct RecordedResult {
  int64_t general;
  int64_t unused;
  double vector[2];
  double second_vector[2];
};

#endif
