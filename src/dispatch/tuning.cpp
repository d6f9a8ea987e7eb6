// SPDX-License-Identifier: BSD-3-Clause
#include "dispatch/tuning.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <tuple>

#include "dispatch/select.h"

namespace myblas {
namespace {

constexpr int kMaxAlign = 16;  // no kernel asks for more
constexpr DataType kTypes[] = {DataType::kF16, DataType::kBF16, DataType::kF32,
                               DataType::kF64, DataType::kS8,   DataType::kS32,
                               DataType::kCS8, DataType::kCF32, DataType::kCF64};
struct NamedCompute {
  Compute compute;
  const char* name;
};
constexpr NamedCompute kComputes[] = {
    {Compute::kF32, "f32"}, {Compute::kF64, "f64"}, {Compute::kS32, "s32"}};
constexpr const char* kTransNames[] = {"NN", "NT", "TN", "TT"};
constexpr const char* kKindNames[] = {"strided", "pointers"};

bool parse_type(const std::string& text, DataType* type) {
  for (const DataType known : kTypes) {
    if (text == name(known)) {
      *type = known;
      return true;
    }
  }
  return false;
}

bool parse_compute(const std::string& text, Compute* compute) {
  for (const NamedCompute& known : kComputes) {
    if (text == known.name) {
      *compute = known.compute;
      return true;
    }
  }
  return false;
}

template <size_t kCount>
int index_in(const char* const (&names)[kCount], const std::string& text) {
  for (size_t i = 0; i < kCount; ++i) {
    if (text == names[i]) return static_cast<int>(i);
  }
  return -1;
}

// Of those that the caller gave the ones that a row may need.
uint8_t permissions_of(const GemmKey& types, uint8_t fast_math) {
  switch (types.ab) {
    case DataType::kF32: return fast_math & (kFastTF32 | kFastBF16x9);
    case DataType::kF16: return fast_math & kFastF16Sums;
    default: return kFastNone;
  }
}

bool parse_plan(const std::string& line, TunedPlan* plan) {
  std::istringstream words(line);
  std::string target, ab, c, sum, trans, kind, division;
  TuningKey& key = plan->key;
  int fast = 0;
  words >> target >> ab >> c >> sum >> trans >> fast >> key.m >> key.n >> key.k >>
      key.batch_count >> kind >> key.align_a >> key.align_b >> key.align_c >> plan->row >> division;
  const int trans_index = index_in(kTransNames, trans);
  const int kind_index = index_in(kKindNames, kind);
  if (!words || trans_index < 0 || kind_index < 0 || fast < 0 || fast > kFastAll) return false;
  if (!(words >> std::ws).eof()) return false;
  if (!parse_division(division.c_str(), &plan->division)) return false;
  key.trans = static_cast<uint8_t>(1 << trans_index);
  key.batch_kind = static_cast<BatchKind>(kind_index);
  if (!parse_target(target.c_str(), &key.table_cc) || !parse_type(ab, &key.types.ab) ||
      !parse_type(c, &key.types.c) || !parse_compute(sum, &key.types.acc)) {
    return false;
  }
  key.fast_math = permissions_of(key.types, static_cast<uint8_t>(fast));
  return true;
}

auto size_of(const TuningKey& key) { return std::tie(key.m, key.n, key.k, key.batch_count); }

bool smaller(const TunedPlan& plan, const TuningKey& key) {
  return size_of(plan.key) < size_of(key);
}

}  // namespace

TuningKey tuning_key(const GemmProblem& p, const DeviceCaps& caps) {
  TuningKey key;
  key.table_cc = table_number(caps.table_cc);
  key.types = key_of(p);
  key.trans = trans_of(p);
  key.fast_math = permissions_of(key.types, p.fast_math);
  key.m = p.m;
  key.n = p.n;
  key.k = p.k;
  key.batch_count = p.batch_count;
  key.batch_kind = p.batch_kind;
  key.align_a = std::min(kMaxAlign, alignment_bytes(p.a, p.ab_type, p));
  key.align_b = std::min(kMaxAlign, alignment_bytes(p.b, p.ab_type, p));
  key.align_c = std::min(kMaxAlign, alignment_bytes(p.c, p.c_type, p));
  return key;
}

std::string tuning_line(const TuningKey& key, const std::string& row, const KDivision& division) {
  const char* sum = "";
  for (const NamedCompute& known : kComputes) {
    if (known.compute == key.types.acc) sum = known.name;
  }
  const auto trans = static_cast<size_t>(__builtin_ctz(key.trans));
  std::ostringstream line;
  line << "sm_" << key.table_cc << ' ' << name(key.types.ab) << ' ' << name(key.types.c) << ' '
       << sum << ' ' << kTransNames[trans] << ' ' << int{key.fast_math} << ' ' << key.m << ' '
       << key.n << ' ' << key.k << ' ' << key.batch_count << ' '
       << kKindNames[static_cast<size_t>(key.batch_kind)] << ' ' << key.align_a << ' '
       << key.align_b << ' ' << key.align_c << ' ' << row << ' ' << division_text(division);
  return line.str();
}

std::unique_ptr<const Tuning> Tuning::read(const char* path, std::string* error) {
  std::ifstream file(path);
  if (!file) {
    *error = "cannot be read";
    return nullptr;
  }
  auto tuning = std::make_unique<Tuning>();
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    TunedPlan plan;
    if (!parse_plan(line, &plan)) {
      *error = "line " + std::to_string(number) + " is no plan";
      return nullptr;
    }
    tuning->plans_.push_back(plan);
  }
  if (file.bad()) {  // a folder, for one
    *error = "cannot be read";
    return nullptr;
  }
  // Stable: of two plans for one shape the later line is found last, and wins.
  std::ranges::stable_sort(tuning->plans_, [](const TunedPlan& a, const TunedPlan& b) {
    return size_of(a.key) < size_of(b.key);
  });
  return tuning;
}

const TunedPlan* Tuning::find(const TuningKey& key) const {
  const TunedPlan* found = nullptr;
  for (auto plan = std::lower_bound(plans_.begin(), plans_.end(), key, smaller);
       plan != plans_.end() && size_of(plan->key) == size_of(key); ++plan) {
    if (plan->key == key) found = &*plan;
  }
  return found;
}

}  // namespace myblas
