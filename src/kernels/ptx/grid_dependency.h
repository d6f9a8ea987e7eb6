// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// ptx/grid_dependency.h: kernels that are launched while the grid ahead of them in the stream still
// ends. PTX ISA, "griddepcontrol" (sm_90; nothing on older chips, where none is launched so).
//==============================================================================
#pragma once

namespace myblas::ptx {

// By every thread of every block, before the first access to global memory: all grids ahead in the
// stream are complete, and what they wrote is seen.
__device__ __forceinline__ void wait_for_previous_grid() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;\n" ::: "memory");
#endif
}

// The next grid of the stream may be started when every block has called this or ended; it still
// waits for this grid's end before it touches memory.
__device__ __forceinline__ void let_next_grid_start() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;\n");
#endif
}

}  // namespace myblas::ptx
