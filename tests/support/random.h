// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// support/random.h: test data as a function of a seed and a position.
//
// An element's value depends on its row, its column and its matrix, so that
// neither a transposition nor a shift nor a swap of two matrices goes unseen.
//==============================================================================
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "support/elements.h"

namespace myblas::test {

constexpr uint64_t mix(uint64_t x) {  // splitmix64
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

constexpr uint64_t position_hash(uint64_t seed, int64_t i, int64_t j, int64_t index) {
  return mix(mix(mix(seed + static_cast<uint64_t>(i)) + static_cast<uint64_t>(j)) +
             static_cast<uint64_t>(index));
}

// Integers in [-range, range], about one in 2 * range + 1 of them zero.
inline Value integer_value(uint64_t hash, int range, bool complex) {
  const auto part = [range](uint64_t bits) {
    return static_cast<double>(static_cast<int>(bits % static_cast<uint64_t>(2 * range + 1)) -
                               range);
  };
  return {part(hash & 0xFFFFFFFF), complex ? part(hash >> 32) : 0.0};
}

// Real numbers whose magnitudes spread over about 2^-7 to 2.
inline Value real_value(uint64_t hash, bool complex) {
  const auto part = [](uint64_t bits) {
    const double fraction = 1.0 + static_cast<double>(bits & 0xFFFFFF) * 0x1p-24;
    const double magnitude = std::ldexp(fraction, -static_cast<int>((bits >> 24) & 7));
    return (bits >> 27) & 1 ? -magnitude : magnitude;
  };
  return {part(hash & 0xFFFFFFFF), complex ? part(hash >> 32) : 0.0};
}

// A stream of numbers from a seed; the same on every platform.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() { return mix(state_++); }
  int64_t below(int64_t bound) {
    return static_cast<int64_t>(next() % static_cast<uint64_t>(bound));
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  bool chance(double probability) { return uniform() < probability; }
  template <class T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<int64_t>(values.size()))];
  }
  template <class T>
  const T& pick(std::span<const T> values) {
    return values[static_cast<size_t>(below(static_cast<int64_t>(values.size())))];
  }

 private:
  uint64_t state_;
};

}  // namespace myblas::test
