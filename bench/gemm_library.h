// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm_library.h: a cuBLAS-shaped library as a contender.
//==============================================================================
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "contender.h"
#include "gemm_api.h"
#include "machine.h"

namespace bench {

// cuBLAS's default on an H200 is 32 MiB; it has every algorithm with 64. Of ours a captured call,
// as all that are timed, has no other memory for operands that it repacks: here two of 8192^2 in
// fp32, as bf16 terms.
inline constexpr size_t kBenchWorkspaceBytes = size_t{1088} << 20;

class GemmLibrary : public Contender {
 public:
  // The handle is made here, with the machine's stream and a workspace of its own.
  GemmLibrary(std::string name, const GemmApi& api, Machine& machine);
  ~GemmLibrary() override;
  GemmLibrary(const GemmLibrary&) = delete;
  GemmLibrary& operator=(const GemmLibrary&) = delete;

  std::string name() const override { return name_; }
  std::string version() const override;
  void begin(const Case& one, const std::vector<Operands>& sets) override;
  void run(size_t set) override;

  const GemmApi& api() const { return api_; }
  myblasHandle_t handle() const { return handle_; }
  void* workspace() const { return workspace_.get(); }

 protected:
  void check(myblasStatus_t status) const;

 private:
  struct Scalar {
    alignas(16) std::array<unsigned char, 16> bytes{};
  };
  myblasStatus_t call_typed(const Operands& operands) const;
  myblasStatus_t call_gemv(const Operands& operands) const;
  myblasStatus_t call_typed_batch(const Operands& operands) const;
  myblasStatus_t call_ex(const Operands& operands) const;

  std::string name_;
  GemmApi api_;
  Buffer workspace_;
  myblasHandle_t handle_ = nullptr;

  // The case, made ready so that a timed run does nothing but the call.
  Case case_;
  std::vector<Operands> sets_;
  Scalar alpha_, beta_;
  myblasOperation_t op_a_ = MYBLAS_OP_N, op_b_ = MYBLAS_OP_N;
  int lda_ = 0, ldb_ = 0, ldc_ = 0;
  long long stride_a_ = 0, stride_b_ = 0, stride_c_ = 0;
};

// myblas itself, which can also tell the kernel that served.
class MyblasLibrary : public GemmLibrary {
 public:
  explicit MyblasLibrary(Machine& machine);
  std::string kernel() const override;
  std::string target() const;
};

// The real one: at `path`, or where programs find it if that is empty. Null, with a line on stderr,
// where there is none; throws std::runtime_error where `path` names none.
std::unique_ptr<GemmLibrary> open_cublas(const std::string& path, Machine& machine);

}  // namespace bench
