/* SPDX-License-Identifier: BSD-3-Clause */
/* ==============================================================================
 * api/cublas/trampolines_x86_64.S: the exported names, System V AMD64.
 *
 * A forwarded name is one indirect jump through its slot, so that it works for any
 * signature: no argument register and nothing on the stack changes. A slot starts
 * at the name's stub, which asks myblas_resolve for the target, with every
 * register that can carry an argument kept, and jumps there.
 *
 * A name with an entry of our own jumps through myblas_entries (entries.cpp).
 * ============================================================================== */

.macro export_name name
  .globl \name
  .type \name, @function
  .p2align 4
\name:
  endbr64
.endm

.macro forward_name name, index
  export_name \name
  jmpq *myblas_slots+8*\index(%rip)
  .size \name, .-\name
  .p2align 4
.Lstub_\index:
  endbr64
  pushq $\index
  jmp .Lresolve
.endm

.macro own_name name, entry
  export_name \name
  jmpq *myblas_entries+8*\entry(%rip)
  .size \name, .-\name
.endm

  .text
  .hidden myblas_slots
  .hidden myblas_entries
  .hidden myblas_resolve

#define MYBLAS_FORWARD(name, index, is_v1) forward_name name, index
#define MYBLAS_OWN(name, index, entry) own_name name, entry
#include "cublas_names.inc"
#undef MYBLAS_FORWARD
#undef MYBLAS_OWN

/* On entry: (%rsp) the index, 8(%rsp) the caller's return address, then its stack arguments;
 * %rsp is a multiple of 16. */
  .type .Lresolve, @function
  .p2align 4
.Lresolve:
  .cfi_startproc
  .cfi_def_cfa_offset 16
  subq $192, %rsp
  .cfi_adjust_cfa_offset 192
  movq %rax, 128(%rsp)  /* %al: the number of vector registers of a variadic call */
  movq %rdi, 136(%rsp)
  movq %rsi, 144(%rsp)
  movq %rdx, 152(%rsp)
  movq %rcx, 160(%rsp)
  movq %r8, 168(%rsp)
  movq %r9, 176(%rsp)
  movq %r10, 184(%rsp)  /* static chain */
  movaps %xmm0, 0(%rsp)
  movaps %xmm1, 16(%rsp)
  movaps %xmm2, 32(%rsp)
  movaps %xmm3, 48(%rsp)
  movaps %xmm4, 64(%rsp)
  movaps %xmm5, 80(%rsp)
  movaps %xmm6, 96(%rsp)
  movaps %xmm7, 112(%rsp)
  movl 192(%rsp), %edi
  movq 200(%rsp), %rsi
  call myblas_resolve
  movq %rax, %r11
  movaps 0(%rsp), %xmm0
  movaps 16(%rsp), %xmm1
  movaps 32(%rsp), %xmm2
  movaps 48(%rsp), %xmm3
  movaps 64(%rsp), %xmm4
  movaps 80(%rsp), %xmm5
  movaps 96(%rsp), %xmm6
  movaps 112(%rsp), %xmm7
  movq 128(%rsp), %rax
  movq 136(%rsp), %rdi
  movq 144(%rsp), %rsi
  movq 152(%rsp), %rdx
  movq 160(%rsp), %rcx
  movq 168(%rsp), %r8
  movq 176(%rsp), %r9
  movq 184(%rsp), %r10
  addq $200, %rsp
  .cfi_adjust_cfa_offset -200
  jmpq *%r11
  .cfi_endproc
  .size .Lresolve, .-.Lresolve

/* myblas_stubs keeps the first value of each slot, for putting it back (forward.cpp). */
.macro slots label
  .globl \label
  .hidden \label
  .type \label, @object
  .p2align 6
\label:
.endm

#define MYBLAS_FORWARD(name, index, is_v1) .quad .Lstub_##index
#define MYBLAS_OWN(name, index, entry) .quad 0
  .data
slots myblas_slots
#include "cublas_names.inc"
  .size myblas_slots, .-myblas_slots
  .section .data.rel.ro, "aw"
slots myblas_stubs
#include "cublas_names.inc"
  .size myblas_stubs, .-myblas_stubs

  .section .note.GNU-stack, "", @progbits

/* Says that every indirect branch target here starts with endbr64 (IBT) and that calls and
 * returns pair up (shadow stacks). */
  .section .note.gnu.property, "a"
  .p2align 3
  .long 4, 16, 5
  .asciz "GNU"
  .long 0xc0000002, 4, 3, 0
