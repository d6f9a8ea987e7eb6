// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/random_test.cpp: random products through every routine.
//
// MYBLAS_TEST_RANDOM sets the number of cases, MYBLAS_TEST_SEED the seed, and
// MYBLAS_TEST_REPLAY='<line of a failure>' runs that case alone.
//==============================================================================
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

class RandomTest : public GemmTest {};

int64_t random_size(Random& random, int64_t largest) {
  static constexpr int64_t kPrimes[] = {2,  3,   5,   7,   11,  13,  17,  31,  61,   67,
                                        97, 101, 127, 131, 251, 257, 509, 521, 1021, 1031};
  const double kind = random.uniform();
  if (kind < 0.02) return 0;
  if (kind < 0.12) {
    const int64_t prime = random.pick(std::span<const int64_t>(kPrimes));
    return prime <= largest ? prime : 7;
  }
  if (kind < 0.27) {
    const int64_t power = int64_t{1} << random.below(11);
    return std::min(largest, power + random.below(3) - 1);
  }
  return static_cast<int64_t>(std::exp(random.uniform() * std::log(static_cast<double>(largest))));
}

Value random_scalar(Random& random, const TypeCombo& combo, bool real_data) {
  if (combo.scale == MYBLAS_R_32I) return {random.pick({0.0, 1.0, -1.0, 2.0}), 0.0};
  const auto part = [&] {
    return real_data ? random.pick({0.0, 1.0, -1.0, 0.7, -1.3})
                     : random.pick({0.0, 1.0, -1.0, 2.0, 0.5, 1.0});
  };
  return {part(), is_complex(combo.scale) ? random.pick({0.0, part()}) : 0.0};
}

GemmCase random_case(uint64_t seed, int64_t largest) {
  Random random(mix(seed));
  GemmCase gemm;
  gemm.seed = seed;
  gemm.combo = &random.pick(type_combos());
  const std::vector<const EntryPoint*> entries = entries_for(*gemm.combo);
  gemm.entry = random.pick(std::span<const EntryPoint* const>(entries));
  if (gemm.entry->batch != BatchKind::kNone) {
    gemm.batch = random.below(6);
    largest = std::max<int64_t>(largest / 4, 2);
    const auto input = [&] {
      return random.pick({Stride::kTight, Stride::kPadded, Stride::kBroadcast, Stride::kNegative});
    };
    gemm.stride_a = input();
    gemm.stride_b = input();
    gemm.stride_c = random.pick({Stride::kTight, Stride::kPadded, Stride::kNegative});
  }
  gemm.op_a = random.pick({MYBLAS_OP_N, MYBLAS_OP_T, MYBLAS_OP_C});
  gemm.op_b = random.pick({MYBLAS_OP_N, MYBLAS_OP_T, MYBLAS_OP_C});
  gemm.m = random_size(random, largest);
  gemm.n = random_size(random, largest);
  gemm.k = random_size(random, largest);
  const auto pad = [&] {
    return random.chance(0.4) ? 0 : random.below(random.chance(0.1) ? 300 : 9);
  };
  gemm.pad_a = pad();
  gemm.pad_b = pad();
  gemm.pad_c = pad();
  const auto offset = [&] { return random.chance(0.4) ? 0 : random.below(16); };
  gemm.offset_a = offset();
  gemm.offset_b = offset();
  gemm.offset_c = offset();
  gemm.data = random.chance(0.3) ? DataKind::kReal : DataKind::kInteger;
  gemm.alpha = random_scalar(random, *gemm.combo, gemm.data == DataKind::kReal);
  gemm.beta = random_scalar(random, *gemm.combo, gemm.data == DataKind::kReal);
  gemm.device_scalars = random.chance(0.3);
  return gemm;
}

TEST_F(RandomTest, Cases) {
  if (const char* line = std::getenv("MYBLAS_TEST_REPLAY")) {
    const std::optional<GemmCase> gemm = parse_line(line);
    ASSERT_TRUE(gemm.has_value()) << "MYBLAS_TEST_REPLAY is not a case: " << line;
    EXPECT_TRUE(run_case(device(), handle(), *gemm));
    count_cases(1);
    return;
  }
  const int64_t cases = environment_number("MYBLAS_TEST_RANDOM", device().is_gpu() ? 2000 : 300);
  const auto seed = static_cast<uint64_t>(environment_number("MYBLAS_TEST_SEED", 20261121));
  const int64_t largest = device().is_gpu() ? 1500 : 600;
  std::printf("MYBLAS_TEST_SEED=%llu MYBLAS_TEST_RANDOM=%lld\n",
              static_cast<unsigned long long>(seed), static_cast<long long>(cases));
  int failures = 0;
  for (int64_t i = 0; i < cases && failures < 5; ++i) {
    const GemmCase gemm = random_case(mix(seed) + static_cast<uint64_t>(i), largest);
    const testing::AssertionResult result = run_case(device(), handle(), gemm);
    EXPECT_TRUE(result) << "random case " << i;
    if (!result) ++failures;
    count_cases(1);
  }
}

}  // namespace
}  // namespace myblas::test
