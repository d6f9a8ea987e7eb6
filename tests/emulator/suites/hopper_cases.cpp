// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// suites/hopper_cases.cpp: TMA's boxes and wgmma's operands in every layout.
//==============================================================================
#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/common/tma_shape.h"
#include "suites/instruction_args.h"
#include "suites/instruction_cases.h"
#include "support/random.h"

namespace myblas::test {
namespace {

constexpr Swizzle kSwizzles[] = {Swizzle::kNone, Swizzle::k32B, Swizzle::k64B, Swizzle::k128B};
constexpr const char* kSwizzleNames[] = {"plain", "32B", "64B", "128B"};

int row_bytes(Swizzle swizzle) { return 16 << static_cast<int>(swizzle); }

// ---- wgmma ------------------------------------------------------------------------------------

struct WgmmaCase {
  std::string kernel;
  int n;
  bool a_transposed, b_transposed;
  Swizzle a, b;
  int k;
  int element_bytes = 2;
};

// As close as the layout allows, or with room between its parts. Returns the operand's bytes.
// pieces: of 16 bytes, along k where the operand is K-major, else of 8 k.
int lay_out(OperandLayout& layout, Swizzle swizzle, bool transposed, int rows, int pieces,
            int room) {
  layout.swizzle = swizzle;
  const int row = row_bytes(swizzle);
  if (swizzle == Swizzle::kNone) {
    // 8 x 16 bytes are a part; k first or rows first.
    const int parts_k = pieces, parts_row = rows / 8;
    int& along_rows = layout.stride;
    int& along_k = layout.leading;
    along_k = room == 0 ? 128 : 128 * parts_row + 16 * room;
    along_rows = room == 0 ? 128 * parts_k : 128;
    layout.step = 2 * along_k;
    return along_rows * (parts_row - 1) + along_k * (parts_k - 1) + 128;
  }
  if (!transposed) {
    layout.stride = 8 * row + 1024 * room;
    layout.leading = 16;
    layout.step = 32;
    return layout.stride * (rows / 8);
  }
  layout.stride = 8 * row;
  layout.leading = 8 * row * pieces + 1024 * room;
  layout.step = 2 * layout.stride;
  return layout.leading * ((rows * 2 + row - 1) / row);
}

InstructionRun run_wgmma(const WgmmaCase& x, InstructionMachine& machine, uint64_t seed) {
  const auto k = static_cast<size_t>(x.k), n = static_cast<size_t>(x.n);
  Elements<float> a(machine, random_integers(64 * k, 60, mix(seed)));
  Elements<float> b(machine, random_integers(k * n, 60, mix(seed + 1000)));
  Elements<float> c(machine, random_integers(64 * n, 1000, mix(seed + 2000)));
  WgmmaArgs args{};
  args.a = a.data();
  args.b = b.data();
  args.c = c.data();
  args.k = x.k;
  args.accumulate = seed % 2 != 0;
  const int room = static_cast<int>(seed / 2 % 2);
  const int pieces = x.k * x.element_bytes / 16;
  const int a_bytes = lay_out(args.layout_a, x.a, x.a_transposed, 64, pieces, room);
  const int b_bytes = lay_out(args.layout_b, x.b, x.b_transposed, x.n, pieces, room);
  args.b_offset = (a_bytes + 1023) / 1024 * 1024;
  InstructionRun run;
  run.error = machine.launch(
      x.kernel.c_str(),
      {.threads = 128, .smem_bytes = static_cast<size_t>(args.b_offset + b_bytes)}, &args);
  for (float value : c.now()) run.result.push_back(value);
  for (size_t i = 0; i < 64; ++i) {
    for (size_t j = 0; j < n; ++j) {
      double sum = args.accumulate != 0 ? c.before()[i * n + j] : 0.0;
      for (size_t p = 0; p < k; ++p) {
        sum += static_cast<double>(a.before()[i * k + p]) * b.before()[p * n + j];
      }
      run.expected.push_back(sum);
    }
  }
  return run;
}

// k that the layouts reach: within a row of bytes where an operand is K-major and swizzled.
int common_k(Swizzle a, bool a_transposed, Swizzle b, bool b_transposed) {
  int k = 64;
  if (!a_transposed && a != Swizzle::kNone) k = std::min(k, row_bytes(a) / 2);
  if (!b_transposed && b != Swizzle::kNone) k = std::min(k, row_bytes(b) / 2);
  return k;
}

void add_wgmma_cases(std::vector<InstructionCase>& cases) {
  const auto add = [&](const WgmmaCase& x, const std::string& name) {
    cases.push_back({name, [x](InstructionMachine& machine, uint64_t seed) {
                       return run_wgmma(x, machine, seed);
                     }});
  };
  for (const char* type : {"bf16", "f16"}) {
    for (int n : {8, 16, 32, 48, 64, 96, 128, 144, 160, 176, 192, 224, 256}) {
      const std::string kernel = std::string("wgmma_") + type + "_n" + std::to_string(n) + "_kk";
      add({kernel, n, false, false, Swizzle::k128B, Swizzle::k128B, 64}, kernel + "_128B");
    }
    for (const std::string majors : {"kk", "tk", "kt", "tt"}) {
      const bool a_transposed = majors[0] == 't', b_transposed = majors[1] == 't';
      const std::string kernel = std::string("wgmma_") + type + "_n64_" + majors;
      for (size_t i = 0; i < 4; ++i) {
        // Each swizzle for A beside each for B.
        for (size_t j = 0; j < 4; ++j) {
          const int k = common_k(kSwizzles[i], a_transposed, kSwizzles[j], b_transposed);
          if (kernel == "wgmma_" + std::string(type) + "_n64_kk" && i == 3 && j == 3) continue;
          add({kernel, 64, a_transposed, b_transposed, kSwizzles[i], kSwizzles[j], k},
              kernel + "_" + kSwizzleNames[i] + "_" + kSwizzleNames[j]);
        }
      }
    }
    // Of the last block of 64 columns all, a half or a quarter.
    for (int n : {144, 160, 256}) {
      const std::string kernel = std::string("wgmma_") + type + "_n" + std::to_string(n) + "_tt";
      add({kernel, n, true, true, Swizzle::k128B, Swizzle::k128B, 32}, kernel + "_128B");
    }
  }
  for (const auto& [type, bytes] : {std::pair{"tf32", 4}, {"s8", 1}}) {
    for (int n : {8, 16, 32, 48, 64, 96, 128, 144, 160, 176, 192, 224, 256}) {
      const std::string kernel = std::string("wgmma_") + type + "_n" + std::to_string(n) + "_kk";
      add({kernel, n, false, false, Swizzle::k128B, Swizzle::k128B, 128 / bytes, bytes},
          kernel + "_128B");
    }
    const std::string kernel = std::string("wgmma_") + type + "_n64_kk";
    add({kernel, 64, false, false, Swizzle::kNone, Swizzle::k64B, 64 / bytes, bytes},
        kernel + "_plain_64B");
    add({kernel, 64, false, false, Swizzle::k32B, Swizzle::kNone, 32 / bytes, bytes},
        kernel + "_32B_plain");
  }
  for (int n : {16, 32, 64, 128, 192, 256}) {
    const std::string kernel = "wgmma_tf32_n" + std::to_string(n) + "_rk";
    add({kernel, n, false, false, Swizzle::k128B, Swizzle::k128B, 32, 4}, kernel + "_128B");
  }
}

// ---- TMA --------------------------------------------------------------------------------------

enum class Box { kLoad, kStore, kMulticast };

// kBatch: 3 sides. kMemory: 4, all matrices there are (common/tma_shape.h), of which the tensor is
// one.
enum class Sides { kBatch, kMemory };

// 16-bit elements, 3 matrices of 37 rows of 150, in rows of 160; boxes of 16 rows of 2 matrices, or
// of one.
constexpr int kInner = 150, kPitch = 160, kRows = 37, kMatrices = 3;
constexpr int kBoxRows = 16, kBoxMatrices = 2;

// Where element (x, y, z) of the box lies in shared memory: pieces of 16 bytes change places
// within 128 bytes by the number of those within 1024.
int place_in_box(int x, int y, int z, Swizzle swizzle, int box_inner) {
  const int byte = ((z * kBoxRows + y) * box_inner + x) * 2;
  if (swizzle == Swizzle::kNone) return byte / 2;
  const int pieces = row_bytes(swizzle) / 16;
  return (byte ^ (byte / 128 % 8 % pieces) * 16) / 2;
}

InstructionRun run_box(Box what, Swizzle swizzle, Sides sides, InstructionMachine& machine,
                       uint64_t seed) {
  Random random(mix(seed));
  const bool batch = sides == Sides::kBatch;
  const int box_matrices = batch ? kBoxMatrices : 1;
  const int inner = swizzle == Swizzle::kNone ? 24 : row_bytes(swizzle) / 2;
  const int elements = inner * kBoxRows * box_matrices;
  const int copies = what == Box::kMulticast ? 2 : 1;
  const auto halves = [](size_t count, uint64_t from) {
    std::vector<uint16_t> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = static_cast<uint16_t>(mix(from + i));
    return values;
  };
  Elements<uint16_t> tensor(machine, halves(size_t{kPitch} * kRows * kMatrices, seed));
  Elements<uint16_t> image(machine, halves(static_cast<size_t>(elements * copies), seed + 77777));
  BoxArgs args{};
  TensorMapShape shape{};
  shape.type = DataType::kF16;
  shape.sides = args.sides = batch ? 3 : 4;
  // Of all memory: from somewhere in the tensor, and the matrix's place from there.
  uint16_t* const base = tensor.data() + (batch ? 0 : random.below(kPitch * kRows / 8) * 8);
  shape.base = base;
  shape.size[0] = kInner;
  shape.size[1] = kRows;
  shape.size[2] = batch ? kMatrices : kMemoryMapSteps;
  shape.size[3] = kMemoryMapStretches;
  shape.stride_bytes[0] = kPitch * 2;
  shape.stride_bytes[1] = batch ? kPitch * 2 * kRows : kMemoryMapStepBytes;
  shape.stride_bytes[2] = kMemoryMapSteps * kMemoryMapStepBytes;
  shape.box[0] = static_cast<uint32_t>(inner);
  shape.box[1] = kBoxRows;
  shape.box[2] = static_cast<uint32_t>(box_matrices);
  shape.box[3] = 1;
  shape.swizzle = swizzle;
  InstructionRun run;
  if (!machine.encode(shape, &args.map)) return {"the map was refused", {}, {}};
  args.shared_image = image.data();
  args.box_bytes = elements * 2;
  // Inside, across an edge, and wholly outside.
  args.x = static_cast<int>(random.below(kInner + 2 * inner)) / 8 * 8 - inner;
  args.y = static_cast<int>(random.below(kRows + 2 * kBoxRows)) - kBoxRows;
  // Of all memory: the matrix that begins so many elements from the tensor's start on.
  const int first = batch ? 0 : static_cast<int>(random.below(64)) * 8;
  if (batch) {
    args.z = static_cast<int>(random.below(kMatrices + 2)) - 1;
  } else {
    const uint64_t bytes =
        reinterpret_cast<uintptr_t>(tensor.data() + first) - reinterpret_cast<uintptr_t>(base);
    args.z = static_cast<int>(bytes / kMemoryMapStepBytes % kMemoryMapSteps);
    args.w = static_cast<int>(bytes / kMemoryMapStepBytes / kMemoryMapSteps);
  }
  if (what == Box::kStore) {
    args.x = std::max(args.x, 0);
    args.y = std::max(args.y, 0);
    args.z = std::max(args.z, 0);
  }
  const char* const kernels[] = {"tensor_load", "tensor_store", "tensor_multicast"};
  emulator::Shape launch;
  launch.threads = 64;
  launch.smem_bytes = static_cast<size_t>(args.box_bytes) + 16;
  launch.grid_x = launch.cluster_x = static_cast<unsigned>(copies);
  run.error = machine.launch(kernels[static_cast<int>(what)], launch, &args);
  std::vector<uint16_t> expected =
      what == Box::kStore ? tensor.before() : std::vector<uint16_t>(image.before().size());
  for (int i = 0; i < elements; ++i) {
    const int x = i % inner, y = i / inner % kBoxRows, z = i / inner / kBoxRows;
    const int at_x = args.x + x, at_y = args.y + y;
    const int at_z = batch ? args.z + z : 0;
    // Stores go in pieces of 16 bytes, past the last element too.
    const int last = what == Box::kStore ? (kInner + 7) / 8 * 8 : kInner;
    const bool inside =
        at_x >= 0 && at_x < last && at_y >= 0 && at_y < kRows && at_z >= 0 && at_z < kMatrices;
    const auto global = static_cast<size_t>(first + (at_z * kRows + at_y) * kPitch + at_x);
    const auto shared = static_cast<size_t>(place_in_box(x, y, z, swizzle, inner));
    if (what == Box::kStore) {
      if (inside) expected[global] = image.before()[shared];
      continue;
    }
    for (int copy = 0; copy < copies; ++copy) {
      expected[static_cast<size_t>(copy * elements) + shared] =
          inside ? tensor.before()[global] : 0;
    }
  }
  const std::vector<uint16_t> result = what == Box::kStore ? tensor.now() : image.now();
  run.result.assign(result.begin(), result.end());
  run.expected.assign(expected.begin(), expected.end());
  return run;
}

// To 11 bits, ties to even.
float rounded_to_tf32(float value) {
  const int unit = std::ilogb(value) - 10;
  return static_cast<float>(std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit));
}

// Rows of 32 elements, a box of all of them; every fourth a tie.
InstructionRun run_rounding_load(InstructionMachine& machine, uint64_t seed) {
  constexpr uint32_t kElements = 32, kLines = 8;
  std::vector<float> values(kElements * kLines);
  for (size_t i = 0; i < values.size(); ++i) {
    auto bits = static_cast<uint32_t>(mix(seed + i)) & 0x807fffffu;
    if (i % 4 == 0) bits = (bits & ~0x1fffu) | 0x1000u;
    values[i] = std::bit_cast<float>(bits | (100u + static_cast<uint32_t>(i % 50)) << 23);
  }
  Elements<float> tensor(machine, values);
  Elements<uint16_t> image(machine, std::vector<uint16_t>(2 * values.size()));
  TensorMapShape shape{};
  shape.type = DataType::kF32;
  shape.rounds_to_tf32 = true;
  shape.base = tensor.data();
  shape.size[0] = shape.box[0] = kElements;
  shape.size[1] = shape.box[1] = kLines;
  shape.sides = 3;
  shape.size[2] = shape.box[2] = 1;
  shape.stride_bytes[0] = shape.stride_bytes[1] = 4 * kElements;
  BoxArgs args{};
  args.sides = 3;
  InstructionRun run;
  if (!machine.encode(shape, &args.map)) return {"the map was refused", {}, {}};
  args.shared_image = image.data();
  args.box_bytes = 4 * kElements * kLines;
  run.error = machine.launch(
      "tensor_load", {.threads = 64, .smem_bytes = static_cast<size_t>(args.box_bytes) + 16},
      &args);
  const std::vector<uint16_t> halves = image.now();
  for (size_t i = 0; i < values.size(); ++i) {
    run.result.push_back(
        std::bit_cast<float>(uint32_t{halves[2 * i]} | uint32_t{halves[2 * i + 1]} << 16));
    run.expected.push_back(rounded_to_tf32(values[i]));
  }
  return run;
}

InstructionRun run_register_count(InstructionMachine& machine, uint64_t) {
  Elements<uint16_t> out(machine, std::vector<uint16_t>(384));
  BoxArgs args{};
  args.shared_image = out.data();
  InstructionRun run;
  run.error = machine.launch("register_count", {.threads = 384}, &args);
  for (uint16_t value : out.now()) run.result.push_back(value);
  for (int i = 0; i < 384; ++i) run.expected.push_back(i);
  return run;
}

}  // namespace

std::vector<InstructionCase> hopper_cases() {
  std::vector<InstructionCase> cases;
  const char* const names[] = {"tensor_load", "tensor_store", "tensor_multicast"};
  for (const Box what : {Box::kLoad, Box::kStore, Box::kMulticast}) {
    const auto add = [&](Swizzle swizzle, Sides sides, const char* name) {
      cases.push_back({std::string(names[static_cast<int>(what)]) + "_" + name,
                       [=](InstructionMachine& machine, uint64_t seed) {
                         return run_box(what, swizzle, sides, machine, seed);
                       }});
    };
    for (size_t i = 0; i < 4; ++i) add(kSwizzles[i], Sides::kBatch, kSwizzleNames[i]);
    add(Swizzle::k128B, Sides::kMemory, "of_memory");
  }
  cases.push_back({"tensor_load_rounding", run_rounding_load});
  cases.push_back({"register_count", run_register_count});
  add_wgmma_cases(cases);
  return cases;
}

}  // namespace myblas::test
