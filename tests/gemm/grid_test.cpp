// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/grid_test.cpp: the grid of LAPACK's level 3 test, for every type.
//
// m, n, k in {0, 1, 2, 3, 5, 9}, 3 x 3 operations, 3 alphas, 3 betas: 17,496 calls a type, each
// compared bit for bit. The 81 calls of one size share A and B and one transfer each way.
//==============================================================================
#include <array>
#include <ostream>

#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

constexpr std::array<int64_t, 6> kSizes{0, 1, 2, 3, 5, 9};
constexpr std::array kOperations{MYBLAS_OP_N, MYBLAS_OP_T, MYBLAS_OP_C};
constexpr int64_t kCallsPerSize = 81;

struct Scalars {
  std::array<Value, 3> alpha, beta;
};

Scalars scalars_for(const TypeCombo& combo) {
  if (combo.scale == MYBLAS_R_32I) return {{{{0}, {1}, {-2}}}, {{{0}, {1}, {2}}}};
  if (is_complex(combo.scale)) return {{{{0}, {1}, {2, -1}}}, {{{0}, {1}, {-1, 0.5}}}};
  return {{{{0}, {1}, {-2}}}, {{{0}, {1}, {0.5}}}};
}

struct GridParam {
  const EntryPoint* entry;
  const TypeCombo* combo;
};

void PrintTo(const GridParam& param, std::ostream* out) {
  *out << param.entry->name << ' ' << param.combo->name;
}

class GridTest : public GemmTest, public testing::WithParamInterface<GridParam> {
 protected:
  // One size: all operations and scalars. False at the first wrong thing.
  bool run_size(int64_t m, int64_t n, int64_t k);
};

// The two stored forms of an operand, and its values under the three operations.
struct GridOperand {
  Layout plain, transposed;
  SlotId plain_slot = 0, transposed_slot = 0;
  std::array<Dense, 3> values;

  GridOperand(myblasDataType_t type, int64_t rows, int64_t cols, int64_t pad)
      : plain{type, rows, cols, std::max<int64_t>(rows, 1) + pad},
        transposed{type, cols, rows, std::max<int64_t>(cols, 1) + pad} {}

  void add(Arena& arena, const char* name) {
    plain_slot = arena.add(name, plain, 1);
    transposed_slot = arena.add(std::string(name) + " transposed", transposed);
  }
  void fill(Arena& arena, int range, uint64_t seed) {
    for (const bool stored_transposed : {false, true}) {
      const Layout& layout = stored_transposed ? transposed : plain;
      const SlotId slot = stored_transposed ? transposed_slot : plain_slot;
      for (int64_t j = 0; j < layout.cols; ++j) {
        for (int64_t i = 0; i < layout.rows; ++i) {
          store(layout.type, arena.host(slot, layout, i, j),
                integer_value(position_hash(seed + stored_transposed, i, j, 0), range,
                              is_complex(layout.type)));
        }
      }
    }
    for (size_t op = 0; op < 3; ++op) {
      values[op] = gather(arena.host(slot(op)), layout(op), kOperations[op]);
    }
  }
  const Layout& layout(size_t op) const { return op == 0 ? plain : transposed; }
  SlotId slot(size_t op) const { return op == 0 ? plain_slot : transposed_slot; }
};

bool GridTest::run_size(int64_t m, int64_t n, int64_t k) {
  const EntryPoint& entry = *GetParam().entry;
  const TypeCombo& combo = *GetParam().combo;
  const Scalars scalars = scalars_for(combo);
  const uint64_t seed = mix(static_cast<uint64_t>(m * 100 + n * 10 + k));
  const int64_t pad = (m + n + k) % 3;
  const int range = exact_range(combo, k, scalars.alpha[2], scalars.beta[2]);

  Arena arena(device());
  GridOperand a(combo.ab, m, k, pad), b(combo.ab, k, n, pad);
  a.add(arena, "A");
  b.add(arena, "B");
  const Layout c{combo.c, m, n, std::max<int64_t>(m, 1) + pad};
  std::array<SlotId, kCallsPerSize> slots;
  for (SlotId& slot : slots) slot = arena.add("C", c);
  arena.place();
  a.fill(arena, range, seed + 0xA);
  b.fill(arena, range, seed + 0xB);
  const auto c_value = [&](int64_t i, int64_t j) {
    return integer_value(position_hash(seed + 0xC, i, j, 0), range, is_complex(combo.c));
  };
  for (size_t call = 0; call < slots.size(); ++call) {
    if (call % 3 == 0) continue;  // beta == 0: C stays NaN
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = 0; i < m; ++i) {
        store(combo.c, arena.host(slots[call], c, i, j), c_value(i, j));
      }
    }
  }
  arena.upload();

  GemmCall gemm;
  gemm.combo = &combo;
  gemm.m = m;
  gemm.n = n;
  gemm.k = k;
  gemm.ldc = c.ld;
  for (size_t call = 0; call < slots.size(); ++call) {
    const size_t op_a = call / 27, op_b = call / 9 % 3;
    alignas(16) unsigned char alpha[16], beta[16];
    store(combo.scale, alpha, scalars.alpha[call / 3 % 3]);
    store(combo.scale, beta, scalars.beta[call % 3]);
    gemm.alpha = alpha;
    gemm.beta = beta;
    gemm.op_a = kOperations[op_a];
    gemm.op_b = kOperations[op_b];
    gemm.a = arena.device_address(a.slot(op_a));
    gemm.lda = a.layout(op_a).ld;
    gemm.b = arena.device_address(b.slot(op_b));
    gemm.ldb = b.layout(op_b).ld;
    gemm.c = arena.device_address(slots[call]);
    const myblasStatus_t status = entry.call(handle(), gemm);
    if (status != MYBLAS_STATUS_SUCCESS) {
      ADD_FAILURE() << entry.name << " gave " << myblasGetStatusName(status) << " for m,n,k = " << m
                    << ',' << n << ',' << k << ", call " << call << " of the size";
      return false;
    }
  }

  arena.download();
  Products products;
  for (size_t call = 0; call < slots.size(); ++call) {
    const size_t op_a = call / 27, op_b = call / 9 % 3;
    const Value alpha = scalars.alpha[call / 3 % 3], beta = scalars.beta[call % 3];
    if (call % 9 == 0) {
      products = multiply(a.values[op_a], b.values[op_b], Arithmetic::kDouble, false);
    }
    const auto expected = [&](int64_t i, int64_t j, int64_t) -> Expected {
      return {combine(products, i, j, k, alpha, beta, c_value(i, j)), 0.0};
    };
    const testing::AssertionResult right = matches(arena.host(slots[call]), c, expected);
    if (!right) {
      ADD_FAILURE() << entry.name << ' ' << combo.name << " op "
                    << "NTC"[op_a] << "NTC"[op_b] << " m,n,k = " << m << ',' << n << ',' << k
                    << " alpha = " << alpha.re << ',' << alpha.im << " beta = " << beta.re << ','
                    << beta.im << " ld pad " << pad << ": " << right.message();
      return false;
    }
    arena.release_output(slots[call], c);
  }
  const testing::AssertionResult unchanged = arena.unchanged_elsewhere();
  EXPECT_TRUE(unchanged) << entry.name << ' ' << combo.name << " m,n,k = " << m << ',' << n << ','
                         << k;
  return static_cast<bool>(unchanged);
}

TEST_P(GridTest, EveryCallIsExact) {
  for (const int64_t m : kSizes) {
    for (const int64_t n : kSizes) {
      for (const int64_t k : kSizes) {
        if (!run_size(m, n, k)) return;
        count_cases(kCallsPerSize);
      }
    }
  }
}

std::vector<GridParam> grid_params() {
  std::vector<GridParam> params;
  const auto add = [&](const char* entry, const char* combo) {
    params.push_back({find_entry(entry), find_combo(combo)});
  };
  add("myblasSgemm", "f32_f32_32F");
  add("myblasDgemm", "f64_f64_64F");
  add("myblasCgemm", "cf32_cf32_32F");
  add("myblasZgemm", "cf64_cf64_64F");
  add("myblasHgemm", "f16_f16_16F");
  for (const TypeCombo& combo : type_combos()) add("myblasGemmEx", combo.name);
  return params;
}

INSTANTIATE_TEST_SUITE_P(Types, GridTest, testing::ValuesIn(grid_params()),
                         [](const testing::TestParamInfo<GridParam>& param) {
                           return std::string(param.param.entry->name) + "_" +
                                  param.param.combo->name;
                         });

}  // namespace
}  // namespace myblas::test
