// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// support/gemm_case.h: one product with everything that may matter, as a line of text.
//
// A failure prints the line; MYBLAS_TEST_REPLAY='<line>' runs it again alone.
//==============================================================================
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "support/arena.h"
#include "support/entry_points.h"
#include "support/oracle.h"
#include "support/random.h"

namespace myblas::test {

enum class Stride { kTight, kPadded, kBroadcast, kNegative };
enum class DataKind { kInteger, kReal };

struct GemmCase {
  const EntryPoint* entry = nullptr;
  const TypeCombo* combo = nullptr;
  myblasOperation_t op_a = MYBLAS_OP_N, op_b = MYBLAS_OP_N;
  int64_t m = 1, n = 1, k = 1;
  int64_t pad_a = 0, pad_b = 0, pad_c = 0;           // ld beyond the least
  int64_t offset_a = 0, offset_b = 0, offset_c = 0;  // elements from a multiple of 256 bytes
  int64_t batch = 1;
  Stride stride_a = Stride::kTight, stride_b = Stride::kTight, stride_c = Stride::kTight;
  Value alpha{1.0, 0.0}, beta{0.0, 0.0};
  bool device_scalars = false;
  bool bias = false;  // with the activation: myblasDropinMatmul alone
  Stride stride_bias = Stride::kTight;
  myblasDropinActivation_t activation = MYBLAS_DROPIN_IDENTITY;
  DataKind data = DataKind::kInteger;
  uint64_t seed = 1;
};

std::string to_line(const GemmCase& gemm);
std::optional<GemmCase> parse_line(const std::string& line);

// The case's buffers, filled and uploaded.
class PreparedGemm {
 public:
  PreparedGemm(Device& device, const GemmCase& gemm);

  // Calls the routine. Host scalars are overwritten with NaN as soon as it returns. The handle's
  // pointer mode must fit the case.
  myblasStatus_t launch(myblasHandle_t handle) { return launch(handle, *gemm_.entry); }
  myblasStatus_t launch(myblasHandle_t handle, const EntryPoint& entry,
                        myblasGemmAlgo_t algo = MYBLAS_GEMM_DEFAULT);

  void upload() { arena_.upload(); }
  void reset() { arena_.reset(); }
  // Passes NULL for A and B from now on, which must then not be read.
  void pass_null_inputs() { null_inputs_ = true; }
  // Makes the present host image of C the one to start from. Follow with upload().
  void take_initial_output() { initial_c_ = output(); }
  // Downloads and compares with the oracle; guards, gaps and inputs too.
  testing::AssertionResult check();
  // The same where the test itself has one more output.
  testing::AssertionResult check_allowing(SlotId slot, const Layout& layout);
  // The bytes of C's slot as last downloaded or filled.
  std::vector<uint8_t> output();

  const GemmCase& gemm() const { return gemm_; }
  Arena& arena() { return arena_; }
  const Layout& layout_a() const { return layout_a_; }
  const Layout& layout_b() const { return layout_b_; }
  const Layout& layout_c() const { return layout_c_; }
  SlotId slot_a() const { return slot_a_; }
  SlotId slot_b() const { return slot_b_; }
  SlotId slot_c() const { return slot_c_; }
  SlotId slot_alpha() const { return slot_alpha_; }

 private:
  testing::AssertionResult compare_output();
  void fill(SlotId slot, const Layout& layout, uint64_t salt);
  void fill_pointers(SlotId slot, SlotId matrices, const Layout& layout);

  GemmCase gemm_;
  Arena arena_;
  Layout layout_a_, layout_b_, layout_c_, layout_bias_;
  SlotId slot_a_, slot_b_, slot_c_, slot_alpha_, slot_beta_, slot_bias_ = 0;
  SlotId pointers_a_ = 0, pointers_b_ = 0, pointers_c_ = 0;
  std::vector<uint8_t> initial_c_;
  bool null_inputs_ = false;
};

// Prepares, sets the pointer mode, launches and checks. The handle is left in host pointer mode.
// A failure ends with the replay line.
testing::AssertionResult run_case(Device& device, myblasHandle_t handle, const GemmCase& gemm);

}  // namespace myblas::test
