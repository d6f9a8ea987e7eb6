// SPDX-License-Identifier: BSD-3-Clause
#include "api/cublas/lt_plan.h"

#include "api/cublas/shadow.h"

namespace myblas::dropin {
namespace {

bool is_complex(int32_t type) {
  return type == MYBLAS_C_8I || type == MYBLAS_C_32F || type == MYBLAS_C_64F;
}

// The type of alpha and beta that myblas takes with a compute type; -1: none.
int32_t scale_of(int32_t compute, bool complex) {
  switch (compute) {
    case MYBLAS_COMPUTE_16F:
    case MYBLAS_COMPUTE_16F_PEDANTIC: return complex ? -1 : MYBLAS_R_16F;
    case MYBLAS_COMPUTE_32F:
    case MYBLAS_COMPUTE_32F_PEDANTIC:
    case MYBLAS_COMPUTE_32F_FAST_16F:
    case MYBLAS_COMPUTE_32F_FAST_16BF:
    case MYBLAS_COMPUTE_32F_FAST_TF32:
    case MYBLAS_COMPUTE_32F_EMULATED_16BFX9: return complex ? MYBLAS_C_32F : MYBLAS_R_32F;
    case MYBLAS_COMPUTE_64F:
    case MYBLAS_COMPUTE_64F_PEDANTIC:
    case MYBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT: return complex ? MYBLAS_C_64F : MYBLAS_R_64F;
    case MYBLAS_COMPUTE_32I:
    case MYBLAS_COMPUTE_32I_PEDANTIC: return complex ? -1 : MYBLAS_R_32I;
    default: return -1;
  }
}

template <class T>
T read_as(const void* scalar) {
  T value;
  std::memcpy(&value, scalar, sizeof value);
  return value;
}

// Of a scalar on the host; -0 is zero.
bool is_zero(const void* scalar, int32_t type) {
  struct Single {
    float re, im;
  };
  struct Double {
    double re, im;
  };
  switch (type) {
    case MYBLAS_R_16F: return (read_as<uint16_t>(scalar) & 0x7fffu) == 0;
    case MYBLAS_R_32F: return read_as<float>(scalar) == 0.0f;
    case MYBLAS_R_64F: return read_as<double>(scalar) == 0.0;
    case MYBLAS_R_32I: return read_as<int32_t>(scalar) == 0;
    case MYBLAS_C_32F: {
      const auto value = read_as<Single>(scalar);
      return value.re == 0.0f && value.im == 0.0f;
    }
    case MYBLAS_C_64F: {
      const auto value = read_as<Double>(scalar);
      return value.re == 0.0 && value.im == 0.0;
    }
    default: return false;
  }
}

const char* emulation_refusal(const LtLibrary& lt, const myblasDropinMatmul_t& product) {
  if (lt.emulation == 0) [[likely]] {
    return nullptr;
  }
  const CallShape shape = shape_of_product(product);
  if ((lt.emulation & kEmulatesDouble) != 0 && shape.has_double()) return "fp64 emulation is set";
  return nullptr;
}

bool is_operation(int32_t op) { return op >= MYBLAS_OP_N && op <= MYBLAS_OP_C; }

// nullptr: matrices that are where myblas looks for them.
const char* layout_refusal(const LtLayout& layout) {
  if (layout.order != kLtColumnMajor && layout.order != kLtRowMajor) {
    return "a matrix that is stored neither by columns nor by rows";
  }
  if (layout.batch_mode != kLtStrided) return "a batch by pointers";
  if (layout.plane_offset != 0) return "complex numbers in planes";
  return nullptr;
}

// A factor of the product, by columns.
struct Factor {
  const void* base;
  LtLayout layout;
  int32_t op;
};
struct Size {
  int64_t rows, columns;
};
Size size_of(const Factor& factor) {
  if (factor.op == MYBLAS_OP_N) return {factor.layout.rows, factor.layout.columns};
  return {factor.layout.columns, factor.layout.rows};
}

void transpose(LtLayout* layout) {
  const int64_t rows = layout->rows;
  layout->rows = layout->columns;
  layout->columns = rows;
}

// False where only its conjugate would do, which no operation is.
bool transpose(Factor* factor) {
  if (factor->op == MYBLAS_OP_C && is_complex(factor->layout.type)) return false;
  factor->op = factor->op == MYBLAS_OP_N ? MYBLAS_OP_T : MYBLAS_OP_N;
  return true;
}

// A matrix by rows is its transposed one by columns; of a D by rows the transposed product is made:
// D^T = op(B)^T op(A)^T. False where no operation says it.
bool go_by_columns(Factor* a, Factor* b, LtLayout* d) {
  for (Factor* factor : {a, b}) {
    if (factor->layout.order == kLtColumnMajor) continue;
    transpose(&factor->layout);
    if (!transpose(factor)) return false;
  }
  if (d->order == kLtColumnMajor) return true;
  transpose(d);
  const Factor left = *a;
  *a = *b;
  *b = left;
  return transpose(a) && transpose(b);
}

// Where something does not fit, cuBLAS says so itself.
bool fit(const Factor& first, const Factor& second, const LtLayout& d) {
  const LtLayout &a = first.layout, &b = second.layout;
  const Size left = size_of(first);
  const Size right = size_of(second);
  if (d.rows <= 0 || d.columns <= 0 || left.columns <= 0) return false;
  if (left.rows != d.rows || right.columns != d.columns || right.rows != left.columns) return false;
  return d.batch_count > 0 && a.batch_count == d.batch_count && b.batch_count == d.batch_count;
}

const char* epilogue_refusal(const LtOperation& operation, const LtLayout& d) {
  switch (operation.epilogue) {
    case kLtEpilogueDefault:
    case kLtEpilogueRelu:
    case kLtEpilogueGelu: return nullptr;
    case kLtEpilogueBias:
    case kLtEpilogueRelu | kLtEpilogueBias:
    case kLtEpilogueGelu | kLtEpilogueBias: break;
    default: return "an epilogue that myblas does not serve";
  }
  if (operation.bias == nullptr) return "a bias that is NULL";
  if (operation.bias_type != -1 && operation.bias_type != d.type) {
    return "a bias of another type than D";
  }
  if (d.order != kLtColumnMajor) return "a bias on a D by rows";
  return nullptr;
}

myblasDropinActivation_t activation_of(uint32_t epilogue) {
  if ((epilogue & kLtEpilogueRelu) != 0) return MYBLAS_DROPIN_RELU;
  if ((epilogue & kLtEpilogueGelu) != 0) return MYBLAS_DROPIN_GELU;
  return MYBLAS_DROPIN_IDENTITY;
}

const char* scalar_refusal(const LtOperation& operation, int32_t a_type) {
  if (operation.pointer_mode != MYBLAS_POINTER_MODE_HOST &&
      operation.pointer_mode != MYBLAS_POINTER_MODE_DEVICE) {
    return "a vector for alpha or beta";
  }
  if (operation.scale != scale_of(operation.compute, is_complex(a_type))) {
    return "alpha and beta of another type than the compute type's";
  }
  return nullptr;
}

// Ours reads and writes C in one place.
const char* c_refusal(const LtLibrary& lt, LtLayoutCache* layouts, const LtCall& call,
                      const LtOperation& operation, const LtLayout& d) {
  if (operation.pointer_mode == MYBLAS_POINTER_MODE_HOST && is_zero(call.beta, operation.scale)) {
    return nullptr;
  }
  if (call.c != call.d) return "C is not D";
  if (call.c_layout == call.d_layout) return nullptr;
  LtLayout c;
  if (!layouts->read(lt, call.c_layout, &c)) return "a descriptor that myblas cannot read";
  return c == d ? nullptr : "C is not as D";
}

void describe(const LtCall& call, const LtOperation& operation, const Factor& first,
              const Factor& second, const LtLayout& d, LtPlan* plan) {
  const LtLayout &a = first.layout, &b = second.layout;
  myblasDropinMatmul_t& product = plan->product;
  product.transa = static_cast<myblasOperation_t>(first.op);
  product.transb = static_cast<myblasOperation_t>(second.op);
  product.m = d.rows;
  product.n = d.columns;
  product.k = size_of(first).columns;
  product.batch_count = d.batch_count;
  product.compute = static_cast<myblasComputeType_t>(operation.compute);
  product.alpha = call.alpha;
  product.a = first.base;
  product.a_type = static_cast<myblasDataType_t>(a.type);
  product.lda = a.ld;
  product.stride_a = a.batch_stride;
  product.b = second.base;
  product.b_type = static_cast<myblasDataType_t>(b.type);
  product.ldb = b.ld;
  product.stride_b = b.batch_stride;
  product.beta = call.beta;
  product.c = call.d;
  product.c_type = static_cast<myblasDataType_t>(d.type);
  product.ldc = d.ld;
  product.stride_c = d.batch_stride;
  product.bias = operation.bias;
  product.stride_bias = operation.bias_stride;
  product.activation = activation_of(operation.epilogue);
  plan->pointer_mode = operation.pointer_mode;
  plan->sm_count = operation.sm_count;
}

const char* refusal_of(const LtLibrary& lt, LtLayoutCache* layouts, const LtCall& call,
                       LtPlan* plan) {
  if (call.handle == nullptr || call.operation == nullptr || call.alpha == nullptr ||
      call.a == nullptr || call.a_layout == nullptr || call.b == nullptr ||
      call.b_layout == nullptr || call.beta == nullptr || call.c_layout == nullptr ||
      call.d == nullptr || call.d_layout == nullptr) {
    return "an argument that is NULL";
  }
  LtOperation operation;
  Factor a{call.a, {}, MYBLAS_OP_N};
  Factor b{call.b, {}, MYBLAS_OP_N};
  LtLayout d;
  if (!read_operation(lt, call.operation, &operation) ||
      !layouts->read(lt, call.a_layout, &a.layout) ||
      !layouts->read(lt, call.b_layout, &b.layout) || !layouts->read(lt, call.d_layout, &d)) {
    return "a descriptor that myblas cannot read";
  }
  a.op = operation.transa;
  b.op = operation.transb;
  if (!is_operation(a.op) || !is_operation(b.op)) return "an operation that is not N, T or C";
  describe(call, operation, a, b, d, plan);
  for (const LtLayout* layout : {&a.layout, &b.layout, &d}) {
    if (const char* refusal = layout_refusal(*layout)) return refusal;
  }
  if (const char* refusal = epilogue_refusal(operation, d)) return refusal;
  if (!operation.all_else_is_default) return "an attribute that myblas does not serve";
  if (const char* refusal = scalar_refusal(operation, a.layout.type)) return refusal;
  if (const char* refusal = emulation_refusal(lt, plan->product)) return refusal;
  if (!fit(a, b, d)) return "sizes that do not fit";
  if (const char* refusal = c_refusal(lt, layouts, call, operation, d)) return refusal;
  if (!go_by_columns(&a, &b, &d)) return "a conjugated matrix that is not transposed";
  describe(call, operation, a, b, d, plan);
  return nullptr;
}

}  // namespace

void plan_lt(const LtLibrary& lt, LtLayoutCache* layouts, const LtCall& call, LtPlan* plan) {
  plan->refusal = refusal_of(lt, layouts, call, plan);
}

CallShape shape_of_product(const myblasDropinMatmul_t& product) {
  if (product.m == 0) return {};  // not read
  return shape_of(product.transa, product.transb, product.m, product.n, product.k, product.lda,
                  product.ldb, product.ldc, product.batch_count, product.a_type, product.b_type,
                  product.c_type, product.compute);
}

}  // namespace myblas::dropin
