// SPDX-License-Identifier: BSD-3-Clause
#include "suites/instruction_cases.h"

#include <cstring>
#include <span>

#include "kernels/common/gemm_args.h"
#include "runtime/tensor_map.h"
#include "support/random.h"

namespace myblas::test {
namespace {

struct Product {
  const char* kernel;
  int m, n, k;
  int range;  // of the integers
};
constexpr Product kProducts[] = {
    {"instruction_m16n8k8_f16", 16, 8, 8, 100},     {"instruction_m8n8k16_s8", 8, 8, 16, 127},
    {"instruction_m16n8k16_f16", 16, 8, 16, 100},   {"instruction_m16n8k16_bf16", 16, 8, 16, 100},
    {"instruction_m16n8k8_f16_sums", 16, 8, 8, 11}, {"instruction_m16n8k16_f16_sums", 16, 8, 16, 8},
    {"instruction_m16n8k8_tf32", 16, 8, 8, 500},    {"instruction_m16n8k32_s8", 16, 8, 32, 127},
    {"instruction_m8n8k4_f64", 8, 8, 4, 1000},      {"instruction_m16n8k8_f64", 16, 8, 8, 500},
    {"instruction_ldmatrix", 16, 8, 32, 100},
};

std::vector<double> wide(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

size_t area(int rows, int cols) { return static_cast<size_t>(rows) * static_cast<size_t>(cols); }

// a, b and c are given to the kernel as they are; the result is c's.
InstructionRun launch_on(InstructionMachine& machine, const char* kernel, unsigned threads,
                         Elements<float>& a, Elements<float>& b, Elements<float>& c) {
  GemmArgs args{};
  args.a.base = a.data();
  args.b.base = b.data();
  args.c = c.data();
  InstructionRun run;
  run.error = machine.launch(kernel, {.threads = threads}, &args);
  run.result = wide(c.now());
  return run;
}

InstructionRun run_product(const Product& x, InstructionMachine& machine, uint64_t seed) {
  Elements<float> a(machine, random_integers(area(x.m, x.k), x.range, mix(seed)));
  Elements<float> b(machine, random_integers(area(x.k, x.n), x.range, mix(seed + 1000)));
  Elements<float> c(machine, random_integers(area(x.m, x.n), 1000, mix(seed + 2000)));
  InstructionRun run = launch_on(machine, x.kernel, 32, a, b, c);
  for (int i = 0; i < x.m; ++i) {
    for (int j = 0; j < x.n; ++j) {
      double sum = c.before()[area(i, x.n) + static_cast<size_t>(j)];
      for (int p = 0; p < x.k; ++p) {
        sum += static_cast<double>(a.before()[area(i, x.k) + static_cast<size_t>(p)]) *
               b.before()[area(p, x.n) + static_cast<size_t>(j)];
      }
      run.expected.push_back(static_cast<float>(sum));
    }
  }
  return run;
}

InstructionRun run_stmatrix(InstructionMachine& machine, uint64_t seed) {
  Elements<float> a(machine, random_integers(256, 100, mix(seed)));
  Elements<float> b(machine, random_integers(128, 100, mix(seed + 1000)));
  Elements<float> c(machine, random_integers(256, 1, mix(seed + 2000)));
  InstructionRun run = launch_on(machine, "instruction_stmatrix", 32, a, b, c);
  for (size_t i = 0; i < 16; ++i) {
    for (size_t j = 0; j < 16; ++j) {
      const float turned = a.before()[(i / 8 * 8 + j % 8) * 16 + j / 8 * 8 + i % 8];
      run.expected.push_back(a.before()[i * 16 + j] + 2.0f * turned);
    }
  }
  return run;
}

InstructionRun run_global_loads(InstructionMachine& machine, uint64_t seed) {
  Elements<float> a(machine, random_integers(384, 100, mix(seed)));
  Elements<float> b(machine, random_integers(1, 1, 1)), c(machine, random_integers(384, 1, 2));
  InstructionRun run = launch_on(machine, "instruction_global_loads", 32, a, b, c);
  for (size_t i = 0; i < 384; ++i) {
    const size_t kind = i / 128, lane = i % 128 / 4;
    run.expected.push_back(lane % 3 != kind ? a.before()[i] : 0.0f);
  }
  return run;
}

InstructionRun run_named_barrier(InstructionMachine& machine, uint64_t seed) {
  Elements<float> a(machine, random_integers(32, 100, mix(seed)));
  Elements<float> b(machine, random_integers(1, 1, 1)), c(machine, random_integers(32, 1, 2));
  InstructionRun run = launch_on(machine, "instruction_named_barrier", 96, a, b, c);
  for (size_t i = 0; i < 32; ++i) run.expected.push_back(a.before()[31 - i] + 1000.0f);
  return run;
}

}  // namespace

EmulatedMachine::EmulatedMachine() {
  static const bool loaded = [] {
    for (const char* source :
         {"instruction_kernels", "hopper_instruction_kernels", "hopper_probe_kernels"}) {
      emulator::load_module((std::string(MYBLAS_EMULATED_MODULES) + source + ".so").c_str());
    }
    return true;
  }();
  (void)loaded;
}
void* EmulatedMachine::allocate(size_t bytes) { return emulator::allocate(bytes); }
void EmulatedMachine::release(void* memory) { emulator::release(memory); }
void EmulatedMachine::copy_in(void* to, const void* from, size_t bytes) {
  std::memcpy(to, from, bytes);
}
void EmulatedMachine::copy_out(void* to, const void* from, size_t bytes) {
  std::memcpy(to, from, bytes);
}
bool EmulatedMachine::encode(const TensorMapShape& shape, TensorMap* map) {
  return emulator::encode_tensor_map(shape, map) == nullptr;
}
std::string EmulatedMachine::launch(const char* name, const emulator::Shape& shape,
                                    const void* args) {
  emulator::configure(settings_);
  void* kernel = emulator::find_kernel(name);
  if (kernel == nullptr) return std::string("no kernel ") + name;
  emulator::launch(kernel, shape, args);
  return emulator::take_result().error;
}

std::vector<float> random_integers(size_t count, int range, uint64_t seed) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(integer_value(mix(seed + i), range, false).re);
  }
  return values;
}

std::vector<InstructionCase> warp_cases() {
  std::vector<InstructionCase> cases;
  for (const Product& product : kProducts) {
    cases.push_back({product.kernel, [product](InstructionMachine& machine, uint64_t seed) {
                       return run_product(product, machine, seed);
                     }});
  }
  cases.push_back({"instruction_stmatrix", run_stmatrix});
  cases.push_back({"instruction_global_loads", run_global_loads});
  cases.push_back({"instruction_named_barrier", run_named_barrier});
  return cases;
}

std::vector<InstructionCase> instruction_cases() {
  std::vector<InstructionCase> cases = warp_cases();
  for (InstructionCase& one : hopper_cases()) cases.push_back(std::move(one));
  return cases;
}

}  // namespace myblas::test
