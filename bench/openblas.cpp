// SPDX-License-Identifier: BSD-3-Clause
#include "openblas.h"

#include <dlfcn.h>

#include "element.h"

namespace bench {
namespace {

// CBLAS's enums by value, so that its header is not needed.
constexpr int kColMajor = 102, kNoTrans = 111, kTrans = 112, kConjTrans = 113;

using RealGemm32 = void (*)(int, int, int, int, int, int, float, const float*, int, const float*,
                            int, float, float*, int);
using RealGemm64 = void (*)(int, int, int, int, int, int, double, const double*, int, const double*,
                            int, double, double*, int);
using ComplexGemm = void (*)(int, int, int, int, int, int, const void*, const void*, int,
                             const void*, int, const void*, void*, int);
using ConfigText = const char* (*)();

int cblas_trans(char letter) {
  if (letter == 'T') return kTrans;
  if (letter == 'C') return kConjTrans;
  return kNoTrans;
}

class OpenBlas : public Contender {
 public:
  explicit OpenBlas(const std::string& path) {
    for (const std::string& name :
         path.empty() ? std::vector<std::string>{"libopenblas.so.0", "libopenblas.so"}
                      : std::vector<std::string>{path}) {
      library_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (library_ != nullptr) break;
    }
    if (library_ == nullptr) throw std::runtime_error(std::string("OpenBLAS: ") + dlerror());
    load(sgemm_, "cblas_sgemm");
    load(dgemm_, "cblas_dgemm");
    load(cgemm_, "cblas_cgemm");
    load(zgemm_, "cblas_zgemm");
    load(config_, "openblas_get_config");
  }

  std::string name() const override { return "openblas"; }
  std::string version() const override { return config_(); }

  void begin(const Case& one, const std::vector<Operands>& sets) override {
    case_ = one;
    sets_ = sets;
    copies_.clear();
    const myblasDataType_t type = one.op.ab_type;
    if (type == MYBLAS_R_32F || type == MYBLAS_R_64F || is_complex(type)) return;
    for (const Operands& set : sets) {
      copies_.push_back({widened(set.a, type, layout_a(one)), widened(set.b, type, layout_b(one)),
                         widened(set.c, one.op.c_type, layout_c(one))});
    }
  }

  void run(size_t set) override {
    for (int i = 0; i < case_.batch; ++i) run_one(set, i);
  }

  void finish(size_t set) override {
    if (copies_.empty()) return;
    const Layout c = layout_c(case_);
    const myblasDataType_t type = case_.op.c_type;
    for (int i = 0; i < case_.batch; ++i) {
      void* to = matrix(sets_[set].c, c, type, i);
      const float* from = copies_[set].c.data() + i * c.stride;
      for (int64_t index = 0; index < c.stride; ++index) {
        if (index % c.ld < c.rows) store_real(to, type, index, static_cast<double>(from[index]));
      }
    }
  }

  std::string kernel() const override { return "openblas"; }

 private:
  struct Copies {
    std::vector<float> a, b, c;
  };

  template <class Function>
  void load(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    if (function == nullptr) throw std::runtime_error(std::string("OpenBLAS lacks ") + name);
  }

  void* matrix(void* base, const Layout& layout, myblasDataType_t type, int64_t i) const {
    if (case_.op.batching == Batching::kPointers) return static_cast<void**>(base)[i];
    return static_cast<char*>(base) + i * layout.stride * static_cast<int64_t>(element_bytes(type));
  }

  std::vector<float> widened(void* base, myblasDataType_t type, const Layout& layout) const {
    std::vector<float> wide;
    wide.reserve(static_cast<size_t>(layout.stride * case_.batch));
    for (int i = 0; i < case_.batch; ++i) {
      const void* from = matrix(base, layout, type, i);
      for (int64_t index = 0; index < layout.stride; ++index) {
        wide.push_back(static_cast<float>(load_element(from, type, index).re));
      }
    }
    return wide;
  }

  void run_one(size_t set, int64_t i) {
    const Layout la = layout_a(case_), lb = layout_b(case_), lc = layout_c(case_);
    const int ta = cblas_trans(case_.trans_a), tb = cblas_trans(case_.trans_b);
    const int m = case_.m, n = case_.n, k = case_.k;
    const auto beta = static_cast<float>(case_.beta);
    const int lda = static_cast<int>(la.ld), ldb = static_cast<int>(lb.ld),
              ldc = static_cast<int>(lc.ld);
    if (!copies_.empty()) {
      Copies& x = copies_[set];
      sgemm_(kColMajor, ta, tb, m, n, k, 1.0f, x.a.data() + i * la.stride, lda,
             x.b.data() + i * lb.stride, ldb, beta, x.c.data() + i * lc.stride, ldc);
      return;
    }
    const myblasDataType_t type = case_.op.ab_type;
    const void* a = matrix(sets_[set].a, la, type, i);
    const void* b = matrix(sets_[set].b, lb, type, i);
    void* c = matrix(sets_[set].c, lc, type, i);
    if (type == MYBLAS_R_64F) {
      dgemm_(kColMajor, ta, tb, m, n, k, 1.0, static_cast<const double*>(a), lda,
             static_cast<const double*>(b), ldb, case_.beta, static_cast<double*>(c), ldc);
    } else if (type == MYBLAS_R_32F) {
      sgemm_(kColMajor, ta, tb, m, n, k, 1.0f, static_cast<const float*>(a), lda,
             static_cast<const float*>(b), ldb, beta, static_cast<float*>(c), ldc);
    } else if (type == MYBLAS_C_32F) {
      const float one[2] = {1.0f, 0.0f}, scale[2] = {beta, 0.0f};
      cgemm_(kColMajor, ta, tb, m, n, k, one, a, lda, b, ldb, scale, c, ldc);
    } else {
      const double one[2] = {1.0, 0.0}, scale[2] = {case_.beta, 0.0};
      zgemm_(kColMajor, ta, tb, m, n, k, one, a, lda, b, ldb, scale, c, ldc);
    }
  }

  void* library_ = nullptr;
  RealGemm32 sgemm_ = nullptr;
  RealGemm64 dgemm_ = nullptr;
  ComplexGemm cgemm_ = nullptr, zgemm_ = nullptr;
  ConfigText config_ = nullptr;
  Case case_;
  std::vector<Operands> sets_;
  std::vector<Copies> copies_;
};

}  // namespace

std::unique_ptr<Contender> open_openblas(const std::string& path) {
  return std::make_unique<OpenBlas>(path);
}

}  // namespace bench
