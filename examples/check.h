/* SPDX-License-Identifier: BSD-3-Clause */
/* =============================================================================================
 * check.h: what the examples need besides the product itself: data, bfloat16, a reference.
 * C99 and C++.
 * ============================================================================================= */
#ifndef MYBLAS_EXAMPLES_CHECK_H
#define MYBLAS_EXAMPLES_CHECK_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The next number in [-1, 1) of a simple repeatable series; 48 bits, so that fp64 has to round. */
static inline double next_random(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 16) / 140737488355328.0 - 1.0;
}

/* bfloat16 is the upper half of a float: round to nearest, ties to even. */
static inline uint16_t bf16_from_double(double value) {
  const float narrow = (float)value;
  uint32_t bits;
  memcpy(&bits, &narrow, sizeof bits);
  return (uint16_t)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

static inline double bf16_to_double(uint16_t upper) {
  const uint32_t bits = (uint32_t)upper << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

typedef enum { kFloat, kDouble, kBfloat16 } Element;

static inline size_t element_bytes(Element type) {
  return type == kDouble ? 8 : type == kFloat ? 4 : 2;
}

static inline double load_element(const void* data, size_t index, Element type) {
  switch (type) {
    case kDouble: return ((const double*)data)[index];
    case kFloat: return (double)((const float*)data)[index];
    default: return bf16_to_double(((const uint16_t*)data)[index]);
  }
}

static inline void store_element(void* data, size_t index, Element type, double value) {
  switch (type) {
    case kDouble: ((double*)data)[index] = value; break;
    case kFloat: ((float*)data)[index] = (float)value; break;
    default: ((uint16_t*)data)[index] = bf16_from_double(value); break;
  }
}

static inline void fill_random(void* data, size_t count, Element type, uint32_t seed) {
  uint64_t state = seed;
  for (size_t i = 0; i < count; ++i) store_element(data, i, type, next_random(&state));
}

/* The errors that rounding explains, as a share of sum|a||b| + |c|: the sum's own rounding, and
 * the rounding of the result to its type. */
static inline double tolerance(Element type) {
  return type == kDouble ? 1e-14 : type == kFloat ? 5e-6 : 1.0 / 256.0;
}

/* One product C = alpha * op(A) * op(B) + beta * C; matrices column-major without gaps. */
typedef struct {
  const char* name;
  Element type;
  int transpose_a, transpose_b;
  int m, n, k, batch;
  double alpha, beta;
} Product;

static inline size_t elements_a(const Product* p) { return (size_t)p->m * (size_t)p->k; }
static inline size_t elements_b(const Product* p) { return (size_t)p->k * (size_t)p->n; }
static inline size_t elements_c(const Product* p) { return (size_t)p->m * (size_t)p->n; }

/* The largest error of `got` over about 500 entries spread over the batch, against a product
 * computed here in double, as a share of sum|a||b| + |c|. NaN counts as infinite. */
static inline double worst_error(const Product* p, const void* a, const void* b,
                                 const void* c_before, const void* got) {
  const size_t total = elements_c(p) * (size_t)p->batch;
  const size_t step = total > 500 ? total / 500 | 1u : 1;
  double worst = 0.0;
  for (size_t at = 0; at < total; at += step) {
    const size_t item = at / elements_c(p), inside = at % elements_c(p);
    const size_t row = inside % (size_t)p->m, col = inside / (size_t)p->m;
    double sum = 0.0, scale = 0.0;
    for (size_t l = 0; l < (size_t)p->k; ++l) {
      const size_t ia = p->transpose_a ? l + row * (size_t)p->k : row + l * (size_t)p->m;
      const size_t ib = p->transpose_b ? col + l * (size_t)p->n : l + col * (size_t)p->k;
      const double term = load_element(a, item * elements_a(p) + ia, p->type) *
                          load_element(b, item * elements_b(p) + ib, p->type);
      sum += term;
      scale += fabs(term);
    }
    const double c = load_element(c_before, at, p->type);
    const double want = p->alpha * sum + p->beta * c;
    scale = fabs(p->alpha) * scale + fabs(p->beta * c);
    const double error = fabs(load_element(got, at, p->type) - want) / (scale > 0 ? scale : 1.0);
    if (!(error <= worst)) worst = isnan(error) ? INFINITY : error;
  }
  return worst;
}

#endif /* MYBLAS_EXAMPLES_CHECK_H */
