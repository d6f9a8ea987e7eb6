/* SPDX-License-Identifier: BSD-3-Clause */
/* See recorder.h. RECORDER_NAMES: a file of MYBLAS_FORWARD / MYBLAS_OWN lines. */
.macro record_name name, index
  .weak \name
  .type \name, %function
\name:
  mov w17, #\index
  b .Lrecord
.endm

  .text
  .hidden fake_call
  .hidden fake_result

#define MYBLAS_FORWARD(name, index, is_v1) record_name name, index
#define MYBLAS_OWN(name, index, entry) record_name name, index
#include RECORDER_NAMES

.Lrecord:
  adrp x16, fake_call
  add x16, x16, :lo12:fake_call
  str x17, [x16]
  stp x0, x1, [x16, #8]
  stp x2, x3, [x16, #24]
  stp x4, x5, [x16, #40]
  stp x6, x7, [x16, #56]
  str x8, [x16, #72]
  stp q0, q1, [x16, #80]
  stp q2, q3, [x16, #112]
  stp q4, q5, [x16, #144]
  stp q6, q7, [x16, #176]
  add x16, x16, #208
  mov x9, sp
  mov x10, #24
1:
  ldr x11, [x9], #8
  str x11, [x16], #8
  subs x10, x10, #1
  b.ne 1b
  adrp x16, fake_result
  add x16, x16, :lo12:fake_result
  ldr x0, [x16]
  ldp q0, q1, [x16, #16]
  ret

  .section .note.GNU-stack, "", %progbits
