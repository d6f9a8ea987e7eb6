// SPDX-License-Identifier: BSD-3-Clause
#include "gemm/large_case.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace myblas::test {
namespace {

constexpr size_t kGuardBytes = 1 << 20;
constexpr int kRange = 3;

// The ends, the neighbours of the powers of two where an index may wrap, and the middle.
std::vector<int64_t> samples(int64_t extent) {
  std::vector<int64_t> picked;
  for (const int64_t x :
       {int64_t{0}, int64_t{1}, int64_t{65535}, int64_t{65536}, int64_t{1} << 30,
        (int64_t{1} << 31) - 1, int64_t{1} << 31, extent / 2, extent - 2, extent - 1}) {
    if (x >= 0 && x < extent) picked.push_back(x);
  }
  std::sort(picked.begin(), picked.end());
  picked.erase(std::unique(picked.begin(), picked.end()), picked.end());
  return picked;
}

bool contains(const std::vector<int64_t>& sorted, int64_t x) {
  return std::binary_search(sorted.begin(), sorted.end(), x);
}

// The bits of a value, to fill memory with.
uint32_t pattern(myblasDataType_t type, double value) {
  uint32_t bits = 0;
  unsigned char bytes[16];
  store(type, bytes, {value, 0});
  std::memcpy(&bits, bytes, std::min<size_t>(element_bytes(type), sizeof bits));
  return bits;
}

Layout make_layout(myblasDataType_t type, int64_t rows, int64_t cols, int64_t batch,
                   const LargeOperand& operand, bool output) {
  Layout layout{type, rows, cols, operand.ld != 0 ? operand.ld : rows, batch, operand.stride};
  if (output && layout.stride == 0) layout.stride = layout.matrix_elements();
  return layout;
}

}  // namespace

uint8_t* LargeGemm::Operand::first() const { return memory.data() + kGuardBytes; }

LargeGemm::LargeGemm(Device& device, const LargeCase& large)
    : device_(device), large_(large), combo_(*find_combo(large.combo)) {
  const bool plain_a = large.op_a == MYBLAS_OP_N, plain_b = large.op_b == MYBLAS_OP_N;
  depths_ = samples(large.k);
  matrices_ = samples(large.batch);
  const std::vector<int64_t> outer_a = samples(large.m), outer_b = samples(large.n);

  a_.layout = make_layout(combo_.ab, plain_a ? large.m : large.k, plain_a ? large.k : large.m,
                          large.batch, large.a, false);
  a_.rows = plain_a ? outer_a : depths_;
  a_.cols = plain_a ? depths_ : outer_a;
  a_.salt = 0xA;
  b_.layout = make_layout(combo_.ab, plain_b ? large.k : large.n, plain_b ? large.n : large.k,
                          large.batch, large.b, false);
  b_.rows = plain_b ? depths_ : outer_b;
  b_.cols = plain_b ? outer_b : depths_;
  b_.salt = 0xB;
  c_.layout = make_layout(combo_.c, large.m, large.n, large.batch, large.c, true);
  c_.rows = outer_a;
  c_.cols = outer_b;

  // Where not every depth is a sample, one side is zero off the samples and the other is 1, so
  // that what lies between the samples is multiplied but adds nothing.
  const bool all_depths = static_cast<int64_t>(depths_.size()) == large.k;
  const bool a_is_larger = a_.layout.slot_elements() >= b_.layout.slot_elements();
  a_.background = all_depths || a_is_larger ? 1.0 : 0.0;
  b_.background = all_depths || !a_is_larger ? 1.0 : 0.0;
}

size_t LargeGemm::bytes() const {
  return a_.layout.bytes() + b_.layout.bytes() + c_.layout.bytes() + 6 * kGuardBytes;
}

void LargeGemm::allocate(Operand& operand) {
  const size_t bytes = operand.layout.bytes() + 2 * kGuardBytes;
  operand.memory = DeviceMemory(device_, bytes);
  device_.fill(operand.memory.data(), 0xFF, 1, bytes);
}

void LargeGemm::fill_background(Operand& operand) {
  const Layout& layout = operand.layout;
  const uint32_t bits = pattern(layout.type, operand.background);
  const size_t element = element_bytes(layout.type);
  const int64_t matrices = layout.stride == 0 ? 1 : layout.batch;
  // Complex elements would need a wider pattern; the cases have none.
  if (layout.ld == layout.rows && (matrices == 1 || layout.stride == layout.matrix_elements())) {
    device_.fill(operand.first(), bits, element, static_cast<size_t>(layout.slot_elements()));
    return;
  }
  for (int64_t index = 0; index < matrices; ++index) {
    for (int64_t j = 0; j < layout.cols; ++j) {
      device_.fill(operand.first() + layout.byte(0, j, index), bits, element,
                   static_cast<size_t>(layout.rows));
    }
  }
}

double LargeGemm::value(const Operand& operand, int64_t i, int64_t j, int64_t index) const {
  if (!contains(operand.rows, i) || !contains(operand.cols, j)) return operand.background;
  if (operand.layout.stride == 0) index = 0;
  if (operand.layout.stride != 0 && !contains(matrices_, index)) return operand.background;
  // Never zero, never the background of 1: 2, 3 or their negatives.
  const uint64_t hash = position_hash(operand.salt, i, j, index);
  const double magnitude = 2.0 + static_cast<double>(hash % (kRange - 1));
  return (hash >> 32) & 1 ? -magnitude : magnitude;
}

void LargeGemm::put_samples(Operand& operand) {
  const Layout& layout = operand.layout;
  for (const int64_t index : matrices_) {
    if (layout.stride == 0 && index != 0) break;
    for (const int64_t j : operand.cols) {
      for (const int64_t i : operand.rows) {
        unsigned char bytes[16];
        store(layout.type, bytes, {value(operand, i, j, index), 0});
        device_.copy_in(operand.first() + layout.byte(i, j, index), bytes,
                        element_bytes(layout.type));
      }
    }
  }
}

double LargeGemm::expected(int64_t i, int64_t j, int64_t index) const {
  const auto product = [&](int64_t p) {
    const double a = large_.op_a == MYBLAS_OP_N ? value(a_, i, p, index) : value(a_, p, i, index);
    const double b = large_.op_b == MYBLAS_OP_N ? value(b_, p, j, index) : value(b_, j, p, index);
    return a * b;
  };
  double sum = 0.0;
  for (const int64_t p : depths_) sum += product(p);
  // Off the sampled depths every product is the same, and 0 unless there are no such depths.
  return sum + static_cast<double>(large_.k - static_cast<int64_t>(depths_.size())) *
                   a_.background * b_.background;
}

testing::AssertionResult LargeGemm::check_samples() {
  const Layout& layout = c_.layout;
  for (const int64_t index : matrices_) {
    for (const int64_t j : c_.cols) {
      for (const int64_t i : c_.rows) {
        unsigned char bytes[16];
        device_.copy_out(bytes, c_.first() + layout.byte(i, j, index), element_bytes(layout.type));
        const Value got = load(layout.type, bytes);
        const double want = expected(i, j, index);
        if (same(got, rounded(layout.type, {want, 0}))) continue;
        return testing::AssertionFailure() << "C(" << i << ',' << j << ") of matrix " << index
                                           << " = " << got.re << ", expected " << want;
      }
    }
  }
  return testing::AssertionSuccess();
}

// Every element between the samples must have been written too: pieces of columns, or of whole
// matrices where the columns follow each other without a gap.
testing::AssertionResult LargeGemm::check_windows() {
  const Layout& layout = c_.layout;
  const size_t element = element_bytes(layout.type);
  const bool gapless = layout.ld == layout.rows;
  const int64_t extent = gapless ? layout.matrix_elements() : layout.rows;
  const int64_t length = std::min<int64_t>(extent, 8192), last = extent - length;
  Random random(7);
  std::vector<uint8_t> window(static_cast<size_t>(length) * element);
  for (int piece = 0; piece < 96; ++piece) {
    const int64_t index = random.below(layout.batch);
    const int64_t column = gapless ? 0 : random.below(layout.cols);
    // The first and the last pieces more often than those between.
    const int64_t start = piece % 4 == 0 ? 0 : piece % 4 == 1 ? last : random.below(last + 1);
    device_.copy_out(window.data(), c_.first() + layout.byte(start, column, index), window.size());
    for (int64_t x = 0; x < length; ++x) {
      const int64_t i = gapless ? (start + x) % layout.rows : start + x;
      const int64_t j = gapless ? (start + x) / layout.rows : column;
      const Value got = load(layout.type, window.data() + static_cast<size_t>(x) * element);
      const double want = expected(i, j, index);
      if (same(got, rounded(layout.type, {want, 0}))) continue;
      return testing::AssertionFailure() << "C(" << i << ',' << j << ") of matrix " << index
                                         << " = " << got.re << ", expected " << want;
    }
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult LargeGemm::check_guards() {
  const Layout& layout = c_.layout;
  const auto untouched = [&](const uint8_t* at, size_t bytes, const char* what) {
    std::vector<uint8_t> found(bytes);
    device_.copy_out(found.data(), at, bytes);
    const auto damaged =
        std::find_if(found.begin(), found.end(), [](uint8_t byte) { return byte != 0xFF; });
    if (damaged == found.end()) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << what << ": byte " << damaged - found.begin() << " is " << static_cast<int>(*damaged);
  };
  testing::AssertionResult result = untouched(c_.memory.data(), kGuardBytes, "guard before C");
  if (!result) return result;
  result = untouched(c_.first() + layout.bytes(), kGuardBytes, "guard after C");
  if (!result || layout.ld == layout.rows) return result;
  for (const int64_t j : c_.cols) {
    if (j + 1 == layout.cols) continue;
    const size_t element = element_bytes(layout.type);
    const size_t gap = static_cast<size_t>(layout.ld - layout.rows) * element;
    const uint8_t* after = c_.first() + layout.byte(layout.rows - 1, j) + element;
    result = untouched(after, std::min<size_t>(gap, 65536), "gap between columns of C");
    if (!result) return result;
  }
  return result;
}

testing::AssertionResult LargeGemm::run(myblasHandle_t handle) {
  for (Operand* operand : {&a_, &b_, &c_}) allocate(*operand);
  for (Operand* operand : {&a_, &b_}) {
    fill_background(*operand);
    put_samples(*operand);
  }
  alignas(16) unsigned char alpha[16], beta[16];
  store(combo_.scale, alpha, {1, 0});
  store(combo_.scale, beta, {0, 0});
  GemmCall call;
  call.combo = &combo_;
  call.op_a = large_.op_a;
  call.op_b = large_.op_b;
  call.m = large_.m;
  call.n = large_.n;
  call.k = large_.k;
  call.alpha = alpha;
  call.beta = beta;
  call.a = a_.first();
  call.lda = a_.layout.ld;
  call.stride_a = a_.layout.stride;
  call.b = b_.first();
  call.ldb = b_.layout.ld;
  call.stride_b = b_.layout.stride;
  call.c = c_.first();
  call.ldc = c_.layout.ld;
  call.stride_c = c_.layout.stride;
  call.batch = large_.batch;
  const EntryPoint& entry =
      *find_entry(large_.wide ? "myblasGemmStridedBatchedEx_64" : "myblasGemmStridedBatchedEx");
  const myblasStatus_t status = entry.call(handle, call);
  if (status != MYBLAS_STATUS_SUCCESS) {
    return testing::AssertionFailure() << entry.name << " gave " << myblasGetStatusName(status);
  }
  device_.synchronize();
  for (const auto check :
       {&LargeGemm::check_samples, &LargeGemm::check_windows, &LargeGemm::check_guards}) {
    const testing::AssertionResult result = (this->*check)();
    if (!result) return result;
  }
  return testing::AssertionSuccess();
}

}  // namespace myblas::test
