// SPDX-License-Identifier: BSD-3-Clause
#include "support/gemm_case.h"

#include <algorithm>
#include <limits>

namespace myblas::test {
namespace {

Layout make_layout(myblasDataType_t type, int64_t rows, int64_t cols, int64_t pad, int64_t batch,
                   Stride stride) {
  Layout layout{type, rows, cols, std::max<int64_t>(rows, 1) + pad, batch, 0};
  const int64_t tight = layout.matrix_elements();
  switch (stride) {
    case Stride::kTight: layout.stride = tight; break;
    case Stride::kPadded: layout.stride = tight + 7; break;
    case Stride::kBroadcast: layout.stride = 0; break;
    case Stride::kNegative: layout.stride = -(tight + 3); break;
  }
  return layout;
}

bool is_zero(Value value) { return value.re == 0.0 && value.im == 0.0; }

}  // namespace

PreparedGemm::PreparedGemm(Device& device, const GemmCase& gemm) : gemm_(gemm), arena_(device) {
  const TypeCombo& combo = *gemm.combo;
  gemm_.alpha = rounded(combo.scale, gemm.alpha);
  gemm_.beta = rounded(combo.scale, gemm.beta);
  const bool a_plain = gemm.op_a == MYBLAS_OP_N, b_plain = gemm.op_b == MYBLAS_OP_N;
  layout_a_ = make_layout(combo.ab, a_plain ? gemm.m : gemm.k, a_plain ? gemm.k : gemm.m,
                          gemm.pad_a, gemm.batch, gemm.stride_a);
  layout_b_ = make_layout(combo.ab, b_plain ? gemm.k : gemm.n, b_plain ? gemm.n : gemm.k,
                          gemm.pad_b, gemm.batch, gemm.stride_b);
  layout_c_ = make_layout(combo.c, gemm.m, gemm.n, gemm.pad_c, gemm.batch, gemm.stride_c);

  slot_a_ = arena_.add("A", layout_a_, gemm.offset_a);
  slot_b_ = arena_.add("B", layout_b_, gemm.offset_b);
  slot_c_ = arena_.add("C", layout_c_, gemm.offset_c);
  slot_alpha_ = arena_.add("alpha", element_bytes(combo.scale));
  slot_beta_ = arena_.add("beta", element_bytes(combo.scale));
  if (gemm.bias) {
    layout_bias_ = make_layout(combo.c, gemm.m, 1, 0, gemm.batch, gemm.stride_bias);
    slot_bias_ = arena_.add("the bias", layout_bias_);
  }
  if (gemm.entry->batch == BatchKind::kPointers) {
    const size_t bytes = static_cast<size_t>(gemm.batch) * sizeof(void*);
    pointers_a_ = arena_.add("the pointers to A", bytes);
    pointers_b_ = arena_.add("the pointers to B", bytes);
    pointers_c_ = arena_.add("the pointers to C", bytes);
  }
  arena_.place();

  fill(slot_a_, layout_a_, 0xA);
  fill(slot_b_, layout_b_, 0xB);
  // With beta == 0, C stays 0xFF: NaN, which must not be read and must not survive.
  if (!is_zero(gemm.beta)) fill(slot_c_, layout_c_, 0xC);
  if (gemm.bias) fill(slot_bias_, layout_bias_, 0xD);
  store(combo.scale, arena_.host(slot_alpha_), gemm.alpha);
  store(combo.scale, arena_.host(slot_beta_), gemm.beta);
  if (gemm.entry->batch == BatchKind::kPointers) {
    fill_pointers(pointers_a_, slot_a_, layout_a_);
    fill_pointers(pointers_b_, slot_b_, layout_b_);
    fill_pointers(pointers_c_, slot_c_, layout_c_);
  }
  initial_c_ = output();
  arena_.upload();
}

void PreparedGemm::fill(SlotId slot, const Layout& layout, uint64_t salt) {
  const bool complex = is_complex(layout.type);
  const bool real = gemm_.data == DataKind::kReal;
  const bool integer = !real || is_integer(layout.type);
  const int largest = real ? 100 : exact_range(*gemm_.combo, gemm_.k, gemm_.alpha, gemm_.beta);
  const uint64_t seed = mix(gemm_.seed ^ (salt << 56));
  if (layout.empty()) return;
  const int64_t columns = layout.cols * (layout.stride == 0 ? 1 : layout.batch);
  const int64_t work_per_element = 10;
  in_threads(columns, columns * layout.rows * work_per_element, [&](int64_t first, int64_t end) {
    std::vector<Value> values(static_cast<size_t>(layout.rows));
    for (int64_t column = first; column < end; ++column) {
      const int64_t j = column % layout.cols, index = column / layout.cols;
      for (int64_t i = 0; i < layout.rows; ++i) {
        const uint64_t hash = position_hash(seed, i, j, index);
        values[static_cast<size_t>(i)] =
            integer ? integer_value(hash, largest, complex) : real_value(hash, complex);
      }
      store(layout.type, arena_.host(slot, layout, 0, j, index), values.size(), values.data());
    }
  });
}

void PreparedGemm::fill_pointers(SlotId slot, SlotId matrices, const Layout& layout) {
  for (int64_t index = 0; index < gemm_.batch; ++index) {
    const void* matrix = arena_.matrix_address(matrices, layout, index);
    std::memcpy(arena_.host(slot) + static_cast<size_t>(index) * sizeof(void*), &matrix,
                sizeof(void*));
  }
}

myblasStatus_t PreparedGemm::launch(myblasHandle_t handle, const EntryPoint& entry,
                                    myblasGemmAlgo_t algo) {
  alignas(16) unsigned char alpha[16], beta[16];
  store(gemm_.combo->scale, alpha, gemm_.alpha);
  store(gemm_.combo->scale, beta, gemm_.beta);
  GemmCall call;
  call.combo = gemm_.combo;
  call.algo = algo;
  call.op_a = gemm_.op_a;
  call.op_b = gemm_.op_b;
  call.m = gemm_.m;
  call.n = gemm_.n;
  call.k = gemm_.k;
  call.batch = gemm_.batch;
  call.lda = layout_a_.ld;
  call.ldb = layout_b_.ld;
  call.ldc = layout_c_.ld;
  call.stride_a = layout_a_.stride;
  call.stride_b = layout_b_.stride;
  call.stride_c = layout_c_.stride;
  call.alpha = gemm_.device_scalars ? arena_.device_address(slot_alpha_) : alpha;
  call.beta = gemm_.device_scalars ? arena_.device_address(slot_beta_) : beta;
  if (entry.batch == BatchKind::kPointers) {
    call.a = arena_.device_address(pointers_a_);
    call.b = arena_.device_address(pointers_b_);
    call.c = arena_.device_address(pointers_c_);
  } else {
    call.a = arena_.matrix_address(slot_a_, layout_a_);
    call.b = arena_.matrix_address(slot_b_, layout_b_);
    call.c = arena_.matrix_address(slot_c_, layout_c_);
  }
  if (gemm_.bias) {
    call.bias = arena_.matrix_address(slot_bias_, layout_bias_);
    call.stride_bias = layout_bias_.stride;
  }
  call.activation = gemm_.activation;
  if (null_inputs_) call.a = call.b = nullptr;
  const myblasStatus_t status = entry.call(handle, call);
  std::memset(alpha, 0xFF, sizeof alpha);
  std::memset(beta, 0xFF, sizeof beta);
  return status;
}

std::vector<uint8_t> PreparedGemm::output() {
  const uint8_t* first = arena_.host(slot_c_);
  return {first, first + layout_c_.bytes()};
}

testing::AssertionResult PreparedGemm::compare_output() {
  const TypeCombo& combo = *gemm_.combo;
  arena_.download();
  const bool exact = gemm_.data == DataKind::kInteger || is_integer(combo.c);
  const Arithmetic arithmetic =
      sum_roundoff(combo) == 0x1p-53 && !exact ? Arithmetic::kLongDouble : Arithmetic::kDouble;
  const bool shared = layout_a_.stride == 0 && layout_b_.stride == 0;
  const int64_t matrices = layout_c_.empty() ? 0 : shared ? 1 : gemm_.batch;
  std::vector<Products> products(static_cast<size_t>(matrices));
  const int64_t work_per_input = 4;
  const int64_t work = gemm_.m * gemm_.n * gemm_.k + (gemm_.m + gemm_.n) * gemm_.k * work_per_input;
  in_threads(matrices, matrices * work, [&](int64_t first, int64_t end) {
    for (int64_t index = first; index < end; ++index) {
      products[static_cast<size_t>(index)] =
          multiply(gather(arena_.host(slot_a_), layout_a_, gemm_.op_a, index),
                   gather(arena_.host(slot_b_), layout_b_, gemm_.op_b, index), arithmetic, !exact);
    }
  });
  const auto expected = [&](int64_t i, int64_t j, int64_t index) -> Expected {
    const Products& product = products[static_cast<size_t>(shared ? 0 : index)];
    const Value c = is_zero(gemm_.beta)
                        ? Value{}
                        : load(combo.c, initial_c_.data() + layout_c_.byte(i, j, index));
    const Value value = combine(product, i, j, gemm_.k, gemm_.alpha, gemm_.beta, c);
    const double tolerance =
        exact ? 0.0 : error_bound(combo, product, i, j, gemm_.k, gemm_.alpha, gemm_.beta, c, value);
    if (gemm_.activation == MYBLAS_DROPIN_IDENTITY && !gemm_.bias) return {value, tolerance};
    const Value bias =
        gemm_.bias ? load(combo.c, arena_.host(slot_bias_, layout_bias_, i, 0, index)) : Value{};
    return finish({value, tolerance}, bias, gemm_.activation, combo);
  };
  return matches(arena_.host(slot_c_), layout_c_, expected);
}

testing::AssertionResult PreparedGemm::check() {
  testing::AssertionResult right = compare_output();
  if (!right) return right;
  arena_.release_output(slot_c_, layout_c_);
  return arena_.unchanged_elsewhere();
}

testing::AssertionResult PreparedGemm::check_allowing(SlotId slot, const Layout& layout) {
  testing::AssertionResult right = compare_output();
  if (!right) return right;
  arena_.release_output(slot_c_, layout_c_);
  arena_.release_output(slot, layout);
  return arena_.unchanged_elsewhere();
}

testing::AssertionResult run_case(Device& device, myblasHandle_t handle, const GemmCase& gemm) {
  const auto failure = [&](const std::string& what) {
    return testing::AssertionFailure()
           << what << "\nreplay: MYBLAS_TEST_REPLAY='" << to_line(gemm) << "'";
  };
  PreparedGemm prepared(device, gemm);
  if (gemm.device_scalars) myblasSetPointerMode(handle, MYBLAS_POINTER_MODE_DEVICE);
  const myblasStatus_t status = prepared.launch(handle);
  if (gemm.device_scalars) myblasSetPointerMode(handle, MYBLAS_POINTER_MODE_HOST);
  if (status != MYBLAS_STATUS_SUCCESS) {
    return failure(std::string(gemm.entry->name) + " gave " + myblasGetStatusName(status));
  }
  const testing::AssertionResult result = prepared.check();
  return result ? result : failure(result.message());
}

}  // namespace myblas::test
