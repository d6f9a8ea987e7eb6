// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/cublas/state.h: cuBLAS's state functions, seen by both libraries.
//
// The real setter runs first and its status is the answer; a value that it took
// goes to the shadow as well. So a setter costs one more store, and the shadow is
// never ahead of the real handle. A value that the shadow refuses sets a
// Divergence bit, and products are forwarded until a later value fits.
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>

#include "myblas.h"

namespace myblas::dropin {

using Status = myblasStatus_t;
using RealHandle = myblasHandle_t;  // a cublasHandle_t: never read, only looked up

// What a variable of the environment asks for: Divergence bits.
uint32_t emulation_of_environment();

// An address that ours does not take: as with none, its captures go without a workspace.
Status set_our_workspace(myblasHandle_t ours, void* workspace, size_t bytes);

Status create(RealHandle* handle) noexcept;
Status destroy(RealHandle handle) noexcept;
Status set_stream(RealHandle handle, myblasStream_t stream) noexcept;
Status set_workspace(RealHandle handle, void* workspace, size_t bytes) noexcept;
Status set_pointer_mode(RealHandle handle, myblasPointerMode_t mode) noexcept;
Status set_math_mode(RealHandle handle, myblasMath_t mode) noexcept;
Status set_atomics_mode(RealHandle handle, myblasAtomicsMode_t mode) noexcept;
Status set_sm_count_target(RealHandle handle, int sm_count) noexcept;

Status set_emulation_strategy(RealHandle handle, int strategy) noexcept;
Status set_emulation_special_values(RealHandle handle, int mask) noexcept;
Status set_mantissa_control(RealHandle handle, int control) noexcept;
Status set_max_mantissa_bits(RealHandle handle, int bits) noexcept;
Status set_mantissa_bit_offset(RealHandle handle, int offset) noexcept;
Status set_mantissa_bits_pointer(RealHandle handle, int* bits) noexcept;

// The log is of the process. Switching cuBLAS's on (and off again), or giving it a callback, does
// so to ours too, with the same destinations.
Status logger_configure(int on, int to_stdout, int to_stderr, const char* file_name) noexcept;
Status set_logger_callback(myblasLogCallback callback) noexcept;

}  // namespace myblas::dropin
