// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// contract/blas_call.h: one call of one gemm routine as data, and what it did.
//
// A Call starts out valid (3 x 2 x 2, leading dimensions 4, batch or groups of
// 2) and a case changes a few of its fields. run() fills memory, calls, and
// says in a word what became of C.
//==============================================================================
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "blas_library.h"

namespace contract {

// cudaDataType and cublasComputeType_t values used by name here.
inline constexpr int kR32F = 0, kR64F = 1, kR16F = 2, kR8I = 3, kC32F = 4, kC64F = 5, kC8I = 7,
                     kR32I = 10, kR16BF = 14;
inline constexpr int kCompute16F = 64, kCompute32F = 68, kCompute64F = 70, kCompute32I = 72;

std::string type_name(int type);      // "R_32F"; the number where it has no name
bool has_arithmetic(int type);        // load, store and the reference product know it
int scale_type(int compute, int ab);  // the type of alpha and beta in the Ex routines

// The parameter lists there are. Only pointers and integers occur, so that the type letter
// does not matter to the ABI.
enum class Shape {
  kPlain,
  kBatched,
  kStrided,
  kTyped,
  kEx,
  kBatchedEx,
  kStridedEx,
  kGrouped,
  kGroupedEx
};

struct Routine {
  const char* name;  // without prefix and without _64
  Shape shape;
  int ab_type, c_type, compute;  // the defaults of a Call; fixed by the name in untyped shapes
  int scalar_type;               // -1: follows from compute and type
  bool wide = false;             // the _64 twin

  std::string full_name() const { return std::string(name) + (wide ? "_64" : ""); }
  bool grouped() const { return shape == Shape::kGrouped || shape == Shape::kGroupedEx; }
  bool pointers() const {
    return grouped() || shape == Shape::kBatched || shape == Shape::kBatchedEx;
  }
  bool strided() const { return shape == Shape::kStrided || shape == Shape::kStridedEx; }
  bool batched() const { return strided() || (pointers() && !grouped()); }
  bool typed() const { return shape == Shape::kTyped || shape == Shape::kGroupedEx || has_algo(); }
  bool has_compute() const { return has_algo() || shape == Shape::kGroupedEx; }
  bool has_algo() const {
    return shape == Shape::kEx || shape == Shape::kBatchedEx || shape == Shape::kStridedEx;
  }
};

const std::vector<Routine>& all_routines();  // no _64 twins
Routine routine(const std::string& name, bool wide = false);

struct Operand {
  int type = kR32F;
  int64_t ld = 4;
  int64_t stride = 32;  // elements; also the distance of the matrices of a pointer batch
  int64_t shift = 0;    // bytes off alignment
  bool null = false;    // the matrix pointer, or the array of pointers, is NULL
  bool nan = false;     // every element NaN
};

struct Call {
  Routine routine;
  bool null_handle = false;
  bool device_scalars = false;
  int transa = 0, transb = 0;
  int64_t m = 3, n = 2, k = 2;
  double alpha = 1, beta = 1;
  bool alpha_null = false, beta_null = false;
  Operand a, b, c;
  int64_t batch = 2;  // grouped: the number of groups
  int64_t group_size = 1;
  int null_list = -1;  // grouped: which of the host arrays is NULL, 0 = transa ... 9 = group_size
  int compute = kCompute32F;
  int algo = -1;

  explicit Call(const Routine& which);
};

// A library, its handle and one small arena that every call works in.
class Bench {
 public:
  Bench(const BlasLibrary& library, Memory& memory, void* handle);

  struct Result {
    int status = 0;
    std::string outcome;  // for success: product, scaled, zero, unchanged, nan, other
  };
  Result run(const Call& call);
  std::string run_text(const Call& call);  // "7", "7 touched", "0 product", "0 fault 700"

  const BlasLibrary& library() const { return library_; }
  Memory& memory() const { return memory_; }
  void* handle() const { return handle_; }
  bool poisoned() const { return poisoned_; }  // the CUDA context is lost

 private:
  struct Pointers;
  Pointers lay_out(const Call& call);
  std::string classify(const Call& call, int status, const std::vector<unsigned char>& after) const;

  const BlasLibrary& library_;
  Memory& memory_;
  void* handle_;
  unsigned char* arena_;
  std::vector<unsigned char> image_;
  bool poisoned_ = false;
};

}  // namespace contract
