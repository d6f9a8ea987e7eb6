// SPDX-License-Identifier: BSD-3-Clause
#include "accuracy.h"

#include <cmath>
#include <limits>
#include <random>

namespace bench {
namespace {

std::vector<Sample> choose_samples(const Case& one, int count, uint64_t seed) {
  const int64_t last_i = one.m - 1, last_j = one.n - 1, last = one.batch - 1;
  std::vector<Sample> samples{{0, 0, 0},           {last_i, 0, 0}, {0, last_j, 0},
                              {last_i, last_j, 0}, {0, 0, last},   {last_i, last_j, last}};
  std::mt19937_64 engine(seed);
  const auto below = [&](int limit) {
    return static_cast<int64_t>(engine() % static_cast<uint64_t>(limit));
  };
  while (samples.size() < static_cast<size_t>(count)) {
    samples.push_back({below(one.m), below(one.n), below(one.batch)});
  }
  return samples;
}

// Half of what lies between the least numbers of a type, by which results among them are rounded:
// of bf16 and others too little to be seen.
double least_rounding(myblasDataType_t type) {
  return real_part_type(type) == MYBLAS_R_16F ? 0x1p-25 : 0.0;
}

double sample_error(const SampleResult& sample, double least) {
  const double away = std::hypot(sample.value.re - sample.sum.re, sample.value.im - sample.sum.im);
  const double difference = away <= least ? 0.0 : away - least;
  if (sample.magnitude > 0.0) return difference / sample.magnitude;
  return difference == 0.0 ? 0.0 : std::numeric_limits<double>::infinity();
}

double unit_roundoff(myblasDataType_t type) {
  switch (real_part_type(type)) {
    case MYBLAS_R_16BF: return 0x1p-8;
    case MYBLAS_R_16F: return 0x1p-11;
    case MYBLAS_R_64F: return 0x1p-53;
    case MYBLAS_R_32I: return 0.0;
    default: return 0x1p-24;
  }
}

}  // namespace

double error_limit(const Case& one) {
  const Op& op = one.op;
  if (op.c_type == MYBLAS_R_32I) return 0.0;
  // Tensor cores cut bits off while they add: four times the rounding of an fp32 addition.
  double addition = 4.0 * unit_roundoff(MYBLAS_R_32F);
  if (op.compute == MYBLAS_COMPUTE_16F) addition = 2.0 * unit_roundoff(MYBLAS_R_16F);
  if (op.compute == MYBLAS_COMPUTE_64F) addition = 2.0 * unit_roundoff(MYBLAS_R_64F);
  const double inputs = op.compute == MYBLAS_COMPUTE_32F_FAST_TF32 ? 0x1p-9 : 0.0;
  const double complex_factor = is_complex(op.ab_type) ? 4.0 : 1.0;
  return complex_factor *
         (2.0 * unit_roundoff(op.c_type) + inputs + (one.k + (one.beta != 0.0 ? 1 : 0)) * addition);
}

ProductCheck::ProductCheck(Machine& machine, const CheckedProduct& product, const Case& one,
                           int samples, uint64_t seed)
    : machine_(machine),
      product_(product),
      case_(one),
      samples_(choose_samples(one, samples, seed)) {
  if (one.beta != 0.0) before_ = machine.check(product, samples_);
}

Accuracy ProductCheck::judge() const {
  Accuracy accuracy;
  const int64_t poisoned = machine_.count_poisoned(product_.c, case_.batch);
  if (poisoned != 0) {
    accuracy.max_error = std::numeric_limits<double>::quiet_NaN();
    accuracy.complaint = std::to_string(poisoned) + " elements of C are NaN or unwritten";
    return accuracy;
  }
  std::vector<SampleResult> results = machine_.check(product_, samples_);
  for (size_t i = 0; i < before_.size(); ++i) {
    const Complex c = before_[i].value;
    results[i].sum.re += case_.beta * c.re;
    results[i].sum.im += case_.beta * c.im;
    results[i].magnitude += std::abs(case_.beta) * (std::abs(c.re) + std::abs(c.im));
  }
  for (const SampleResult& sample : results) {
    const double error = sample_error(sample, least_rounding(case_.op.c_type));
    if (error <= accuracy.max_error) continue;
    accuracy.max_error = error;
    if (std::isnan(error)) break;  // it stays: NaN never passes for a small error
  }
  if (!(accuracy.max_error <= error_limit(case_))) accuracy.complaint = "wrong result";
  return accuracy;
}

}  // namespace bench
