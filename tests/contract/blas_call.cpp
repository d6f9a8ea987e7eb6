// SPDX-License-Identifier: BSD-3-Clause
#include "blas_call.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>

#include "element.h"
#include "invoke.h"

namespace contract {
namespace {

// The arena: a page for each matrix, whose element 0 is in the middle so that negative strides
// stay inside, and a page of scalars and pointer arrays.
constexpr size_t kPage = 4096, kMiddle = 2048;
constexpr size_t kPageA = 0, kPageB = kPage, kPageC = 2 * kPage, kPageScalars = 3 * kPage;
constexpr size_t kAlphaAt = kPageScalars, kBetaAt = kPageScalars + 64;
constexpr size_t kArrayA = kPageScalars + 512, kArrayB = kArrayA + 512, kArrayC = kArrayB + 512;
constexpr size_t kArenaBytes = 4 * kPage;
constexpr int64_t kMaxMatrices = 8, kMaxExtent = 16;

constexpr double kUnusedScalar = 1;

bool is_complex(int type) { return type == kC32F || type == kC64F || type == kC8I; }

int scalar_type_of(const Call& call) {
  if (call.routine.scalar_type >= 0) return call.routine.scalar_type;
  return scale_type(call.compute, call.a.type);
}

// Small integers, different at neighbouring places, never all zero in a row of the product.
Value pattern(size_t page, size_t index, bool complex) {
  const auto i = static_cast<int>(index);
  const double re = page == kPageC ? i % 4 + 1 : page == kPageA ? (i * 7 + 3) % 4 + 1 : i % 3 - 2;
  return {re, complex ? i % 3 - 1.0 : 0.0};
}

}  // namespace

std::string type_name(int type) {
  static const std::map<int, std::string> names = {
      {0, "R_32F"},  {1, "R_64F"},   {2, "R_16F"},   {3, "R_8I"},        {4, "C_32F"},
      {5, "C_64F"},  {6, "C_16F"},   {7, "C_8I"},    {8, "R_8U"},        {9, "C_8U"},
      {10, "R_32I"}, {11, "C_32I"},  {12, "R_32U"},  {14, "R_16BF"},     {15, "C_16BF"},
      {16, "R_4I"},  {28, "R_E4M3"}, {29, "R_E5M2"}, {30, "R_8F_UE8M0"}, {33, "R_4F_E2M1"}};
  const auto found = names.find(type);
  return found == names.end() ? std::to_string(type) : found->second;
}

bool has_arithmetic(int type) {
  for (int known : {kR32F, kR64F, kR16F, kR8I, kC32F, kC64F, kC8I, kR32I, kR16BF}) {
    if (type == known) return true;
  }
  return false;
}

int scale_type(int compute, int ab) {
  switch (compute) {
    case 64:
    case 65:
    case kR16F: return kR16F;
    case 72:
    case 73:
    case kR32I: return kR32I;
    case 70:
    case 71:
    case 79:
    case kR64F:
    case kC64F: return is_complex(ab) ? kC64F : kR64F;
    default: return is_complex(ab) ? kC32F : kR32F;
  }
}

const std::vector<Routine>& all_routines() {
  static const std::vector<Routine> routines = {
      {"Sgemm_v2", Shape::kPlain, kR32F, kR32F, 68, kR32F},
      {"Dgemm_v2", Shape::kPlain, kR64F, kR64F, 70, kR64F},
      {"Cgemm_v2", Shape::kPlain, kC32F, kC32F, 68, kC32F},
      {"Zgemm_v2", Shape::kPlain, kC64F, kC64F, 70, kC64F},
      {"Hgemm", Shape::kPlain, kR16F, kR16F, 64, kR16F},
      {"Cgemm3m", Shape::kPlain, kC32F, kC32F, 68, kC32F},
      {"Zgemm3m", Shape::kPlain, kC64F, kC64F, 70, kC64F},
      {"SgemmEx", Shape::kTyped, kR32F, kR32F, 68, kR32F},
      {"CgemmEx", Shape::kTyped, kC32F, kC32F, 68, kC32F},
      {"Cgemm3mEx", Shape::kTyped, kC32F, kC32F, 68, kC32F},
      {"GemmEx", Shape::kEx, kR32F, kR32F, 68, -1},
      {"HgemmBatched", Shape::kBatched, kR16F, kR16F, 64, kR16F},
      {"SgemmBatched", Shape::kBatched, kR32F, kR32F, 68, kR32F},
      {"DgemmBatched", Shape::kBatched, kR64F, kR64F, 70, kR64F},
      {"CgemmBatched", Shape::kBatched, kC32F, kC32F, 68, kC32F},
      {"ZgemmBatched", Shape::kBatched, kC64F, kC64F, 70, kC64F},
      {"Cgemm3mBatched", Shape::kBatched, kC32F, kC32F, 68, kC32F},
      {"HgemmStridedBatched", Shape::kStrided, kR16F, kR16F, 64, kR16F},
      {"SgemmStridedBatched", Shape::kStrided, kR32F, kR32F, 68, kR32F},
      {"DgemmStridedBatched", Shape::kStrided, kR64F, kR64F, 70, kR64F},
      {"CgemmStridedBatched", Shape::kStrided, kC32F, kC32F, 68, kC32F},
      {"ZgemmStridedBatched", Shape::kStrided, kC64F, kC64F, 70, kC64F},
      {"Cgemm3mStridedBatched", Shape::kStrided, kC32F, kC32F, 68, kC32F},
      {"GemmBatchedEx", Shape::kBatchedEx, kR32F, kR32F, 68, -1},
      {"GemmStridedBatchedEx", Shape::kStridedEx, kR32F, kR32F, 68, -1},
      {"SgemmGroupedBatched", Shape::kGrouped, kR32F, kR32F, 68, kR32F},
      {"DgemmGroupedBatched", Shape::kGrouped, kR64F, kR64F, 70, kR64F},
      {"GemmGroupedBatchedEx", Shape::kGroupedEx, kR32F, kR32F, 68, -1},
  };
  return routines;
}

Routine routine(const std::string& name, bool wide) {
  for (Routine r : all_routines()) {
    if (name != r.name) continue;
    r.wide = wide;
    return r;
  }
  throw std::logic_error("no routine " + name);
}

Call::Call(const Routine& which) : routine(which), compute(which.compute) {
  a.type = b.type = which.ab_type;
  c.type = which.c_type;
}

struct Bench::Pointers {
  Addresses at;
  std::array<unsigned char, 16 * kMaxMatrices> alphas, betas;
};

Bench::Bench(const BlasLibrary& library, Memory& memory, void* handle)
    : library_(library),
      memory_(memory),
      handle_(handle),
      arena_(static_cast<unsigned char*>(memory.allocate(kArenaBytes))),
      image_(kArenaBytes) {}

// Fills the image of the arena and says where in it everything is.
Bench::Pointers Bench::lay_out(const Call& call) {
  const auto fill = [&](size_t page, const Operand& operand) {
    const size_t bytes = element_bytes(operand.type);
    const double nan = std::nan("");
    const auto first = static_cast<size_t>(operand.shift) % bytes;
    for (size_t i = 0, at = first; at + bytes <= kPage; ++i, at += bytes) {
      store(operand.type, &image_[page + at],
            operand.nan ? Value(nan, nan) : pattern(page, i, is_complex(operand.type)));
    }
  };
  fill(kPageA, call.a);
  fill(kPageB, call.b);
  fill(kPageC, call.c);

  const int scalar = scalar_type_of(call);
  store(scalar, &image_[kAlphaAt], call.alpha);
  store(scalar, &image_[kBetaAt], call.beta);

  Pointers p{};
  const auto place = [&](size_t page, size_t array, const Operand& operand) -> unsigned char* {
    unsigned char* base = arena_ + page + kMiddle + operand.shift;
    if (operand.null) return nullptr;
    if (!call.routine.pointers()) return base;
    const auto bytes = static_cast<int64_t>(element_bytes(operand.type));
    for (int64_t i = 0; i < kMaxMatrices; ++i) {
      const unsigned char* matrix = base + i * operand.stride * bytes;
      std::memcpy(&image_[array + static_cast<size_t>(i) * sizeof matrix], &matrix, sizeof matrix);
    }
    return arena_ + array;
  };
  p.at.a = place(kPageA, kArrayA, call.a);
  p.at.b = place(kPageB, kArrayB, call.b);
  p.at.c = place(kPageC, kArrayC, call.c);
  const unsigned char* scalars = call.device_scalars ? arena_ : image_.data();
  p.at.alpha = call.alpha_null ? nullptr : scalars + kAlphaAt;
  p.at.beta = call.beta_null ? nullptr : scalars + kBetaAt;
  for (int64_t g = 0; g < kMaxMatrices; ++g) {
    const bool last = g == std::max<int64_t>(call.batch, 1) - 1;
    const auto at = static_cast<size_t>(g) * element_bytes(scalar);
    store(scalar, &p.alphas[at], last ? call.alpha : kUnusedScalar);
    store(scalar, &p.betas[at], last ? call.beta : kUnusedScalar);
  }
  return p;
}

Bench::Result Bench::run(const Call& call) {
  Pointers p = lay_out(call);
  p.at.alpha_array = call.alpha_null ? nullptr : p.alphas.data();
  p.at.beta_array = call.beta_null ? nullptr : p.betas.data();
  int error = memory_.write(arena_, image_.data(), image_.size());

  const auto set_pointer_mode = library_.find<int(void*, int)>("SetPointerMode_v2");
  if (call.device_scalars && handle_ != nullptr) set_pointer_mode(handle_, 1);
  Result result;
  result.status = invoke(library_, call.null_handle ? nullptr : handle_, call, p.at);
  if (call.device_scalars && handle_ != nullptr) set_pointer_mode(handle_, 0);

  if (error == 0) error = memory_.synchronize();
  std::vector<unsigned char> after(kPage);
  if (error == 0) error = memory_.read(after.data(), arena_ + kPageC, kPage);
  poisoned_ = error != 0;
  result.outcome =
      poisoned_ ? "fault " + std::to_string(error) : classify(call, result.status, after);
  return result;
}

namespace {

// op(X)(row, column), read from the page whose element 0 is at `base`.
Value element(const Operand& x, int trans, const unsigned char* base, int64_t row, int64_t column) {
  if (trans != 0) std::swap(row, column);
  const auto bytes = static_cast<int64_t>(element_bytes(x.type));
  const Value value = load(x.type, base + (row + column * x.ld) * bytes);
  return trans == 2 ? std::conj(value) : value;
}

bool same(Value x, Value y) { return x == y; }

struct Verdicts {
  bool product = true, scaled = true, zero = true, unchanged = true, nan = false;
  std::string word() const {
    if (nan) return "nan";
    if (unchanged) return "unchanged";
    if (zero) return "zero";
    if (scaled) return "scaled";
    return product ? "product" : "other";
  }
};

}  // namespace

std::string Bench::classify(const Call& call, int status,
                            const std::vector<unsigned char>& after) const {
  const unsigned char* before = &image_[kPageC];
  // NOTE: a NaN that was computed may well have the bits of the NaN that was there.
  const bool computed = status == 0 && call.c.nan && call.m > 0 && call.n > 0;
  if (std::memcmp(before, after.data(), kPage) == 0) return computed ? "nan" : "unchanged";
  if (!has_arithmetic(call.c.type) || !has_arithmetic(call.a.type) || !has_arithmetic(call.b.type))
    return "other";

  std::vector<unsigned char> rest(after);  // C with what the call may write put back
  const bool many = call.routine.batched() || call.routine.grouped();
  const int64_t first_of_last_group = call.routine.grouped() ? call.batch - 1 : 0;
  const int64_t matrices =
      !many ? 1
            : std::clamp<int64_t>(
                  call.routine.grouped() ? first_of_last_group + call.group_size : call.batch, 0,
                  kMaxMatrices);
  std::string words;
  for (int64_t i = 0; i < matrices; ++i) {
    const Call valid(call.routine);
    const Call& shape = i < first_of_last_group ? valid : call;
    Operand a_operand = call.a, b_operand = call.b;
    a_operand.ld = shape.a.ld;
    b_operand.ld = shape.b.ld;
    if (std::max({shape.m, shape.n, shape.k}) > kMaxExtent) return "other";
    const auto start = [&](size_t page, const Operand& x) {
      return static_cast<int64_t>(page + kMiddle) + x.shift +
             i * x.stride * static_cast<int64_t>(element_bytes(x.type));
    };
    const unsigned char* a = image_.data() + start(kPageA, call.a);
    const unsigned char* b = image_.data() + start(kPageB, call.b);
    const auto bytes = static_cast<int64_t>(element_bytes(call.c.type));
    Verdicts verdicts;
    for (int64_t column = 0; column < shape.n; ++column) {
      for (int64_t row = 0; row < shape.m; ++row) {
        const int64_t at = start(0, call.c) + (row + column * shape.c.ld) * bytes;
        Value sum = 0;
        for (int64_t l = 0; l < shape.k; ++l)
          sum += element(a_operand, shape.transa, a, row, l) *
                 element(b_operand, shape.transb, b, l, column);
        const Value old = load(call.c.type, before + at);
        const Value now = load(call.c.type, after.data() + at);
        const Value scaled = shape.beta == 0 ? Value(0) : shape.beta * old;
        const Value full = shape.alpha == 0 ? scaled : shape.alpha * sum + scaled;
        verdicts.product = verdicts.product && same(now, full);
        verdicts.scaled = verdicts.scaled && same(now, scaled);
        verdicts.zero = verdicts.zero && same(now, 0);
        verdicts.unchanged = verdicts.unchanged && std::memcmp(before + at, after.data() + at,
                                                               static_cast<size_t>(bytes)) == 0;
        verdicts.nan = verdicts.nan || std::isnan(now.real()) || std::isnan(now.imag());
        std::memcpy(&rest[static_cast<size_t>(at)], before + at, static_cast<size_t>(bytes));
      }
    }
    const std::string word = verdicts.word();
    if (words.empty())
      words = word;
    else if (words != word)
      words += "," + word;
  }
  if (std::memcmp(rest.data(), before, kPage) != 0) words += "+outside";
  return words;
}

std::string Bench::run_text(const Call& call) {
  const Result result = run(call);
  if (result.status == kNoSuchFunction) return "missing";
  const std::string status = std::to_string(result.status);
  if (poisoned_ || result.status == 0) return status + " " + result.outcome;
  return result.outcome == "unchanged" ? status : status + " touched";
}

}  // namespace contract
