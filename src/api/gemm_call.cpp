// SPDX-License-Identifier: BSD-3-Clause
#include "api/gemm_call.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "api/gemv_problem.h"

namespace myblas {
namespace {

[[gnu::format(printf, 2, 3)]] Verdict reject(myblasStatus_t status, const char* format, ...) {
  Verdict verdict;
  verdict.status = status;
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(verdict.why, sizeof verdict.why, format, arguments);
  va_end(arguments);
  return verdict;
}

constexpr myblasStatus_t kInvalid = MYBLAS_STATUS_INVALID_VALUE;
constexpr myblasStatus_t kUnsupported = MYBLAS_STATUS_NOT_SUPPORTED;

bool accepted(const Verdict& verdict) { return verdict.status == MYBLAS_STATUS_SUCCESS; }

long long printable(int64_t value) { return value; }

bool is_operation(int op) { return op >= MYBLAS_OP_N && op <= MYBLAS_OP_C; }

Verdict check_operations(const GemmCall& call) {
  if (!is_operation(call.op_a)) return reject(kInvalid, "transa = %d is not N, T or C", call.op_a);
  if (!is_operation(call.op_b)) return reject(kInvalid, "transb = %d is not N, T or C", call.op_b);
  return {};
}

Verdict check_sizes(const GemmCall& call) {
  if (call.m < 0) return reject(kInvalid, "m = %lld < 0", printable(call.m));
  if (call.n < 0) return reject(kInvalid, "n = %lld < 0", printable(call.n));
  if (call.k < 0) return reject(kInvalid, "k = %lld < 0", printable(call.k));
  return {};
}

Verdict check_batch_count(const GemmCall& call) {
  if (call.batch_count >= 0) return {};
  return reject(kInvalid, "batchCount = %lld < 0", printable(call.batch_count));
}

Verdict check_leading_dimension(const char* name, int64_t ld, int64_t rows, const char* rows_name) {
  const int64_t least = std::max<int64_t>(1, rows);
  if (ld >= least) return {};
  return reject(kInvalid, "%s = %lld < max(1, %s) = %lld", name, printable(ld), rows_name,
                printable(least));
}

Verdict check_vectors(const GemmCall& call) {
  Verdict verdict = check_leading_dimension("lda", call.a.ld, call.m, "m");
  if (!accepted(verdict)) return verdict;
  if (call.b.ld == 0) return reject(kInvalid, "incx = 0");
  if (call.c.ld == 0) return reject(kInvalid, "incy = 0");
  return {};
}

Verdict check_leading_dimensions(const GemmCall& call) {
  if (call.rule == TypeRule::kGemv) return check_vectors(call);
  const bool a_plain = call.op_a == MYBLAS_OP_N;
  const bool b_plain = call.op_b == MYBLAS_OP_N;
  Verdict verdict =
      check_leading_dimension("lda", call.a.ld, a_plain ? call.m : call.k, a_plain ? "m" : "k");
  if (!accepted(verdict)) return verdict;
  verdict =
      check_leading_dimension("ldb", call.b.ld, b_plain ? call.k : call.n, b_plain ? "k" : "n");
  if (!accepted(verdict)) return verdict;
  return check_leading_dimension("ldc", call.c.ld, call.m, "m");
}

Verdict check_scalars(const GemmCall& call) {
  if (call.alpha == nullptr) return reject(kInvalid, "alpha is NULL");
  if (call.beta == nullptr) return reject(kInvalid, "beta is NULL");
  return {};
}

// A matrix (or array of matrices) that the call would touch must be there. What device scalars
// hold is unknown here; the kernel then finds out.
Verdict check_matrices(const GemmCall& call, const GemmProblem& p) {
  const bool no_product = p.k == 0 || p.alpha.on_device || is_host_zero(p.alpha);
  const bool is_gemv = call.rule == TypeRule::kGemv;
  if (!no_product && call.a.base == nullptr) return reject(kInvalid, "A is NULL");
  if (!no_product && call.b.base == nullptr) {
    return reject(kInvalid, "%s is NULL", is_gemv ? "x" : "B");
  }
  if (!keeps_c(p) && !p.beta.on_device && call.c.base == nullptr) {
    return reject(kInvalid, "%s is NULL", is_gemv ? "y" : "C");
  }
  return {};
}

Verdict check_epilogue(const myblasContext& handle, const GemmProblem& p) {
  if (!p.epilogue.any()) return {};
  if (handle.backend == Backend::kCpu) {
    return reject(kUnsupported, "the CPU backend has no bias and no activation");
  }
  const auto is_float = [](DataType type) {
    return type == DataType::kF16 || type == DataType::kBF16 || type == DataType::kF32 ||
           type == DataType::kF64;
  };
  if (p.batch_kind == BatchKind::kPointers || !is_float(p.ab_type) || !is_float(p.c_type)) {
    return reject(kUnsupported,
                  "bias and activation are for strided batches of real floating-point types");
  }
  if (p.epilogue.activation == Activation::kIdentity) return {};
  if (!is_host_zero(p.beta)) {
    return reject(kUnsupported, "an activation goes with a beta that is known to be zero");
  }
  if (p.epilogue.activation == Activation::kGelu && p.c_type == DataType::kF64) {
    return reject(kUnsupported, "there is no GELU in fp64");
  }
  return {};
}

bool names_computation(TypeRule rule) {
  return rule == TypeRule::kGemmEx || rule == TypeRule::kGemmBatchedEx;
}

// A's and B's types, before anything else is looked at.
Verdict check_input_types(const GemmCall& call) {
  if (!names_computation(call.rule)) return {};
  if (call.a.type == call.b.type) return {};
  return reject(kUnsupported, "Atype = %d (%s) differs from Btype = %d (%s)", call.a.type,
                data_type_name(call.a.type), call.b.type, data_type_name(call.b.type));
}

// Single values of C's type, the algorithm and the compute type.
Verdict check_type_values(const GemmCall& call) {
  if (!names_computation(call.rule)) return {};
  if (!is_known_data_type(call.c.type) || is_narrow_float(call.c.type)) {
    return reject(kInvalid, "Ctype = %d (%s) is not a type of C", call.c.type,
                  data_type_name(call.c.type));
  }
  if (is_narrow_float(call.a.type)) {
    return reject(kInvalid, "Atype = %d (%s) is not a type of A", call.a.type,
                  data_type_name(call.a.type));
  }
  if (!is_known_algo(call.algo)) return reject(kInvalid, "algo = %d is unknown", call.algo);
  if (call.rule == TypeRule::kGemmBatchedEx && !is_compute_value(call.compute)) {
    return reject(kInvalid, "computeType = %d is unknown", call.compute);
  }
  return {};
}

Verdict check_type_combination(const GemmCall& call, TypeCase* types) {
  const int compute = normalize_compute_type(call.compute);
  const auto found = find_type_case(compute, call.a.type, call.b.type, call.c.type);
  bool allowed = found.has_value();
  if (allowed && call.rule == TypeRule::kSgemmEx) allowed = allowed_in_sgemm_ex(*found);
  if (allowed && call.rule == TypeRule::kCgemmEx) allowed = allowed_in_cgemm_ex(*found);
  if (allowed && call.rule == TypeRule::kGrouped) allowed = allowed_in_grouped(compute, *found);
  if (allowed) {
    *types = *found;
    return {};
  }
  return reject(kUnsupported, "%s x %s -> %s with compute type %d is not in the type table",
                data_type_name(call.a.type), data_type_name(call.b.type),
                data_type_name(call.c.type), call.compute);
}

bool combination_first(TypeRule rule) {
  return rule == TypeRule::kSgemmEx || rule == TypeRule::kCgemmEx || rule == TypeRule::kGrouped;
}

Scalar load_scalar(const void* pointer, DataType type, bool on_device) {
  Scalar scalar;
  scalar.type = type;
  scalar.on_device = on_device;
  if (on_device) {
    scalar.device = pointer;
  } else {
    std::memcpy(scalar.host, pointer, element_bytes(type));
  }
  return scalar;
}

constexpr int kMathModeMask = 3;

// What the math mode adds to (or takes from) the permissions of the compute type.
void apply_math_mode(const myblasContext& handle, GemmProblem* problem) {
  const int mode = handle.math_mode.load(std::memory_order_relaxed);
  const bool single = problem->ab_type == DataType::kF32 || problem->ab_type == DataType::kCF32;
  problem->full_precision_reduction = mode & MYBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
  // The low two bits are one mode, each above them a permission of its own.
  switch (mode & kMathModeMask) {
    case MYBLAS_PEDANTIC_MATH:
      // As in cuBLAS, what a call permits by its compute type holds.
      if (problem->fast_math == kFastNone) problem->pedantic = true;
      break;
    case MYBLAS_TF32_TENSOR_OP_MATH:
      if (single) problem->fast_math |= kFastTF32;
      break;
    case MYBLAS_TENSOR_OP_MATH:
      if (single) problem->fast_math |= kFastF16 | kFastTF32;
      break;
    default: break;
  }
  const bool may_emulate = (mode & MYBLAS_FP32_EMULATED_BF16X9_MATH) != 0 || handle.emulates_fp32;
  if (single && may_emulate) problem->fast_math |= kFastBF16x9;
  if (!handle.tf32_allowed) problem->fast_math &= static_cast<uint8_t>(~kFastTF32);
  if (problem->pedantic) problem->fast_math = kFastNone;
}

Matrix make_matrix(const OperandCall& operand) {
  return {operand.base, operand.ld, operand.stride};
}

Op make_op(int op) { return op == MYBLAS_OP_N ? Op::kN : (op == MYBLAS_OP_T ? Op::kT : Op::kC); }

void fill_problem(const myblasContext& handle, const GemmCall& call, const TypeCase& types,
                  GemmProblem* problem) {
  const bool on_device =
      handle.pointer_mode.load(std::memory_order_relaxed) == MYBLAS_POINTER_MODE_DEVICE;
  GemmProblem& p = *problem;
  p.ab_type = types.ab;
  p.c_type = types.c;
  p.compute = types.compute;
  p.fast_math = types.fast_math;
  p.pedantic = types.pedantic;
  p.op_a = make_op(call.op_a);
  p.op_b = make_op(call.op_b);
  p.batch_kind = call.batch_kind;
  p.m = call.m;
  p.n = call.n;
  p.k = call.k;
  p.batch_count = call.batch_count;
  p.a = make_matrix(call.a);
  p.b = make_matrix(call.b);
  p.c = make_matrix(call.c);
  p.alpha = load_scalar(call.alpha, types.scale, on_device);
  p.beta = load_scalar(call.beta, types.scale, on_device);
  p.epilogue = call.epilogue;
  apply_math_mode(handle, problem);
  if (call.rule == TypeRule::kGemv) p.fast_math = kFastNone;  // bound by memory either way
}

}  // namespace

Verdict validate(const myblasContext& handle, const GemmCall& call, GemmProblem* problem) {
  TypeCase types{};
  const bool early = combination_first(call.rule);
  Verdict verdict = check_input_types(call);
  if (accepted(verdict) && early) verdict = check_type_combination(call, &types);
  if (accepted(verdict)) verdict = check_type_values(call);
  if (accepted(verdict)) verdict = check_operations(call);
  if (accepted(verdict)) verdict = check_sizes(call);
  if (accepted(verdict) && call.rule == TypeRule::kGemv && (call.m == 0 || call.n == 0)) {
    verdict.done = true;
    return verdict;
  }
  if (accepted(verdict)) verdict = check_leading_dimensions(call);
  const bool late_batch_count = call.rule == TypeRule::kGemmBatchedEx;
  if (accepted(verdict) && !late_batch_count) verdict = check_batch_count(call);
  // Grouped calls have their scalars in arrays, which are there or not for all groups at once.
  if (accepted(verdict) && call.rule == TypeRule::kGrouped) verdict = check_scalars(call);
  if (!accepted(verdict)) return verdict;

  const bool empty = call.m == 0 || call.n == 0 || call.batch_count == 0;
  if (!early && !(empty && call.rule == TypeRule::kGemmBatchedEx)) {
    verdict = check_type_combination(call, &types);
    if (!accepted(verdict)) return verdict;
  }
  verdict.done = empty;
  if (empty) return verdict;
  if (late_batch_count) verdict = check_batch_count(call);
  if (accepted(verdict)) verdict = check_scalars(call);
  if (!accepted(verdict)) return verdict;
  fill_problem(handle, call, types, problem);
  if (call.rule == TypeRule::kGemv) {
    const char* const reason = set_vector_problem(call, problem);
    if (reason != nullptr) return reject(kUnsupported, "%s", reason);
  }
  verdict = check_matrices(call, *problem);
  return accepted(verdict) ? check_epilogue(handle, *problem) : verdict;
}

Verdict validate_types(const GemmCall& call) {
  TypeCase types{};
  return check_type_combination(call, &types);
}

void format_call(const GemmCall& call, char* text, size_t size) {
  const auto letter = [](int op) { return is_operation(op) ? "NTC"[op] : '?'; };
  if (call.rule == TypeRule::kGemv) {
    std::snprintf(text, size, "%s %c %s->%s m=%lld n=%lld lda=%lld incx=%lld incy=%lld batch=%lld",
                  call.routine, letter(call.op_a), data_type_name(call.a.type),
                  data_type_name(call.c.type), printable(call.m), printable(call.n),
                  printable(call.a.ld), printable(call.b.ld), printable(call.c.ld),
                  printable(call.batch_count));
    return;
  }
  std::snprintf(text, size,
                "%s %c%c %s->%s m=%lld n=%lld k=%lld lda=%lld ldb=%lld ldc=%lld batch=%lld",
                call.routine, letter(call.op_a), letter(call.op_b), data_type_name(call.a.type),
                data_type_name(call.c.type), printable(call.m), printable(call.n),
                printable(call.k), printable(call.a.ld), printable(call.b.ld), printable(call.c.ld),
                printable(call.batch_count));
}

}  // namespace myblas
