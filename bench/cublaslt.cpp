// SPDX-License-Identifier: BSD-3-Clause
#include "cublaslt.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include "element.h"

namespace bench {
namespace {

constexpr size_t kWorkspaceBytes = size_t{64} << 20;
constexpr int kMaxCandidates = 16;

// The part of cublasLt's ABI that is needed here. Handles and descriptors are opaque; types,
// transpositions and compute types have the values of myblas.h.
using Opaque = void*;

struct Algorithm {
  uint64_t data[8];
};

struct Candidate {
  Algorithm algorithm;
  size_t workspace_bytes;
  myblasStatus_t status;
  float waves;
  int reserved[4];
};
static_assert(sizeof(Candidate) == 96, "cublasLt fills an array of these");

enum DescAttribute { kTransA = 3, kTransB = 4 };             // int32
enum LayoutAttribute { kBatchCount = 5, kBatchStride = 6 };  // int32, int64
enum PreferenceAttribute {
  kMaxWorkspace = 1,
  kMinAlignmentA = 5,
  kMinAlignmentB,  // size_t; uint32
  kMinAlignmentC,
  kMinAlignmentD
};

using Status = myblasStatus_t;
using SetAttribute = Status(Opaque, int attribute, const void* value, size_t bytes);

struct Api {
  Status (*Create)(Opaque*) = nullptr;
  Status (*Destroy)(Opaque) = nullptr;
  size_t (*GetVersion)() = nullptr;
  const char* (*GetStatusName)(Status) = nullptr;
  Status (*MatmulDescCreate)(Opaque*, myblasComputeType_t, myblasDataType_t) = nullptr;
  Status (*MatmulDescDestroy)(Opaque) = nullptr;
  SetAttribute* MatmulDescSetAttribute = nullptr;
  Status (*MatrixLayoutCreate)(Opaque*, myblasDataType_t, uint64_t, uint64_t, int64_t) = nullptr;
  Status (*MatrixLayoutDestroy)(Opaque) = nullptr;
  SetAttribute* MatrixLayoutSetAttribute = nullptr;
  Status (*MatmulPreferenceCreate)(Opaque*) = nullptr;
  Status (*MatmulPreferenceDestroy)(Opaque) = nullptr;
  SetAttribute* MatmulPreferenceSetAttribute = nullptr;
  Status (*MatmulAlgoGetHeuristic)(Opaque, Opaque desc, Opaque a, Opaque b, Opaque c, Opaque d,
                                   Opaque preference, int wanted, Candidate* found,
                                   int* count) = nullptr;
  Status (*Matmul)(Opaque, Opaque desc, const void* alpha, const void* a, Opaque a_layout,
                   const void* b, Opaque b_layout, const void* beta, const void* c, Opaque c_layout,
                   void* d, Opaque d_layout, const Algorithm*, void* workspace, size_t bytes,
                   myblasStream_t) = nullptr;
};

// NOTE: RTLD_NOLOAD opens nothing; it finds what cuBLAS, opened before, needed itself.
void* loaded_library() {
  for (const char* name : {"libcublasLt.so.13", "libcublasLt.so.12"}) {
    if (void* library = dlopen(name, RTLD_NOW | RTLD_NOLOAD)) return library;
  }
  throw std::runtime_error("no cublasLt in this process");
}

Api load_api() {
  void* library = loaded_library();
  Api api;
  const auto load = [library](auto& function, const char* name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
    if (function == nullptr) throw std::runtime_error(std::string("cublasLt lacks ") + name);
  };
  load(api.Create, "cublasLtCreate");
  load(api.Destroy, "cublasLtDestroy");
  load(api.GetVersion, "cublasLtGetVersion");
  load(api.GetStatusName, "cublasLtGetStatusName");
  load(api.MatmulDescCreate, "cublasLtMatmulDescCreate");
  load(api.MatmulDescDestroy, "cublasLtMatmulDescDestroy");
  load(api.MatmulDescSetAttribute, "cublasLtMatmulDescSetAttribute");
  load(api.MatrixLayoutCreate, "cublasLtMatrixLayoutCreate");
  load(api.MatrixLayoutDestroy, "cublasLtMatrixLayoutDestroy");
  load(api.MatrixLayoutSetAttribute, "cublasLtMatrixLayoutSetAttribute");
  load(api.MatmulPreferenceCreate, "cublasLtMatmulPreferenceCreate");
  load(api.MatmulPreferenceDestroy, "cublasLtMatmulPreferenceDestroy");
  load(api.MatmulPreferenceSetAttribute, "cublasLtMatmulPreferenceSetAttribute");
  load(api.MatmulAlgoGetHeuristic, "cublasLtMatmulAlgoGetHeuristic");
  load(api.Matmul, "cublasLtMatmul");
  return api;
}

// The alignment that every one of these addresses has, at most 256.
uint32_t common_alignment(const std::vector<uintptr_t>& addresses) {
  uintptr_t bits = 256;
  for (const uintptr_t address : addresses) bits |= address;
  return uint32_t{1} << std::countr_zero(bits);
}

class CublasLt : public Contender {
 public:
  explicit CublasLt(Machine& machine)
      : machine_(machine), api_(load_api()), workspace_(machine, kWorkspaceBytes) {
    check(api_.Create(&handle_));
  }
  ~CublasLt() override {
    release();
    if (handle_ != nullptr) api_.Destroy(handle_);
  }
  CublasLt(const CublasLt&) = delete;
  CublasLt& operator=(const CublasLt&) = delete;

  std::string name() const override { return "cublaslt"; }
  std::string version() const override {
    const size_t number = api_.GetVersion();
    return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
           std::to_string(number % 100);
  }
  std::string kernel() const override {
    return "candidate " + std::to_string(chosen_) + " of " + std::to_string(found_);
  }
  bool serves(const Case& one) const override {
    const bool narrow = one.op.ab_type == MYBLAS_R_16F || one.op.ab_type == MYBLAS_R_16BF;
    return narrow && one.op.batching != Batching::kPointers;
  }

  void begin(const Case& one, const std::vector<Operands>& sets) override {
    release();
    sets_ = sets;
    alpha_ = beta_ = {};  // zero bytes are zero in every type
    store_real(alpha_.data(), one.op.scalar_type, 0, 1.0);
    store_real(beta_.data(), one.op.scalar_type, 0, one.beta);
    describe(one);
    ask_heuristic();
    chosen_ = 0;
    if (found_ == 0) throw CallError("cublaslt: its heuristic knows no algorithm");
  }

  size_t candidates() const override { return static_cast<size_t>(found_); }
  void choose(size_t candidate) override { chosen_ = candidate; }

  void run(size_t set) override {
    const Operands& x = sets_[set];
    check(api_.Matmul(handle_, desc_, alpha_.data(), x.a, a_, x.b, b_, beta_.data(), x.c, c_, x.c,
                      c_, &list_[chosen_].algorithm, workspace_.get(), kWorkspaceBytes,
                      machine_.stream()));
  }

 private:
  void check(Status status) const {
    if (status != MYBLAS_STATUS_SUCCESS) {
      throw CallError(std::string("cublaslt: ") + api_.GetStatusName(status));
    }
  }

  template <class Value>
  void set(SetAttribute* setter, Opaque object, int attribute, Value value) const {
    check(setter(object, attribute, &value, sizeof value));
  }

  void make_layout(Opaque* made, myblasDataType_t type, const Layout& layout, int batch) const {
    check(api_.MatrixLayoutCreate(made, type, static_cast<uint64_t>(layout.rows),
                                  static_cast<uint64_t>(layout.cols), layout.ld));
    set(api_.MatrixLayoutSetAttribute, *made, kBatchCount, int32_t{batch});
    set(api_.MatrixLayoutSetAttribute, *made, kBatchStride, int64_t{layout.stride});
  }

  void describe(const Case& one) {
    const auto operation = [](char letter) {
      return static_cast<int32_t>(letter == 'N' ? MYBLAS_OP_N : MYBLAS_OP_T);  // real types: C is T
    };
    check(api_.MatmulDescCreate(&desc_, one.op.compute, one.op.scalar_type));
    set(api_.MatmulDescSetAttribute, desc_, kTransA, operation(one.trans_a));
    set(api_.MatmulDescSetAttribute, desc_, kTransB, operation(one.trans_b));
    make_layout(&a_, one.op.ab_type, layout_a(one), one.batch);
    make_layout(&b_, one.op.ab_type, layout_b(one), one.batch);
    make_layout(&c_, one.op.c_type, layout_c(one), one.batch);
  }

  void ask_heuristic() {
    const auto alignment = [this](void* Operands::*member) {
      std::vector<uintptr_t> addresses;
      for (const Operands& x : sets_) addresses.push_back(reinterpret_cast<uintptr_t>(x.*member));
      return common_alignment(addresses);
    };
    check(api_.MatmulPreferenceCreate(&preference_));
    SetAttribute* const setter = api_.MatmulPreferenceSetAttribute;
    set(setter, preference_, kMaxWorkspace, kWorkspaceBytes);
    set(setter, preference_, kMinAlignmentA, alignment(&Operands::a));
    set(setter, preference_, kMinAlignmentB, alignment(&Operands::b));
    set(setter, preference_, kMinAlignmentC, alignment(&Operands::c));
    set(setter, preference_, kMinAlignmentD, alignment(&Operands::c));
    list_ = {};
    found_ = 0;
    check(api_.MatmulAlgoGetHeuristic(handle_, desc_, a_, b_, c_, c_, preference_, kMaxCandidates,
                                      list_.data(), &found_));
    const auto unusable = [](const Candidate& x) { return x.status != MYBLAS_STATUS_SUCCESS; };
    const auto end = std::remove_if(list_.begin(), list_.begin() + found_, unusable);
    found_ = static_cast<int>(end - list_.begin());
  }

  void release() {
    const auto drop = [](Opaque* object, Status (*destroy)(Opaque)) {
      if (*object != nullptr) destroy(*object);
      *object = nullptr;
    };
    drop(&preference_, api_.MatmulPreferenceDestroy);
    drop(&desc_, api_.MatmulDescDestroy);
    for (Opaque* layout : {&a_, &b_, &c_}) drop(layout, api_.MatrixLayoutDestroy);
  }

  Machine& machine_;
  Api api_;
  Buffer workspace_;
  Opaque handle_ = nullptr;

  Opaque desc_ = nullptr, a_ = nullptr, b_ = nullptr, c_ = nullptr, preference_ = nullptr;
  alignas(16) std::array<unsigned char, 16> alpha_{}, beta_{};
  std::vector<Operands> sets_;
  std::array<Candidate, kMaxCandidates> list_{};
  int found_ = 0;
  size_t chosen_ = 0;
};

}  // namespace

std::unique_ptr<Contender> open_cublaslt(Machine& machine) {
  return std::make_unique<CublasLt>(machine);
}

}  // namespace bench
