// SPDX-License-Identifier: BSD-3-Clause
#include "gemm_library.h"

#include <cstdio>
#include <filesystem>
#include <vector>

#include "element.h"

namespace bench {
namespace {

myblasOperation_t operation(char letter) {
  if (letter == 'T') return MYBLAS_OP_T;
  if (letter == 'C') return MYBLAS_OP_C;
  return MYBLAS_OP_N;
}

template <class Element>
const Element* in(const void* pointer) {
  return static_cast<const Element*>(pointer);
}
template <class Element>
Element* out(void* pointer) {
  return static_cast<Element*>(pointer);
}

}  // namespace

GemmLibrary::GemmLibrary(std::string name, const GemmApi& api, Machine& machine)
    : name_(std::move(name)), api_(api), workspace_(machine, kBenchWorkspaceBytes) {
  check(api_.Create(&handle_));
  try {
    check(api_.SetStream(handle_, machine.stream()));
    check(api_.SetWorkspace(handle_, workspace_.get(), kBenchWorkspaceBytes));
  } catch (const CallError&) {
    api_.Destroy(handle_);
    throw;
  }
}

GemmLibrary::~GemmLibrary() { api_.Destroy(handle_); }

void GemmLibrary::check(myblasStatus_t status) const {
  if (status != MYBLAS_STATUS_SUCCESS) throw CallError(name_ + ": " + api_.GetStatusName(status));
}

std::string GemmLibrary::version() const {
  int number = 0;
  check(api_.GetVersion(handle_, &number));
  return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
         std::to_string(number % 100);
}

void GemmLibrary::begin(const Case& one, const std::vector<Operands>& sets) {
  case_ = one;
  sets_ = sets;
  op_a_ = operation(one.trans_a);
  op_b_ = operation(one.trans_b);
  const Layout a = layout_a(one), b = layout_b(one), c = layout_c(one);
  lda_ = static_cast<int>(a.ld);
  ldb_ = static_cast<int>(b.ld);
  ldc_ = static_cast<int>(c.ld);
  stride_a_ = a.stride;
  stride_b_ = b.stride;
  stride_c_ = c.stride;
  alpha_ = beta_ = Scalar{};  // zero bytes are zero in every type
  store_real(alpha_.bytes.data(), real_part_type(one.op.scalar_type), 0, 1.0);
  store_real(beta_.bytes.data(), real_part_type(one.op.scalar_type), 0, one.beta);
}

void GemmLibrary::run(size_t set) {
  const Operands& operands = sets_[set];
  const bool typed = case_.op.routine != Routine::kEx;
  if (case_.op.routine == Routine::kGemv) {
    check(call_gemv(operands));
  } else if (typed && case_.op.batching == Batching::kNone) {
    check(call_typed(operands));
  } else if (typed && case_.op.batching == Batching::kStrided) {
    check(call_typed_batch(operands));
  } else {
    check(call_ex(operands));
  }
}

myblasStatus_t GemmLibrary::call_typed(const Operands& x) const {
  const auto call = [&]<class Element>(auto routine, Element*) {
    return routine(handle_, op_a_, op_b_, case_.m, case_.n, case_.k,
                   in<Element>(alpha_.bytes.data()), in<Element>(x.a), lda_, in<Element>(x.b), ldb_,
                   in<Element>(beta_.bytes.data()), out<Element>(x.c), ldc_);
  };
  const bool gemm3m = case_.op.routine == Routine::k3m;
  switch (case_.op.ab_type) {
    case MYBLAS_R_64F: return call(api_.Dgemm, static_cast<double*>(nullptr));
    case MYBLAS_C_32F:
      return call(gemm3m ? api_.Cgemm3m : api_.Cgemm, static_cast<myblasComplex*>(nullptr));
    case MYBLAS_C_64F:
      return call(gemm3m ? api_.Zgemm3m : api_.Zgemm, static_cast<myblasDoubleComplex*>(nullptr));
    default: return call(api_.Sgemm, static_cast<float*>(nullptr));
  }
}

myblasStatus_t GemmLibrary::call_gemv(const Operands& x) const {
  const bool plain = op_a_ == MYBLAS_OP_N;
  const int rows = plain ? case_.m : case_.k, columns = plain ? case_.k : case_.m;  // of A
  const int incx = op_b_ == MYBLAS_OP_N ? 1 : ldb_;
  const auto call = [&]<class Element>(auto routine, Element*) {
    return routine(handle_, op_a_, rows, columns, in<Element>(alpha_.bytes.data()),
                   in<Element>(x.a), lda_, in<Element>(x.b), incx, in<Element>(beta_.bytes.data()),
                   out<Element>(x.c), 1);
  };
  switch (case_.op.ab_type) {
    case MYBLAS_R_64F: return call(api_.Dgemv, static_cast<double*>(nullptr));
    case MYBLAS_C_32F: return call(api_.Cgemv, static_cast<myblasComplex*>(nullptr));
    case MYBLAS_C_64F: return call(api_.Zgemv, static_cast<myblasDoubleComplex*>(nullptr));
    default: return call(api_.Sgemv, static_cast<float*>(nullptr));
  }
}

myblasStatus_t GemmLibrary::call_typed_batch(const Operands& x) const {
  const auto call = [&]<class Element>(auto routine, Element*) {
    return routine(handle_, op_a_, op_b_, case_.m, case_.n, case_.k,
                   in<Element>(alpha_.bytes.data()), in<Element>(x.a), lda_, stride_a_,
                   in<Element>(x.b), ldb_, stride_b_, in<Element>(beta_.bytes.data()),
                   out<Element>(x.c), ldc_, stride_c_, case_.batch);
  };
  switch (case_.op.ab_type) {
    case MYBLAS_R_64F: return call(api_.DgemmStridedBatched, static_cast<double*>(nullptr));
    case MYBLAS_C_32F: return call(api_.CgemmStridedBatched, static_cast<myblasComplex*>(nullptr));
    case MYBLAS_C_64F:
      return call(api_.ZgemmStridedBatched, static_cast<myblasDoubleComplex*>(nullptr));
    default: return call(api_.SgemmStridedBatched, static_cast<float*>(nullptr));
  }
}

myblasStatus_t GemmLibrary::call_ex(const Operands& x) const {
  const Op& op = case_.op;
  const void* alpha = alpha_.bytes.data();
  const void* beta = beta_.bytes.data();
  const auto algo = MYBLAS_GEMM_DEFAULT;
  switch (op.batching) {
    case Batching::kStrided:
      return api_.GemmStridedBatchedEx(handle_, op_a_, op_b_, case_.m, case_.n, case_.k, alpha, x.a,
                                       op.ab_type, lda_, stride_a_, x.b, op.ab_type, ldb_,
                                       stride_b_, beta, x.c, op.c_type, ldc_, stride_c_,
                                       case_.batch, op.compute, algo);
    case Batching::kPointers:
      return api_.GemmBatchedEx(handle_, op_a_, op_b_, case_.m, case_.n, case_.k, alpha,
                                in<const void*>(x.a), op.ab_type, lda_, in<const void*>(x.b),
                                op.ab_type, ldb_, beta, out<void*>(x.c), op.c_type, ldc_,
                                case_.batch, op.compute, algo);
    default:
      return api_.GemmEx(handle_, op_a_, op_b_, case_.m, case_.n, case_.k, alpha, x.a, op.ab_type,
                         lda_, x.b, op.ab_type, ldb_, beta, x.c, op.c_type, ldc_, op.compute, algo);
  }
}

MyblasLibrary::MyblasLibrary(Machine& machine) : GemmLibrary("myblas", myblas_api(), machine) {}

std::string MyblasLibrary::kernel() const {
  std::array<char, 256> name{};
  check(myblasGetLastKernelName(name.data(), name.size()));
  return name.data();
}

std::string MyblasLibrary::target() const {
  std::array<char, 64> name{};
  check(myblasGetTargetName(handle(), name.data(), name.size()));
  return name.data();
}

std::unique_ptr<GemmLibrary> open_cublas(const std::string& path, Machine& machine) {
  std::vector<std::string> paths = cublas_candidates();
  if (!path.empty()) paths = {std::filesystem::absolute(path).string()};
  for (const std::string& candidate : paths) {
    try {
      return std::make_unique<GemmLibrary>("cublas", open_cublas_api(candidate, true), machine);
    } catch (const std::runtime_error& error) {
      std::fprintf(stderr, "bench: %s\n", error.what());
      if (!path.empty()) throw;
    }
  }
  std::fprintf(stderr, "bench: no cuBLAS found (--cublas PATH): myblas is timed alone\n");
  return nullptr;
}

}  // namespace bench
