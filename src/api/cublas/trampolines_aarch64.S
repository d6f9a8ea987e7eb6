/* SPDX-License-Identifier: BSD-3-Clause */
/* ==============================================================================
 * api/cublas/trampolines_aarch64.S: the exported names, AAPCS64.
 *
 * The same as trampolines_x86_64.S. The only registers used before the target is
 * reached are x16 and x17, which the ABI gives to such code.
 * ============================================================================== */

.macro export_name name
  .globl \name
  .type \name, %function
  .p2align 4
\name:
  hint #34  /* bti c */
.endm

.macro jump_through table, index
  adrp x16, \table+8*\index
  ldr x16, [x16, #:lo12:\table+8*\index]
  br x16
.endm

.macro forward_name name, index
  export_name \name
  jump_through myblas_slots, \index
  .size \name, .-\name
  .p2align 4
.Lstub_\index:
  hint #34
  mov w17, #\index
  b .Lresolve
.endm

.macro own_name name, entry
  export_name \name
  jump_through myblas_entries, \entry
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

/* On entry: w17 the index, x30 the caller's return address. */
  .type .Lresolve, %function
  .p2align 4
.Lresolve:
  .cfi_startproc
  stp x29, x30, [sp, #-224]!
  .cfi_def_cfa_offset 224
  .cfi_offset x29, -224
  .cfi_offset x30, -216
  mov x29, sp
  stp x0, x1, [sp, #16]
  stp x2, x3, [sp, #32]
  stp x4, x5, [sp, #48]
  stp x6, x7, [sp, #64]
  str x8, [sp, #80]  /* where a large result goes */
  stp q0, q1, [sp, #96]
  stp q2, q3, [sp, #128]
  stp q4, q5, [sp, #160]
  stp q6, q7, [sp, #192]
  mov w0, w17
  mov x1, x30
  bl myblas_resolve
  mov x16, x0
  ldp q0, q1, [sp, #96]
  ldp q2, q3, [sp, #128]
  ldp q4, q5, [sp, #160]
  ldp q6, q7, [sp, #192]
  ldp x0, x1, [sp, #16]
  ldp x2, x3, [sp, #32]
  ldp x4, x5, [sp, #48]
  ldp x6, x7, [sp, #64]
  ldr x8, [sp, #80]
  ldp x29, x30, [sp], #224
  .cfi_restore x29
  .cfi_restore x30
  .cfi_def_cfa_offset 0
  br x16
  .cfi_endproc
  .size .Lresolve, .-.Lresolve

/* myblas_stubs keeps the first value of each slot, for putting it back (forward.cpp). */
.macro slots label
  .globl \label
  .hidden \label
  .type \label, %object
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

  .section .note.GNU-stack, "", %progbits
