// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/emulator.h: the emulated GPU as the tests see it.
//
// driver_gpu.cpp puts it under the library in place of the CUDA driver, so that a
// test calls myblasSgemm and the real dispatcher and launchers run.
//==============================================================================
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace emulator {

// When an asynchronous copy lands: as late as the program's waits allow, at once, or at a seeded
// moment in between.
enum class CopyTiming { kLate, kAtOnce, kSeeded };

struct Settings {
  uint64_t seed = 1;  // order of blocks, warps and lanes
  CopyTiming copies = CopyTiming::kLate;
  bool count_wavefronts = false;
  // Products and sums of a tensor core's instruction are cut off below so many bits of the largest
  // of them, as the hardware does it. 0: exact, and rounded once.
  int tensor_core_bits = 0;
  // Kernels stride over the tiles and the batch: any grid will do. 0: the launcher's own.
  unsigned largest_grid = 0;
};
void configure(const Settings& settings);

// Wavefronts of the shared memory accesses through one line of ptx/ calls, beside the least that
// their bytes need.
struct Wavefronts {
  uint64_t actual = 0, ideal = 0, instructions = 0;
};

struct Result {
  std::string error;  // empty: none. Kernel, block, thread, source line and what went wrong.
  // By source line. Where there are no more than the least, all together: a line's name takes a
  // process to find.
  std::map<std::string, Wavefronts> wavefronts;
};
// Of the launches since the last take_result().
Result take_result();

// Kernels come from modules: the .cu files compiled by g++ as shared objects. Searched in the
// order of loading; unload forgets the latest.
void load_module(const char* path);
void unload_module();
void* find_kernel(const char* name);

// Memory that kernels may touch, of exactly this size.
void* allocate(size_t bytes);
void release(void* memory);
// The same for memory that the caller owns.
void admit(void* memory, size_t bytes);
void withdraw(void* memory);

struct Shape {
  unsigned grid_x = 1, grid_y = 1, threads = 32;
  size_t smem_bytes = 0;
  unsigned cluster_x = 1;  // blocks that run together
  // While the grid ahead still ends: an access to global memory by a thread that has not waited for
  // it (ptx::wait_for_previous_grid) is an error.
  bool early_start = false;
};
// Runs kernel(argument) for every block; the argument is of the kernel's own type, 2 KiB at most.
// False after an error, which take_result() tells.
bool launch(void* kernel, const Shape& shape, const void* argument);

// An error of the host's: take_result() tells it. kNoModule: a launch of a kernel of a family that
// is not in this build.
inline constexpr const char* kNoModule = "a kernel that is in no module";
void report(const std::string& error);

// The GPU that the library sees: its compute capability and SMs. Handles made from then on look up
// their kernels again.
void pretend_to_be(int cc, int sm_count = 2);

// Memory in the order of a stream is out, or there again.
void refuse_memory(bool refused);

// Streams say that they are being captured. What is launched still runs at once.
void pretend_to_capture(bool capturing);

// Every stream is another one from now on, where the one before was.
void make_streams_anew();

}  // namespace emulator
