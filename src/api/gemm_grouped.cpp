// SPDX-License-Identifier: BSD-3-Clause
// Grouped batches: each group is one pointer-batched product. Every group is validated before
// the first is launched, so that a rejected call has written nothing.
#include <new>

#include "api/fill_call.h"
#include "api/run_gemm.h"

using namespace myblas;

namespace {

template <class Int>
struct GroupedCall {
  const char* routine;
  const myblasOperation_t* transa;
  const myblasOperation_t* transb;
  const Int* m;
  const Int* n;
  const Int* k;
  const void* alpha;
  const void* a;
  int a_type;
  const Int* lda;
  const void* b;
  int b_type;
  const Int* ldb;
  const void* beta;
  const void* c;
  int c_type;
  const Int* ldc;
  Int group_count;
  const Int* group_size;
  int compute;
};

// Device pointer arrays hold all groups' pointers, one group after the other.
const void* skip_pointers(const void* array, int64_t count) {
  return array == nullptr ? nullptr : static_cast<const void* const*>(array) + count;
}

const void* skip_scalars(const void* scalars, int64_t count, int data_type) {
  const size_t bytes = data_type == MYBLAS_R_64F ? sizeof(double) : sizeof(float);
  return static_cast<const char*>(scalars) + static_cast<size_t>(count) * bytes;
}

template <class Int>
GemmCall group_call(const GroupedCall<Int>& all, int64_t group, int64_t first_matrix) {
  GemmCall call = shape_call(all.routine, TypeRule::kGrouped, all.transa[group], all.transb[group],
                             all.m[group], all.n[group], all.k[group],
                             skip_scalars(all.alpha, group, all.c_type),
                             skip_scalars(all.beta, group, all.c_type));
  call.a = {skip_pointers(all.a, first_matrix), all.a_type, all.lda[group], 0};
  call.b = {skip_pointers(all.b, first_matrix), all.b_type, all.ldb[group], 0};
  call.c = {skip_pointers(all.c, first_matrix), all.c_type, all.ldc[group], 0};
  call.compute = all.compute;
  set_pointer_batch(&call, all.group_size[group]);
  return call;
}

// The types alone: they are the same for every group, and checked where there is no group at all.
template <class Int>
GemmCall types_of_call(const GroupedCall<Int>& all) {
  GemmCall call;
  call.routine = all.routine;
  call.rule = TypeRule::kGrouped;
  call.a.type = all.a_type;
  call.b.type = all.b_type;
  call.c.type = all.c_type;
  call.compute = all.compute;
  return call;
}

template <class Int>
bool arrays_present(const GroupedCall<Int>& all) {
  return all.transa && all.transb && all.m && all.n && all.k && all.alpha && all.lda && all.ldb &&
         all.beta && all.ldc && all.group_size;
}

// Calls visit(call) for each group in turn until one does not succeed.
template <class Int, class Visit>
myblasStatus_t for_each_group(const GroupedCall<Int>& all, Visit visit) {
  int64_t first_matrix = 0;
  for (Int group = 0; group < all.group_count; ++group) {
    const GemmCall call = group_call(all, group, first_matrix);
    const myblasStatus_t status = visit(call);
    if (status != MYBLAS_STATUS_SUCCESS) return status;
    first_matrix += all.group_size[group];
  }
  return MYBLAS_STATUS_SUCCESS;
}

template <class Int>
myblasStatus_t run_grouped(myblasHandle_t handle, const GroupedCall<Int>& all) noexcept try {
  forget_last_kernel();
  if (!is_live(handle)) return reject_dead_handle();
  if (handle->pointer_mode.load(std::memory_order_relaxed) != MYBLAS_POINTER_MODE_HOST) {
    return report_rejection(*handle, all.routine, MYBLAS_STATUS_NOT_SUPPORTED,
                            "grouped calls take host scalars only");
  }
  const Verdict types = validate_types(types_of_call(all));
  if (types.status != MYBLAS_STATUS_SUCCESS) {
    return report_rejection(*handle, all.routine, types.status, types.why);
  }
  if (all.group_count < 0) {
    return report_rejection(*handle, all.routine, MYBLAS_STATUS_INVALID_VALUE, "group_count < 0");
  }
  if (all.group_count > 0 && !arrays_present(all)) {
    return report_rejection(*handle, all.routine, MYBLAS_STATUS_INVALID_VALUE,
                            "a parameter array is NULL");
  }
  GemmProblem problem;
  const myblasStatus_t status = for_each_group(all, [&](const GemmCall& call) {
    if (validate(*handle, call, &problem).status == MYBLAS_STATUS_SUCCESS) {
      return MYBLAS_STATUS_SUCCESS;
    }
    return check_call(*handle, call, &problem).status;  // once more, to report it
  });
  if (status != MYBLAS_STATUS_SUCCESS) return status;
  return for_each_group(all, [&](const GemmCall& call) {
    const Checked checked = check_call(*handle, call, &problem);
    return checked.done ? checked.status : compute(*handle, call, problem);
  });
} catch (const std::bad_alloc&) {
  return MYBLAS_STATUS_ALLOC_FAILED;
} catch (...) {
  return MYBLAS_STATUS_INTERNAL_ERROR;
}

}  // namespace

#define MYBLAS_DEFINE_GROUPED(NAME, SUFFIX, INT, T, TYPE, COMPUTE)                                \
  myblasStatus_t myblas##NAME##SUFFIX(                                                            \
      myblasHandle_t handle, const myblasOperation_t transa_array[],                              \
      const myblasOperation_t transb_array[], const INT m_array[], const INT n_array[],           \
      const INT k_array[], const T alpha_array[], const T* const Aarray[], const INT lda_array[], \
      const T* const Barray[], const INT ldb_array[], const T beta_array[], T* const Carray[],    \
      const INT ldc_array[], INT group_count, const INT group_size[]) {                           \
    return run_grouped<INT>(handle,                                                               \
                            {#NAME #SUFFIX, transa_array, transb_array, m_array,    n_array,      \
                             k_array,       alpha_array,  Aarray,       TYPE,       lda_array,    \
                             Barray,        TYPE,         ldb_array,    beta_array, Carray,       \
                             TYPE,          ldc_array,    group_count,  group_size, COMPUTE});    \
  }

#define MYBLAS_DEFINE_GROUPED_EX(SUFFIX, INT)                                                      \
  myblasStatus_t myblasGemmGroupedBatchedEx##SUFFIX(                                               \
      myblasHandle_t handle, const myblasOperation_t transa_array[],                               \
      const myblasOperation_t transb_array[], const INT m_array[], const INT n_array[],            \
      const INT k_array[], const void* alpha_array, const void* const Aarray[],                    \
      myblasDataType_t Atype, const INT lda_array[], const void* const Barray[],                   \
      myblasDataType_t Btype, const INT ldb_array[], const void* beta_array, void* const Carray[], \
      myblasDataType_t Ctype, const INT ldc_array[], INT group_count, const INT group_size[],      \
      myblasComputeType_t computeType) {                                                           \
    return run_grouped<INT>(handle, {"GemmGroupedBatchedEx" #SUFFIX,                               \
                                     transa_array,                                                 \
                                     transb_array,                                                 \
                                     m_array,                                                      \
                                     n_array,                                                      \
                                     k_array,                                                      \
                                     alpha_array,                                                  \
                                     Aarray,                                                       \
                                     static_cast<int>(Atype),                                      \
                                     lda_array,                                                    \
                                     Barray,                                                       \
                                     static_cast<int>(Btype),                                      \
                                     ldb_array,                                                    \
                                     beta_array,                                                   \
                                     Carray,                                                       \
                                     static_cast<int>(Ctype),                                      \
                                     ldc_array,                                                    \
                                     group_count,                                                  \
                                     group_size,                                                   \
                                     static_cast<int>(computeType)});                              \
  }

MYBLAS_DEFINE_GROUPED(SgemmGroupedBatched, , int, float, MYBLAS_R_32F, MYBLAS_COMPUTE_32F)
MYBLAS_DEFINE_GROUPED(SgemmGroupedBatched, _64, int64_t, float, MYBLAS_R_32F, MYBLAS_COMPUTE_32F)
MYBLAS_DEFINE_GROUPED(DgemmGroupedBatched, , int, double, MYBLAS_R_64F, MYBLAS_COMPUTE_64F)
MYBLAS_DEFINE_GROUPED(DgemmGroupedBatched, _64, int64_t, double, MYBLAS_R_64F, MYBLAS_COMPUTE_64F)
MYBLAS_DEFINE_GROUPED_EX(, int)
MYBLAS_DEFINE_GROUPED_EX(_64, int64_t)
