/* SPDX-License-Identifier: BSD-3-Clause */
/* See recorder.h. RECORDER_NAMES: a file of MYBLAS_FORWARD / MYBLAS_OWN lines. */
.macro record_name name, index
  .weak \name
  .type \name, @function
\name:
  movl $\index, %r11d
  jmp .Lrecord
.endm

  .text
  .hidden fake_call
  .hidden fake_result

#define MYBLAS_FORWARD(name, index, is_v1) record_name name, index
#define MYBLAS_OWN(name, index, entry) record_name name, index
#include RECORDER_NAMES

.Lrecord:
  pushq %rbx
  leaq fake_call(%rip), %rbx
  movq %r11, 0(%rbx)
  movq %rdi, 8(%rbx)
  movq %rsi, 16(%rbx)
  movq %rdx, 24(%rbx)
  movq %rcx, 32(%rbx)
  movq %r8, 40(%rbx)
  movq %r9, 48(%rbx)
  movq %rax, 56(%rbx)
  movq %r10, 64(%rbx)
  movups %xmm0, 80(%rbx)
  movups %xmm1, 96(%rbx)
  movups %xmm2, 112(%rbx)
  movups %xmm3, 128(%rbx)
  movups %xmm4, 144(%rbx)
  movups %xmm5, 160(%rbx)
  movups %xmm6, 176(%rbx)
  movups %xmm7, 192(%rbx)
  leaq 16(%rsp), %rsi  /* past the saved register and the return address */
  leaq 208(%rbx), %rdi
  movl $24, %ecx
  rep movsq
  popq %rbx
  leaq fake_result(%rip), %rcx
  movq 0(%rcx), %rax
  movups 16(%rcx), %xmm0
  movups 32(%rcx), %xmm1
  ret

  .section .note.GNU-stack, "", @progbits
