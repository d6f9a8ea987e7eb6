// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// api/gemm_call.h: the arguments of any GEMM entry point, and their validation.
//
// Every routine fills one GemmCall; validate() checks it in cuBLAS's order and
// turns it into a GemmProblem. No backend knowledge.
//==============================================================================
#pragma once

#include <cstdint>

#include "api/handle.h"
#include "api/types.h"
#include "kernels/common/gemm_problem.h"
#include "myblas.h"

namespace myblas {

// Which combinations of the type table the routine takes, and when it looks at them: the order of
// checks differs between cuBLAS's families (tests/contract/cublas13_h200.txt).
enum class TypeRule : uint8_t {
  kFixed,          // typed routine: the combination is given and valid
  kSgemmEx,        // combination first
  kCgemmEx,        // combination first
  kGrouped,        // combination first
  kGemmEx,         // C's type and algo with the sizes, combination before the quick return
  kGemmBatchedEx,  // the same, but the quick return comes before the combination
  kGemv,           // the combination is given and valid; see below
};

struct OperandCall {
  const void* base = nullptr;
  int type = 0;  // myblasDataType_t
  int64_t ld = 0;
  int64_t stride = 0;
};

// kGemv: A is m x n under op_a; b and c are the vectors x and y, their ld the increment.
struct GemmCall {
  const char* routine = "";  // "Sgemm", for the log
  TypeRule rule = TypeRule::kFixed;
  BatchKind batch_kind = BatchKind::kStrided;
  int op_a = 0, op_b = 0;  // myblasOperation_t
  int64_t m = 0, n = 0, k = 0;
  const void* alpha = nullptr;
  OperandCall a, b;
  const void* beta = nullptr;
  OperandCall c;
  int64_t batch_count = 1;
  int compute = MYBLAS_COMPUTE_32F;
  int algo = MYBLAS_GEMM_DEFAULT;
  Epilogue epilogue;
};

// SUCCESS, or the status and the words for it. The text is only made for rejected calls. `done`:
// the call is valid and has nothing to compute (an empty C or batch).
struct Verdict {
  myblasStatus_t status = MYBLAS_STATUS_SUCCESS;
  bool done = false;
  char why[160];  // written for rejected calls alone
  Verdict() { why[0] = '\0'; }
};

// Checks the call against the handle's state; fills `problem` where the verdict is SUCCESS and not
// done.
Verdict validate(const myblasContext& handle, const GemmCall& call, GemmProblem* problem);

// The part of validate() that looks at types alone, for grouped calls: cuBLAS checks it before the
// number of groups.
Verdict validate_types(const GemmCall& call);

// The call in one line, "Sgemm NT m=5 n=6 k=7 lda=5 ...": what the log shows.
void format_call(const GemmCall& call, char* text, size_t size);

}  // namespace myblas
