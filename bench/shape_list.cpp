// SPDX-License-Identifier: BSD-3-Clause
#include "shape_list.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <istream>
#include <limits>
#include <random>
#include <sstream>

#include "element.h"

namespace bench {
namespace {

constexpr size_t kFieldsPlain = 7;
constexpr size_t kFieldsPadded = 11;

std::vector<std::string> split_fields(const std::string& line) {
  std::istringstream stream(line.substr(0, line.find('#')));
  std::vector<std::string> fields;
  for (std::string field; stream >> field;) fields.push_back(field);
  return fields;
}

int parse_int(const std::string& text, const char* what, int least) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) {
    throw ShapeListError(std::string(what) + " is no 32-bit integer: \"" + text + "\"");
  }
  if (value < least) {
    throw ShapeListError(std::string(what) + " is below " + std::to_string(least) + ": " + text);
  }
  return value;
}

void check_layout(const Layout& layout, const char* what) {
  if (layout.ld > std::numeric_limits<int>::max()) {
    throw ShapeListError(std::string("the leading dimension of ") + what + " needs 64 bits");
  }
}

Case case_from_fields(const std::vector<std::string>& fields) {
  if (fields.size() != kFieldsPlain && fields.size() != kFieldsPadded) {
    throw ShapeListError("expected 7 or 11 fields, found " + std::to_string(fields.size()));
  }
  Case one;
  one.name = fields[0];
  const auto op = find_op(fields[1]);
  if (!op) throw ShapeListError("unknown OP \"" + fields[1] + "\"");
  one.op = *op;
  if (fields[2].size() != 2 || fields[2].find_first_not_of("NTC") != std::string::npos) {
    throw ShapeListError("TRANS is not two letters of N, T, C: \"" + fields[2] + "\"");
  }
  one.trans_a = fields[2][0];
  one.trans_b = fields[2][1];
  one.m = parse_int(fields[3], "M", 1);
  one.n = parse_int(fields[4], "N", 1);
  one.k = parse_int(fields[5], "K", 1);
  one.batch = parse_int(fields[6], "BATCH", 1);
  if (one.op.batching == Batching::kNone && one.batch != 1) {
    throw ShapeListError("BATCH above 1 needs an OP with sb_ or pb_: " + fields[1]);
  }
  if (one.op.routine == Routine::kGemv && one.n != 1) {
    throw ShapeListError("N is 1 with " + fields[1] + ", not " + fields[4]);
  }
  if (fields.size() == kFieldsPadded) {
    one.lda_pad = parse_int(fields[7], "lda_pad", 0);
    one.ldb_pad = parse_int(fields[8], "ldb_pad", 0);
    one.ldc_pad = parse_int(fields[9], "ldc_pad", 0);
    one.offset = parse_int(fields[10], "offset", 0);
  }
  check_layout(layout_a(one), "A");
  check_layout(layout_b(one), "B");
  check_layout(layout_c(one), "C");
  return one;
}

Layout make_layout(int64_t rows, int64_t cols, int64_t pad, int64_t offset) {
  const int64_t ld = rows + pad;
  return {rows, cols, ld, ld * cols, offset};
}

// The standard distributions differ between libraries; the lists must not.
class Draw {
 public:
  explicit Draw(uint64_t seed) : engine_(seed) {}
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  size_t below(size_t limit) { return static_cast<size_t>(uniform() * static_cast<double>(limit)); }
  int log_uniform(int least, int most) {
    const double span = std::log((most + 1.0) / least);
    return std::min(most, static_cast<int>(least * std::exp(uniform() * span)));
  }

 private:
  std::mt19937_64 engine_;
};

// What one call may cost, so that a few hundred cases take a minute: some 4 ms of a large GPU's
// rate, and data that is quick to fill.
bool is_affordable(const Case& one) {
  constexpr double kPlainGflop = 200.0, kTensorGflop = 2000.0, kMaxBytes = 1e9;
  const bool tensor = one.op.ab_type == MYBLAS_R_16F || one.op.ab_type == MYBLAS_R_16BF ||
                      one.op.ab_type == MYBLAS_R_8I;
  return work_flop(one) <= 1e9 * (tensor ? kTensorGflop : kPlainGflop) &&
         least_bytes(one) <= kMaxBytes;
}

void draw_sizes(Draw& draw, Case& one, const RandomShapes& shapes) {
  constexpr int kMaxBatch = 512, kGranule = 16;
  const bool odd = draw.uniform() < 1.0 / 3.0;
  for (int* size : {&one.m, &one.n, &one.k}) {
    const auto [least, most] = shapes.sizes;
    *size = draw.log_uniform(least, most);
    if (odd) *size = (*size - 1) | 1;
    if (!odd && *size >= 2 * kGranule) *size -= *size % kGranule;
    *size = std::max(*size, least);
  }
  one.batch = one.op.batching == Batching::kNone ? 1 : draw.log_uniform(1, kMaxBatch);
  const bool padded = odd && draw.uniform() < 0.5;
  for (int* pad : {&one.lda_pad, &one.ldb_pad, &one.ldc_pad, &one.offset}) {
    *pad = padded ? static_cast<int>(draw.below(9)) : 0;
  }
}

// Its name is its group alone.
Case random_case(Draw& draw, const std::string& op, const RandomShapes& shapes) {
  Case one;
  one.op = *find_op(op);
  one.name = "random-" + op.substr(0, op.find('_'));
  if (one.op.batching != Batching::kNone) {
    one.name = "random-" + op.substr(op.find('_') + 1);
  } else if (one.op.routine != Routine::k3m) {
    const double batch_draw = draw.uniform();
    if (batch_draw < 0.2) one.op = *find_op("sb_" + op);
    if (batch_draw > 0.9) one.op = *find_op("pb_" + op);
  }
  const std::string letters = is_complex(one.op.ab_type) ? "NTC" : "NT";
  one.trans_a = letters[draw.below(letters.size())];
  one.trans_b = letters[draw.below(letters.size())];
  constexpr int kAttempts = 1000;
  for (int i = 0; i < kAttempts; ++i) {
    draw_sizes(draw, one, shapes);
    if (is_affordable(one)) return one;
  }
  throw ShapeListError("--sizes: almost no case of these sizes is small enough: " + op);
}

}  // namespace

std::string group_of(const Case& one) { return one.name.substr(0, one.name.find('_')); }

Layout layout_a(const Case& one) {
  const bool plain = one.trans_a == 'N';
  return make_layout(plain ? one.m : one.k, plain ? one.k : one.m, one.lda_pad, one.offset);
}

Layout layout_b(const Case& one) {
  const bool plain = one.trans_b == 'N';
  return make_layout(plain ? one.k : one.n, plain ? one.n : one.k, one.ldb_pad, one.offset);
}

Layout layout_c(const Case& one) { return make_layout(one.m, one.n, one.ldc_pad, one.offset); }

double work_flop(const Case& one) {
  const double per_product = is_complex(one.op.ab_type) ? 8.0 : 2.0;
  return per_product * one.m * one.n * one.k * one.batch;
}

double least_bytes(const Case& one) {
  const double m = one.m, n = one.n, k = one.k;
  const auto in = static_cast<double>(element_bytes(one.op.ab_type));
  const auto out = static_cast<double>(element_bytes(one.op.c_type));
  return one.batch * (in * (m * k + k * n) + out * m * n);
}

Case parse_case(const std::string& line, const std::string& source) {
  std::vector<std::string> fields = split_fields(line);
  std::string name = "case";
  for (const std::string& field : fields) name += "_" + field;
  fields.insert(fields.begin(), name);
  try {
    return case_from_fields(fields);
  } catch (const ShapeListError& error) {
    throw ShapeListError(source + ": " + error.what());
  }
}

std::vector<Case> read_shape_list(std::istream& input, const std::string& source) {
  std::vector<Case> cases;
  int line_number = 0;
  for (std::string line; std::getline(input, line);) {
    ++line_number;
    const std::vector<std::string> fields = split_fields(line);
    if (fields.empty()) continue;
    try {
      cases.push_back(case_from_fields(fields));
    } catch (const ShapeListError& error) {
      throw ShapeListError(source + ":" + std::to_string(line_number) + ": " + error.what());
    }
  }
  return cases;
}

std::vector<Case> random_cases(const RandomShapes& shapes) {
  const std::vector<std::string> ops = shapes.ops.empty() ? op_names() : shapes.ops;
  for (const std::string& op : ops) {
    if (!find_op(op)) throw ShapeListError("--ops: unknown OP \"" + op + "\"");
  }
  if (shapes.sizes.first < 1 || shapes.sizes.second < shapes.sizes.first) {
    throw ShapeListError("--sizes: expected 1 <= LEAST <= MOST");
  }
  Draw draw(shapes.seed);
  std::vector<Case> cases;
  for (int i = 0; i < shapes.count; ++i) {
    cases.push_back(random_case(draw, ops[draw.below(ops.size())], shapes));
    std::string& name = cases.back().name;  // the group so far
    name.append("_").append(std::to_string(shapes.seed)).append("_").append(std::to_string(i));
  }
  return cases;
}

bool shrink_to(Case& one, double max_gflop) {
  bool changed = false;
  while (work_flop(one) > max_gflop * 1e9) {
    int* sizes[] = {&one.m, &one.n, &one.k, &one.batch};
    int* largest = *std::max_element(std::begin(sizes), std::end(sizes),
                                     [](const int* a, const int* b) { return *a < *b; });
    if (*largest == 1) break;
    *largest /= 2;
    changed = true;
  }
  return changed;
}

}  // namespace bench
