// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// Single faults and legal edges of every entry point.
//==============================================================================
#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "contract_cases.h"

namespace contract {
namespace {

const char* const kOpNames[] = {"N", "T", "C"};

class FaultList {
 public:
  FaultList(Cases& cases, const Routine& which) : cases_(cases), routine_(which) {}

  void all() {
    operations_and_sizes();
    leading_dimensions();
    scalars_and_pointers();
    if (is_probe_of_null()) null_pointers_that_are_read();
    if (routine_.batched()) batches();
    if (routine_.strided()) strides();
    if (routine_.typed()) types();
    if (routine_.has_compute()) compute_types();
    if (routine_.has_algo()) algorithms();
    if (routine_.grouped()) groups();
  }

 private:
  template <class Change>
  void add(const std::string& text, Change change) {
    Call call(routine_);
    change(call);
    add_call(cases_, text, call);
  }

  template <class Field>
  void each(const std::string& name, std::initializer_list<int> values, Field field) {
    for (const int value : values)
      add(name + "=" + std::to_string(value), [&](Call& c) { field(c, value); });
  }

  void operations_and_sizes() {
    add("valid", [](Call&) {});
    add("handle=NULL", [](Call& c) { c.null_handle = true; });
    add("handle=NULL everything else bad", [](Call& c) {
      c.null_handle = true;
      c.transa = c.transb = 9;
      c.m = c.n = c.k = -1;
      c.alpha_null = c.beta_null = c.a.null = c.b.null = c.c.null = true;
    });
    each("transa", {3, 4, -1, 99}, [](Call& c, int v) { c.transa = v; });
    each("transb", {3, 4, -1, 99}, [](Call& c, int v) { c.transb = v; });
    each("m", {-1, 0}, [](Call& c, int v) { c.m = v; });
    each("n", {-1, 0}, [](Call& c, int v) { c.n = v; });
    each("k", {-1, 0}, [](Call& c, int v) { c.k = v; });
  }

  // m=3 n=2 k=2: one below the least, zero and negative, for each operation.
  void leading_dimensions() {
    for (int op = 0; op < 3; ++op) {
      const std::string a = std::string("transa=") + kOpNames[op] + " lda=";
      const std::string b = std::string("transb=") + kOpNames[op] + " ldb=";
      const int least_a = op == 0 ? 3 : 2;
      const int least_b = 2;
      for (const int ld : {-1, 0, least_a - 1, least_a})
        add(a + std::to_string(ld), [&](Call& c) { c.transa = op, c.a.ld = ld; });
      for (const int ld : {-1, 0, least_b - 1, least_b})
        add(b + std::to_string(ld), [&](Call& c) { c.transb = op, c.b.ld = ld; });
    }
    each("transb=T n=3 ldb", {2, 3}, [](Call& c, int v) { c.transb = 1, c.n = 3, c.b.ld = v; });
    each("ldc", {-1, 0, 2, 3}, [](Call& c, int v) { c.c.ld = v; });
    for (const int ld : {0, 1}) {
      const std::string tail = "=0 lda=ldb=ldc=" + std::to_string(ld);
      const auto all_ld = [ld](Call& c) { c.a.ld = c.b.ld = c.c.ld = ld; };
      add("m" + tail, [&](Call& c) { c.m = 0, all_ld(c); });
      add("n" + tail, [&](Call& c) { c.n = 0, all_ld(c); });
      add("k" + tail, [&](Call& c) { c.k = 0, all_ld(c); });
      add("m=n=k" + tail, [&](Call& c) { c.m = c.n = c.k = 0, all_ld(c); });
      add("m=n=k=1 lda=ldb=ldc=" + std::to_string(ld),
          [&](Call& c) { c.m = c.n = c.k = 1, all_ld(c); });
    }
    add("transa=T k=0 lda=0", [](Call& c) { c.transa = 1, c.k = 0, c.a.ld = 0; });
    add("transa=T k=0 lda=1", [](Call& c) { c.transa = 1, c.k = 0, c.a.ld = 1; });
    add("k=0 ldb=0", [](Call& c) { c.k = 0, c.b.ld = 0; });
    add("k=0 ldb=1", [](Call& c) { c.k = 0, c.b.ld = 1; });
  }

  void scalars_and_pointers() {
    for (const bool device : {false, true}) {
      if (device && routine_.grouped()) continue;
      const std::string mode = device ? "device scalars, " : "";
      const auto with = [&](const std::string& text, auto change) {
        add(mode + text, [&](Call& c) { c.device_scalars = device, change(c); });
      };
      if (device) with("valid", [](Call&) {});
      with("alpha=NULL", [](Call& c) { c.alpha_null = true; });
      with("beta=NULL", [](Call& c) { c.beta_null = true; });
      with("alpha=NULL beta=NULL", [](Call& c) { c.alpha_null = c.beta_null = true; });
      with("alpha=0 beta=NULL", [](Call& c) { c.alpha = 0, c.beta_null = true; });
      with("m=0 alpha=NULL", [](Call& c) { c.m = 0, c.alpha_null = true; });
      with("n=0 beta=NULL", [](Call& c) { c.n = 0, c.beta_null = true; });
      with("k=0 alpha=NULL", [](Call& c) { c.k = 0, c.alpha_null = true; });
      with("k=0 beta=NULL", [](Call& c) { c.k = 0, c.beta_null = true; });
    }
    for (const char which : {'A', 'B', 'C'}) {
      const auto null = [which](Call& c) {
        (which == 'A' ? c.a : which == 'B' ? c.b : c.c).null = true;
      };
      const std::string name = std::string(1, which) + "=NULL";
      add("m=0 " + name, [&](Call& c) { c.m = 0, null(c); });
      add("n=0 " + name, [&](Call& c) { c.n = 0, null(c); });
      if (which == 'C') continue;
      for (const int beta : {0, 1, 2}) {
        const std::string tail = " beta=" + std::to_string(beta) + " " + name;
        add("k=0" + tail, [&](Call& c) { c.k = 0, c.beta = beta, null(c); });
        add("alpha=0" + tail, [&](Call& c) { c.alpha = 0, c.beta = beta, null(c); });
      }
    }
    add("m=n=k=0 A=B=C=NULL", [](Call& c) {
      c.m = c.n = c.k = 0;
      c.a.null = c.b.null = c.c.null = true;
    });
    add("m=n=k=0 alpha=beta=A=B=C=NULL", [](Call& c) {
      c.m = c.n = c.k = 0;
      c.alpha_null = c.beta_null = c.a.null = c.b.null = c.c.null = true;
    });
    add("alpha=0 beta=1 C=NULL", [](Call& c) { c.alpha = 0, c.c.null = true; });
    add("C=NULL", [](Call& c) { c.c.null = true; });
  }

  // These may fault in a kernel and cost the recorder a process each, so only a sample.
  bool is_probe_of_null() const {
    const std::string name = routine_.full_name();
    return std::ranges::count(
               std::initializer_list<std::string>{"Sgemm_v2", "Hgemm", "GemmEx", "SgemmBatched",
                                                  "SgemmStridedBatched", "SgemmGroupedBatched"},
               name) != 0;
  }

  void null_pointers_that_are_read() {
    add("A=NULL", [](Call& c) { c.a.null = true; });
    add("B=NULL", [](Call& c) { c.b.null = true; });
    add("beta=0 C=NULL", [](Call& c) { c.beta = 0, c.c.null = true; });
    add("beta=0 A=NULL", [](Call& c) { c.beta = 0, c.a.null = true; });
  }

  void batches() {
    each("batchCount", {-1, 0, 1, 3}, [](Call& c, int v) { c.batch = v; });
    add("batchCount=0 A=B=C=NULL", [](Call& c) {
      c.batch = 0;
      c.a.null = c.b.null = c.c.null = true;
    });
    add("batchCount=0 alpha=NULL", [](Call& c) { c.batch = 0, c.alpha_null = true; });
    add("batchCount=0 beta=NULL", [](Call& c) { c.batch = 0, c.beta_null = true; });
    add("batchCount=0 lda=0", [](Call& c) { c.batch = 0, c.a.ld = 0; });
    add("batchCount=0 m=-1", [](Call& c) { c.batch = 0, c.m = -1; });
    add("batchCount=0 transa=9", [](Call& c) { c.batch = 0, c.transa = 9; });
    add("batchCount=-1 m=0", [](Call& c) { c.batch = -1, c.m = 0; });
  }

  void strides() {
    each("strideA", {0, -32, 1}, [](Call& c, int v) { c.a.stride = v; });
    each("strideB", {0, -32, 1}, [](Call& c, int v) { c.b.stride = v; });
    each("strideC", {-32}, [](Call& c, int v) { c.c.stride = v; });
    add("strideA=strideB=strideC=0 batchCount=1", [](Call& c) {
      c.batch = 1;
      c.a.stride = c.b.stride = c.c.stride = 0;
    });
    add("strideA=strideB=0", [](Call& c) { c.a.stride = c.b.stride = 0; });
  }

  void types() {
    // R_8U, C_16F and R_16BF are known names; -1, 13, 31 and 99 are not, or name no cuBLAS type.
    const std::initializer_list<int> values = {-1, 6, 8, 13, 14, 31, 99};
    for (const int v : values) {
      const std::string name = type_name(v);
      add("Atype=" + name, [&](Call& c) { c.a.type = v; });
      add("Btype=" + name, [&](Call& c) { c.b.type = v; });
      add("Ctype=" + name, [&](Call& c) { c.c.type = v; });
      add("Atype=Btype=Ctype=" + name, [&](Call& c) { c.a.type = c.b.type = c.c.type = v; });
    }
    add("Ctype=R_64F", [](Call& c) { c.c.type = kR64F; });
    add("m=0 Atype=99", [](Call& c) { c.m = 0, c.a.type = 99; });
    add("m=0 Ctype=R_64F", [](Call& c) { c.m = 0, c.c.type = kR64F; });
    add("m=0 Atype=R_8U", [](Call& c) { c.m = 0, c.a.type = 8; });
    add("k=0 Ctype=R_64F", [](Call& c) { c.k = 0, c.c.type = kR64F; });
    add("alpha=0 Ctype=R_64F", [](Call& c) { c.alpha = 0, c.c.type = kR64F; });
  }

  void compute_types() {
    for (int v = -1; v <= 82; ++v) {
      if (v > 15 && v < 62) continue;
      add("compute=" + std::to_string(v), [&](Call& c) { c.compute = v; });
    }
    each("compute", {999}, [](Call& c, int v) { c.compute = v; });
    // Raw cudaDataType values, as CUDA 10 programs pass them, with the types they belong to.
    for (const int v : {kR32F, kR64F, kR16F, kC32F, kC64F, kR8I, kR32I}) {
      const int ab = v == kR32I ? kR8I : v;
      const int c_type = v == kR8I ? kR32I : v;
      add("compute=" + std::to_string(v) + " types " + type_name(ab) + "->" + type_name(c_type),
          [&](Call& c) { c.compute = v, c.a.type = c.b.type = ab, c.c.type = c_type; });
    }
    add("compute=0 types R_16F->R_16F",
        [](Call& c) { c.compute = 0, c.a.type = c.b.type = c.c.type = kR16F; });
    add("m=0 compute=999", [](Call& c) { c.m = 0, c.compute = 999; });
    add("m=0 compute=72", [](Call& c) { c.m = 0, c.compute = 72; });
  }

  void algorithms() {
    each("algo", {-3, -2, -1, 0, 1, 15, 23, 24, 25, 98, 99, 100, 115, 116, 117, 998, 999, 1000},
         [](Call& c, int v) { c.algo = v; });
    add("m=0 algo=24", [](Call& c) { c.m = 0, c.algo = 24; });
    add("m=0 algo=1000", [](Call& c) { c.m = 0, c.algo = 1000; });
  }

  // The fault sits in the last group; the others are valid.
  void groups() {
    each("group_count", {-1, 0, 1, 3}, [](Call& c, int v) { c.batch = v; });
    each("group_size", {-1, 0, 2}, [](Call& c, int v) { c.group_size = v; });
    add("device scalars", [](Call& c) { c.device_scalars = true; });
    add("device scalars m=0", [](Call& c) { c.device_scalars = true, c.m = 0; });
    add("device scalars m=-1", [](Call& c) { c.device_scalars = true, c.m = -1; });
    add("device scalars group_count=0", [](Call& c) { c.device_scalars = true, c.batch = 0; });
    add("group_count=0 A=B=C=NULL", [](Call& c) {
      c.batch = 0;
      c.a.null = c.b.null = c.c.null = true;
    });
    add("group_count=-1 m=0", [](Call& c) { c.batch = -1, c.m = 0; });
    add("group_size=0 m=-1", [](Call& c) { c.group_size = 0, c.m = -1; });
    add("group_size=0 lda=0", [](Call& c) { c.group_size = 0, c.a.ld = 0; });
    static const char* const kLists[] = {"transa_array", "transb_array", "m_array",
                                         "n_array",      "k_array",      "lda_array",
                                         "ldb_array",    "ldc_array",    "group_size"};
    for (int list = 0; list < static_cast<int>(std::size(kLists)); ++list) {
      add(std::string(kLists[list]) + "=NULL", [&](Call& c) { c.null_list = list; });
      add(std::string("group_count=0 ") + kLists[list] + "=NULL",
          [&](Call& c) { c.batch = 0, c.null_list = list; });
    }
    add("group_count=0 alpha=NULL", [](Call& c) { c.batch = 0, c.alpha_null = true; });
  }

  Cases& cases_;
  Routine routine_;
};

}  // namespace

void add_fault_cases(Cases& cases) {
  for (const Routine& which : all_routines()) FaultList(cases, which).all();
  for (const char* name : {"Sgemm_v2", "Zgemm_v2", "Hgemm", "GemmEx", "SgemmEx", "SgemmBatched",
                           "SgemmStridedBatched", "GemmStridedBatchedEx", "SgemmGroupedBatched"})
    FaultList(cases, routine(name, true)).all();

  // Sizes that need the 64 bits, in calls that have nothing to compute.
  constexpr int64_t kBig = int64_t{1} << 32;
  Call call(routine("Sgemm_v2", true));
  call.m = kBig, call.n = 0, call.a.ld = call.c.ld = kBig;
  add_call(cases, "m=2^32 n=0 lda=ldc=2^32", call);
  call.a.ld = kBig - 1;
  add_call(cases, "m=2^32 n=0 lda=2^32-1 ldc=2^32", call);
  call = Call(routine("Sgemm_v2", true));
  call.a.ld = kBig + 1;
  call.k = 1;
  add_call(cases, "k=1 lda=2^32+1", call);
  call = Call(routine("Sgemm_v2", true));
  call.m = -kBig;
  add_call(cases, "m=-2^32", call);
}

}  // namespace contract
