// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// runtime/wgmma.cpp: wgmma.mma_async. A product is computed when a thread first waits for it, and
// reads its operands then; each thread's sums come with its own wait. Until then they hold poison,
// and nobody may write the operands, in shared memory or registers.
//
// The threads of a warpgroup come to an operation in any order, but all of them must, with the same
// descriptors. The whole warpgroup's operation is over when any of its threads has waited for it.
//==============================================================================
#include "emulator/wgmma.h"

#include <algorithm>
#include <cstring>

#include "emulator/small_floats.h"
#include "emulator/tensor_sums.h"
#include "runtime/machine.h"
#include "runtime/matrix_operand.h"

namespace emulator {

namespace {

constexpr int kThreads = 128, kM = 64, kMaxN = 256, kMaxK = 32;
constexpr int kColumns = 8;  // n is a multiple of them
constexpr uint32_t kPoison = 0xffffffff;

}  // namespace

struct WgmmaOperation {
  WgmmaShape shape;
  uint64_t a, b;
  bool a_in_registers, accumulate;
  const void* site;
  int arrived = 0, waited = 0;
  unsigned warps = 0;  // that have come
  bool computed = false;
  Moment over{};
  std::array<Accumulators*, kThreads> sums{};
  std::array<std::array<uint32_t, 4>, kThreads> a_registers{};
  std::array<const uint32_t*, kThreads> a_memory{};  // where the program has them
  std::vector<Thread*> waiting;                      // for the rest of the warpgroup
};

Warpgroup::Warpgroup() = default;
Warpgroup::~Warpgroup() = default;
Warpgroup::Warpgroup(Warpgroup&&) noexcept = default;

namespace {

uint32_t element_bytes(WgmmaType type) {
  switch (type) {
    case WgmmaType::kF16:
    case WgmmaType::kBF16: return 2;
    case WgmmaType::kTF32: return 4;
    case WgmmaType::kS8: return 1;
  }
  return 0;
}

double element(WgmmaType type, const unsigned char* bytes) {
  uint16_t half;
  float single;
  switch (type) {
    case WgmmaType::kF16: std::memcpy(&half, bytes, 2); return half_to_float(half);
    case WgmmaType::kBF16: std::memcpy(&half, bytes, 2); return bfloat16_to_float(half);
    case WgmmaType::kTF32: std::memcpy(&single, bytes, 4); return tf32_operand(single);
    case WgmmaType::kS8: return static_cast<int8_t>(*bytes);
  }
  return 0.0;
}

int index_in_block(const Thread& thread) { return thread.id - block_of(thread).first_thread; }

Warpgroup& my_warpgroup() {
  const Block& block = block_of(self());
  const int groups = (block.threads + kThreads - 1) / kThreads;
  const int mine = block.rank * groups + index_in_block(self()) / kThreads;
  return machine().warpgroups[static_cast<size_t>(mine)];
}

// ---- operands ---------------------------------------------------------------------------------

struct Operands {
  alignas(64) double a[kM][kMaxK];
  alignas(64) double b[kMaxN / kColumns][kMaxK][kColumns];
  alignas(64) double sums[kM][kMaxN];
};
Operands g_operands;

MatrixOperand operand_a(const WgmmaOperation& op) {
  return {op.a, op.shape.a_transposed, element_bytes(op.shape.type), op.site};
}
MatrixOperand operand_b(const WgmmaOperation& op) {
  return {op.b, op.shape.b_transposed, element_bytes(op.shape.type), op.site};
}

template <class Visit>
void for_each_chunk_of(const WgmmaOperation& op, Visit visit) {
  if (!op.a_in_registers) operand_a(op).for_each_chunk(kM, visit);
  operand_b(op).for_each_chunk(static_cast<uint32_t>(op.shape.n), visit);
}

void read_operands(const WgmmaOperation& op) {
  const uint32_t size = element_bytes(op.shape.type);
  const auto unpack = [&](const MatrixOperand& operand, uint32_t rows, auto store) {
    operand.for_each_chunk(rows, [&](uint32_t row, uint32_t k, const unsigned char* bytes) {
      for (uint32_t i = 0; i < 16 / size; ++i) {
        const uint32_t r = operand.transposed ? row + i : row, p = operand.transposed ? k : k + i;
        store(r, p, element(op.shape.type, bytes + i * size));
      }
    });
  };
  if (!op.a_in_registers) {
    unpack(operand_a(op), kM, [](uint32_t r, uint32_t k, double x) { g_operands.a[r][k] = x; });
  } else {
    // As the A of mma.sync: two registers down, two along k; 4 / size elements each.
    const uint32_t per_register = 4 / size;
    for (uint32_t thread = 0; thread < kThreads; ++thread) {
      const uint32_t lane = thread % 32;
      for (uint32_t i = 0; i < 4 * per_register; ++i) {
        const uint32_t r = i / per_register;
        const uint32_t row = thread / 32 * 16 + lane / 4 + r % 2 * 8;
        const uint32_t k = lane % 4 * per_register + i % per_register + r / 2 * 4 * per_register;
        const auto* bytes = reinterpret_cast<const unsigned char*>(op.a_registers[thread].data());
        g_operands.a[row][k] = element(op.shape.type, bytes + i * size);
      }
    }
  }
  unpack(operand_b(op), static_cast<uint32_t>(op.shape.n),
         [](uint32_t r, uint32_t k, double x) { g_operands.b[r / kColumns][k][r % kColumns] = x; });
}

// ---- the product ------------------------------------------------------------------------------

struct SumPlace {
  int row, col;
};
SumPlace place_of(int thread, int i) {
  const int lane = thread % 32;
  return {thread / 32 * 16 + lane / 4 + i / 2 % 2 * 8, i / 4 * 8 + lane % 4 * 2 + i % 2};
}

void multiply(int n, int depth) {
  for (int row = 0; row < kM; ++row) {
    for (int first = 0; first < n; first += kColumns) {
      double sums[kColumns] = {};
      for (int k = 0; k < depth; ++k) {
        const double* const b = g_operands.b[first / kColumns][k];
        for (int i = 0; i < kColumns; ++i) sums[i] += g_operands.a[row][k] * b[i];
      }
      std::copy_n(sums, kColumns, g_operands.sums[row] + first);
    }
  }
}

uint32_t new_sum(const WgmmaOperation& op, SumPlace at, uint32_t old, int depth, int bits) {
  if (op.shape.type == WgmmaType::kS8) {
    const uint32_t sum = op.accumulate ? old : 0;
    return sum + static_cast<uint32_t>(static_cast<int32_t>(g_operands.sums[at.row][at.col]));
  }
  float sum = op.accumulate ? std::bit_cast<float>(old) : 0.0f;
  if (bits == 0) {
    sum = static_cast<float>(g_operands.sums[at.row][at.col] + sum);
  } else {
    sum = truncated_sum(sum, g_operands.a[at.row], 1,
                        &g_operands.b[at.col / kColumns][0][at.col % kColumns], kColumns, depth,
                        bits);
  }
  return std::bit_cast<uint32_t>(sum);
}

void compute(WgmmaOperation& op) {
  Thread& thread = self();
  const int depth = static_cast<int>(32 / element_bytes(op.shape.type));
  const int bits = tensor_core_bits();
  read_operands(op);
  multiply(op.shape.n, depth);
  for (int t = 0; t < kThreads; ++t) {
    std::vector<uint32_t>& value = op.sums[static_cast<size_t>(t)]->value;
    for (int i = 0; i < op.shape.n / 2; ++i) {
      uint32_t& sum = value[static_cast<size_t>(i)];
      sum = new_sum(op, place_of(t, i), sum, depth, bits);
    }
  }
  op.over = {static_cast<uint16_t>(thread.id), thread.clock};
  op.computed = true;
  if (!machine().watching) return;
  for_each_chunk_of(op, [&](uint32_t, uint32_t, unsigned char* bytes) {
    end_async_read(reinterpret_cast<uintptr_t>(bytes), 16, op.over);
  });
}

// ---- a thread's sums --------------------------------------------------------------------------

Accumulators* find_in_flight(Thread& thread, const void* sums) {
  for (const auto& one : thread.wgmma.in_flight) {
    if (one->sums == sums) return one.get();
  }
  return nullptr;
}

void check_untouched(const Accumulators& sums, const void* site) {
  const auto* words = static_cast<const unsigned char*>(sums.sums);
  for (size_t i = 0; i < sums.value.size(); ++i) {
    uint32_t word;
    std::memcpy(&word, words + 4 * i, 4);
    if (word != kPoison) fail(site, "sum %zu was written while a wgmma was under way", i);
  }
}

// Between other accesses of the registers and a wgmma there must be a fence. What the emulator can
// tell: that there was none at all, or none since the last wait, and that the registers changed
// after it or start anew.
void check_fenced_sums(const Thread& thread, const void* sums, bool accumulate, const void* site) {
  bool missing = !thread.wgmma.has_fenced;
  for (const DeliveredSums& one : thread.wgmma.delivered) {
    if (one.sums != sums) continue;
    missing =
        missing || !accumulate || std::memcmp(sums, one.value.data(), 4 * one.value.size()) != 0;
  }
  if (missing) fail(site, "no wgmma_fence between other uses of these registers and this wgmma");
}

Accumulators* put_in_flight(Thread& thread, void* sums, size_t count, bool accumulate,
                            const void* site) {
  if (Accumulators* found = find_in_flight(thread, sums)) {
    if (found->value.size() != count) fail(site, "sums of another wgmma shape are under way");
    check_untouched(*found, site);
    return found;
  }
  check_fenced_sums(thread, sums, accumulate, site);
  auto fresh = std::make_unique<Accumulators>();
  fresh->sums = sums;
  fresh->value.resize(count);
  if (accumulate) std::memcpy(fresh->value.data(), sums, 4 * count);
  std::memset(sums, 0xff, 4 * count);
  thread.wgmma.in_flight.push_back(std::move(fresh));
  return thread.wgmma.in_flight.back().get();
}

void deliver(Thread& thread, const void* site) {
  WgmmaThread& mine = thread.wgmma;
  for (auto& one : mine.in_flight) {
    if (one->last_operation >= mine.complete) continue;
    check_untouched(*one, site);
    std::memcpy(one->sums, one->value.data(), 4 * one->value.size());
    mine.delivered.push_back({one->sums, std::move(one->value)});
    one.reset();
  }
  std::erase(mine.in_flight, nullptr);
}

// ---- a warpgroup's operations -----------------------------------------------------------------

void check_operands(WgmmaOperation& op, bool first, const void* site) {
  if (!machine().watching) return;
  const unsigned warp = 1u << (index_in_block(self()) / 32 % 4);
  if ((op.warps & warp) != 0) return;
  op.warps |= warp;
  for_each_chunk_of(op, [&](uint32_t, uint32_t, unsigned char* bytes) {
    const auto address = reinterpret_cast<uintptr_t>(bytes);
    if (first) {
      begin_async_read(address, 16, "a wgmma reads", Unwritten::kIsPassedOver, site);
    } else {
      check_async_read(address, 16, "a wgmma reads", Unwritten::kIsPassedOver, site);
    }
  });
}

WgmmaOperation& join_operation(const WgmmaOperation& mine) {
  Warpgroup& group = my_warpgroup();
  const size_t index = self().wgmma.issued - group.first;
  if (index == group.operations.size()) {
    group.operations.push_back(std::make_unique<WgmmaOperation>(mine));
  }
  WgmmaOperation& op = *group.operations[index];
  if (!(op.shape == mine.shape) || op.a != mine.a || op.b != mine.b ||
      op.accumulate != mine.accumulate || op.a_in_registers != mine.a_in_registers) {
    fail(mine.site, "a wgmma that differs from what others of its warpgroup started at %s",
         source_line(op.site).c_str());
  }
  return op;
}

void wait_until_all_have_come(WgmmaOperation& op, const void* site) {
  while (op.arrived < kThreads) {
    op.waiting.push_back(&self());
    suspend("the other warps' wgmma", site);
  }
}

void check_registers_of_a(const WgmmaOperation& op, const void* site) {
  if (!op.a_in_registers) return;
  const auto mine = static_cast<size_t>(index_in_block(self()) % kThreads);
  if (std::memcmp(op.a_memory[mine], op.a_registers[mine].data(), 16) != 0) {
    fail(site, "A's registers were written while a wgmma was under way");
  }
}

// Numbers first to last - 1 are over for the calling thread.
void complete(uint64_t last, const void* site) {
  Thread& thread = self();
  Warpgroup& group = my_warpgroup();
  while (thread.wgmma.complete < last) {
    WgmmaOperation& op = *group.operations[thread.wgmma.complete - group.first];
    wait_until_all_have_come(op, site);
    check_registers_of_a(op, site);
    if (!op.computed) compute(op);
    learn(thread, op.over);
    ++thread.wgmma.complete;
    ++op.waited;
    while (!group.operations.empty() && group.operations.front()->waited == kThreads) {
      group.operations.erase(group.operations.begin());
      ++group.first;
    }
  }
  ++thread.clock;
  deliver(thread, site);
}

}  // namespace

void wgmma(const WgmmaShape& shape, void* sums, uint64_t a, const uint32_t* a_registers, uint64_t b,
           bool accumulate) {
  const Guard guard;
  const void* const site = __builtin_return_address(0);
  Thread& thread = self();
  const int in_block = index_in_block(thread);
  if (in_block / kThreads * kThreads + kThreads > block_of(thread).threads) {
    fail(site, "wgmma by warps that are no whole warpgroup");
  }
  if (shape.n < 8 || shape.n > kMaxN || shape.n % 8 != 0) fail(site, "wgmma of n %d", shape.n);
  WgmmaOperation mine{};
  mine.shape = shape;
  mine.a = a_registers != nullptr ? 0 : a;
  mine.b = b;
  mine.a_in_registers = a_registers != nullptr;
  mine.accumulate = accumulate;
  mine.site = site;
  WgmmaOperation& op = join_operation(mine);
  check_operands(op, op.arrived == 0, site);
  const auto index = static_cast<size_t>(in_block % kThreads);
  op.sums[index] = put_in_flight(thread, sums, static_cast<size_t>(shape.n / 2), accumulate, site);
  op.sums[index]->last_operation = thread.wgmma.issued++;
  if (a_registers != nullptr) {
    std::memcpy(op.a_registers[index].data(), a_registers, 16);
    op.a_memory[index] = a_registers;
  }
  if (++op.arrived < kThreads) return;
  for (Thread* waiting : op.waiting) resume(*waiting);
  op.waiting.clear();
}

void wgmma_fence() {
  const Guard guard;
  self().wgmma.has_fenced = true;
  self().wgmma.delivered.clear();
}

void wgmma_commit() {
  const Guard guard;
  self().wgmma.group_ends.push_back(self().wgmma.issued);
}

void wgmma_wait(size_t still_allowed) {
  const Guard guard;
  auto& ends = self().wgmma.group_ends;
  if (ends.size() <= still_allowed) return;
  const size_t groups = ends.size() - still_allowed;
  const uint64_t last = ends[groups - 1];
  ends.erase(ends.begin(), ends.begin() + static_cast<ptrdiff_t>(groups));
  complete(last, __builtin_return_address(0));
}

void finish_wgmma(Thread& thread) {
  if (thread.wgmma.in_flight.empty()) return;
  Warpgroup& group = my_warpgroup();
  const WgmmaOperation& op = *group.operations[thread.wgmma.complete - group.first];
  fail(op.site, "a wgmma that is not over when its thread ends");
}

}  // namespace emulator
