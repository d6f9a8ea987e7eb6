// SPDX-License-Identifier: BSD-3-Clause
#include "suites/offsets.h"

#include <sys/mman.h>

#include <string_view>
#include <vector>

#include "suites/emulated_memory.h"

namespace myblas::test {
namespace {

constexpr int64_t kFar = (int64_t{1} << 29) + 64;
constexpr int64_t kSize = 6;

// A 6 x 6 matrix with columns kFar elements apart.
class FarMatrix {
 public:
  explicit FarMatrix(myblasDataType_t type)
      : type_(type), bytes_(static_cast<size_t>((kSize - 1) * kFar + kSize) * element_bytes(type)) {
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    emulator::admit(memory_, bytes_);
  }
  ~FarMatrix() {
    emulator::withdraw(memory_);
    munmap(memory_, bytes_);
  }
  FarMatrix(const FarMatrix&) = delete;
  FarMatrix& operator=(const FarMatrix&) = delete;

  void* data() const { return memory_; }
  void* at(int64_t i, int64_t j) const {
    return static_cast<uint8_t*>(memory_) +
           static_cast<size_t>(j * kFar + i) * element_bytes(type_);
  }
  double get(int64_t i, int64_t j) const { return load(type_, at(i, j)).re; }
  void set(int64_t i, int64_t j, double value) { store(type_, at(i, j), {value, 0.0}); }

 private:
  myblasDataType_t type_;
  size_t bytes_;
  void* memory_;
};

class EmulatorOffsets : public testing::TestWithParam<TableRow> {};

std::string row_name(const testing::TestParamInfo<TableRow>& info) { return info.param.row->name; }

TEST_P(EmulatorOffsets, Past32Bits) {
  load_all_kernels();
  RowHandle handle(GetParam());
  EXPECT_TRUE(run_far_offsets(handle));
}

INSTANTIATE_TEST_SUITE_P(Tables, EmulatorOffsets, testing::ValuesIn(all_rows()), row_name);

// A small matrix of complex elements that begins `bytes` past a multiple of 16.
class ShiftedMatrix {
 public:
  ShiftedMatrix(myblasDataType_t type, size_t shift)
      : type_(type), shift_(shift), memory_(kSize * kSize + 1) {
    emulator::admit(memory_.data(), memory_.size() * sizeof(Element));
  }
  ~ShiftedMatrix() { emulator::withdraw(memory_.data()); }
  ShiftedMatrix(const ShiftedMatrix&) = delete;
  ShiftedMatrix& operator=(const ShiftedMatrix&) = delete;

  uint8_t* data() { return reinterpret_cast<uint8_t*>(memory_.data()) + shift_; }
  void* at(int64_t i, int64_t j) {
    return data() + static_cast<size_t>(j * kSize + i) * element_bytes(type_);
  }

 private:
  struct alignas(16) Element {
    uint8_t bytes[16];
  };
  myblasDataType_t type_;
  size_t shift_;
  std::vector<Element> memory_;
};

// Other rows that take such a C store an element at a time, which is two stores on a GPU and one
// here, so that the emulator would complain.
std::vector<TableRow> rows_that_store_parts() {
  std::vector<TableRow> rows;
  for (const TableRow& some : all_rows()) {
    const auto bytes = static_cast<int>(element_bytes(combos_of(*some.row).front()->c));
    const bool is_simt = std::string_view(some.row->name).starts_with("cgemm_");
    if (is_simt && some.row->align_c < bytes) rows.push_back(some);
  }
  return rows;
}

class EmulatorOffsetsOfParts : public testing::TestWithParam<TableRow> {};

// An array of std::complex may begin at any part: C, and A and B where the row takes these.
TEST_P(EmulatorOffsetsOfParts, MatricesBeginAtAnyPart) {
  load_all_kernels();
  RowHandle handle(GetParam());
  const TypeCombo& combo = *combos_of(handle.row()).front();
  const EntryPoint* entry = find_entry("myblasGemmEx_64");
  const auto shift_of = [](myblasDataType_t type, int align) {
    return static_cast<size_t>(align) < element_bytes(type) ? element_bytes(type) / 2 : 0;
  };
  for (const double beta_of_c : {0.0, 2.0}) {
    ShiftedMatrix a(combo.ab, shift_of(combo.ab, handle.row().align_a));
    ShiftedMatrix b(combo.ab, shift_of(combo.ab, handle.row().align_b));
    ShiftedMatrix c(combo.c, shift_of(combo.c, handle.row().align_c));
    for (int64_t i = 0; i < kSize; ++i) {
      for (int64_t j = 0; j < kSize; ++j) {
        store(combo.ab, a.at(i, j), {static_cast<double>(1 + i), static_cast<double>(j)});
        store(combo.ab, b.at(i, j), {i == j ? 1.0 : 0.0, 0.0});
        store(combo.c, c.at(i, j), {static_cast<double>(i - j), 1.0});
      }
    }
    alignas(16) unsigned char alpha[16], beta[16];
    store(combo.scale, alpha, {1.0, 0.0});
    store(combo.scale, beta, {beta_of_c, 0.0});
    GemmCall call;
    call.op_a = MYBLAS_OP_N;
    call.op_b = (handle.row().trans & kNN) != 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
    call.m = call.n = call.k = call.lda = call.ldb = call.ldc = kSize;
    call.alpha = alpha;
    call.beta = beta;
    call.a = a.data();
    call.b = b.data();
    call.c = c.data();
    call.combo = &combo;
    const myblasStatus_t status = entry->call(handle.get(), call);
    const emulator::Result result = emulator::take_result();
    if (!MYBLAS_EMULATES_ALL && result.error == emulator::kNoModule) continue;
    ASSERT_EQ(result.error, "");
    ASSERT_EQ(status, MYBLAS_STATUS_SUCCESS);
    EXPECT_TRUE(handle.served());
    for (int64_t i = 0; i < kSize; ++i) {
      for (int64_t j = 0; j < kSize; ++j) {
        const auto element = load(combo.c, c.at(i, j));
        EXPECT_EQ(element.re, static_cast<double>(1 + i) + beta_of_c * static_cast<double>(i - j));
        EXPECT_EQ(element.im, static_cast<double>(j) + beta_of_c);
      }
    }
  }
}

// A stride past a tensor map's makes a launch of each matrix: each has its own bias.
TEST(EmulatorOffsetsOfBatches, EachLaunchHasItsBias) {
  load_all_kernels();
  RowHandle handle(find_row("hgemm_wgmma_bf16_bf16_64x64x64"), {"1"});
  const TypeCombo& combo = *combos_of(handle.row()).front();
  constexpr int64_t kM = 64, kN = 8, kBatch = 3;
  const auto bytes = static_cast<int64_t>(element_bytes(combo.c));
  Memory c(static_cast<size_t>(kBatch * kM * kN * bytes));
  Memory bias(static_cast<size_t>(kBatch * kM * bytes));
  for (int64_t i = 0; i < kBatch * kM; ++i) {
    store(combo.c, bias.data() + i * bytes, {static_cast<double>(i), 0.0});
  }
  alignas(16) unsigned char zero[16] = {};
  GemmCall call;
  call.op_a = MYBLAS_OP_T;
  call.m = call.k = call.lda = call.ldb = call.ldc = kM;
  call.n = kN;
  call.stride_a = int64_t{1} << 40;  // of what alpha leaves unread
  call.stride_c = kM * kN;
  call.batch = kBatch;
  call.alpha = call.beta = zero;
  call.c = c.data();
  call.combo = &combo;
  call.bias = bias.data();
  call.stride_bias = kM;
  const myblasStatus_t status = find_entry("myblasDropinMatmul")->call(handle.get(), call);
  const emulator::Result result = emulator::take_result();
  if (!MYBLAS_EMULATES_ALL && result.error == emulator::kNoModule) return;
  ASSERT_EQ(result.error, "");
  ASSERT_EQ(status, MYBLAS_STATUS_SUCCESS);
  EXPECT_TRUE(handle.served());
  for (int64_t i = 0; i < kBatch * kM * kN; ++i) {
    const int64_t matrix = i / (kM * kN), row = i % kM;
    EXPECT_EQ(load(combo.c, c.data() + i * bytes).re, static_cast<double>(matrix * kM + row)) << i;
  }
}

// Operands that are NULL, as they may be where alpha is 0: in device memory too, of which the host
// knows nothing. TMA's rows make no map of them.
TEST(EmulatorOffsetsOfNothing, DeviceAlphaOfZeroTakesNullOperands) {
  load_all_kernels();
  constexpr int64_t kSide = 64;
  for (const char* name : {"sgemm_batch_tma_64x64x16", "sgemm_tma_64x64x32", "dgemm_tma_32x32x16",
                           "hgemm_wgmma_bf16_bf16_64x64x64"}) {
    RowHandle handle(find_row(name), {"1"});
    ASSERT_EQ(myblasSetPointerMode(handle.get(), MYBLAS_POINTER_MODE_DEVICE),
              MYBLAS_STATUS_SUCCESS);
    const TypeCombo& combo = *combos_of(handle.row()).front();
    const auto bytes = static_cast<int64_t>(element_bytes(combo.c));
    Memory c(static_cast<size_t>(kSide * kSide * bytes)), scalars(32);
    for (int64_t i = 0; i < kSide * kSide; ++i) {
      store(combo.c, c.data() + i * bytes, {static_cast<double>(i % 64), 0.0});
    }
    store(combo.scale, scalars.data(), {0.0, 0.0});
    store(combo.scale, scalars.data() + 16, {2.0, 0.0});
    GemmCall call;
    call.op_b = MYBLAS_OP_T;
    call.m = call.n = call.k = call.lda = call.ldb = call.ldc = kSide;
    call.alpha = scalars.data();
    call.beta = scalars.data() + 16;
    call.c = c.data();
    call.combo = &combo;
    const myblasStatus_t status = find_entry("myblasGemmEx_64")->call(handle.get(), call);
    const emulator::Result result = emulator::take_result();
    if (!MYBLAS_EMULATES_ALL && result.error == emulator::kNoModule) continue;
    ASSERT_EQ(result.error, "") << name;
    ASSERT_EQ(status, MYBLAS_STATUS_SUCCESS) << name;
    EXPECT_TRUE(handle.served()) << name;
    for (int64_t i = 0; i < kSide * kSide; ++i) {
      ASSERT_EQ(load(combo.c, c.data() + i * bytes).re, 2.0 * static_cast<double>(i % 64)) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, EmulatorOffsetsOfParts, testing::ValuesIn(rows_that_store_parts()),
                         row_name);

}  // namespace

testing::AssertionResult run_far_offsets(RowHandle& handle) {
  const TypeCombo& combo = *combos_of(handle.row()).front();
  const EntryPoint* entry = find_entry("myblasGemmEx_64");
  for (const bool transposed : {false, true}) {
    FarMatrix a(combo.ab), b(combo.ab), c(combo.c);
    for (int64_t i = 0; i < kSize; ++i) {
      for (int64_t j = 0; j < kSize; ++j) {
        a.set(i, j, static_cast<double>(1 + i + 2 * j % 5));
        b.set(i, j, static_cast<double>(5 - i + 2 * j));
        c.set(i, j, -1.0);
      }
    }
    alignas(16) unsigned char alpha[16], beta[16];
    store(combo.scale, alpha, {1.0, 0.0});
    store(combo.scale, beta, {0.0, 0.0});
    GemmCall call;
    call.op_a = call.op_b = transposed ? MYBLAS_OP_T : MYBLAS_OP_N;
    call.m = call.n = call.k = kSize;
    call.alpha = alpha;
    call.beta = beta;
    call.a = a.data();
    call.b = b.data();
    call.c = c.data();
    call.lda = call.ldb = call.ldc = kFar;
    call.combo = &combo;
    const myblasStatus_t status = entry->call(handle.get(), call);
    const emulator::Result result = emulator::take_result();
    // In a build of some families alone others cannot take what the row refuses.
    if (!MYBLAS_EMULATES_ALL && result.error == emulator::kNoModule) continue;
    if (!result.error.empty()) return testing::AssertionFailure() << result.error;
    if (status != MYBLAS_STATUS_SUCCESS) {
      return testing::AssertionFailure() << myblasGetStatusName(status);
    }
    // Whom the table lets index as far has to; others leave it to those. What mma.sync refuses for
    // its layout may be packed, and nothing is far then.
    const KernelRow& row = handle.row();
    const bool is_of_layout = (row.trans & (transposed ? kTT : kNN)) != 0;
    const bool takes_it = row.max_offset >= kSize * kFar && is_of_layout;
    const bool may_be_packed = row.pipe == Pipe::kMma && !is_of_layout;
    if (!may_be_packed && handle.served() != takes_it) {
      return testing::AssertionFailure()
             << "far offsets: served by " << (takes_it ? "another row" : "a row that may not");
    }
    for (int64_t i = 0; i < kSize; ++i) {
      for (int64_t j = 0; j < kSize; ++j) {
        double sum = 0.0;
        for (int64_t p = 0; p < kSize; ++p) {
          sum +=
              (transposed ? a.get(p, i) : a.get(i, p)) * (transposed ? b.get(j, p) : b.get(p, j));
        }
        if (c.get(i, j) != rounded(combo.c, {sum, 0.0}).re) {
          return testing::AssertionFailure()
                 << "far offsets: wrong element (" << i << ", " << j << ")";
        }
      }
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace myblas::test
