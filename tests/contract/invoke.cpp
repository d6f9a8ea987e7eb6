// SPDX-License-Identifier: BSD-3-Clause
#include "invoke.h"

namespace contract {
namespace {

using P = const void*;
using Stride = long long;

template <class I>
struct Prototypes {
  using Plain = int(void*, int, int, I, I, I, P, P, I, P, I, P, void*, I);
  using Batched = int(void*, int, int, I, I, I, P, P, I, P, I, P, void*, I, I);
  using Strided = int(void*, int, int, I, I, I, P, P, I, Stride, P, I, Stride, P, void*, I, Stride,
                      I);
  using Typed = int(void*, int, int, I, I, I, P, P, int, I, P, int, I, P, void*, int, I);
  using Ex = int(void*, int, int, I, I, I, P, P, int, I, P, int, I, P, void*, int, I, int, int);
  using BatchedEx = int(void*, int, int, I, I, I, P, P, int, I, P, int, I, P, void*, int, I, I, int,
                        int);
  using StridedEx = int(void*, int, int, I, I, I, P, P, int, I, Stride, P, int, I, Stride, P, void*,
                        int, I, Stride, I, int, int);
  using Grouped = int(void*, const int*, const int*, const I*, const I*, const I*, P, P, const I*,
                      P, const I*, P, void*, const I*, I, const I*);
  using GroupedEx = int(void*, const int*, const int*, const I*, const I*, const I*, P, P, int,
                        const I*, P, int, const I*, P, void*, int, const I*, I, const I*, int);
};

// The host arrays of a grouped call: valid values in every group but the last.
template <class I>
struct GroupArrays {
  static constexpr size_t kGroups = 8;
  int transa[kGroups]{}, transb[kGroups]{};
  I m[kGroups]{}, n[kGroups]{}, k[kGroups]{}, lda[kGroups]{}, ldb[kGroups]{}, ldc[kGroups]{};
  I size[kGroups]{};
  int null_list;

  explicit GroupArrays(const Call& call) : null_list(call.null_list) {
    const Call valid(call.routine);
    const size_t last = call.batch > 0 ? static_cast<size_t>(call.batch) - 1 : 0;
    for (size_t g = 0; g < kGroups; ++g) {
      const Call& from = g == last ? call : valid;
      transa[g] = from.transa;
      transb[g] = from.transb;
      m[g] = static_cast<I>(from.m);
      n[g] = static_cast<I>(from.n);
      k[g] = static_cast<I>(from.k);
      lda[g] = static_cast<I>(from.a.ld);
      ldb[g] = static_cast<I>(from.b.ld);
      ldc[g] = static_cast<I>(from.c.ld);
      size[g] = static_cast<I>(from.group_size);
    }
  }

  template <class T>
  const T* list(int index, const T* values) const {
    return index == null_list ? nullptr : values;
  }
};

template <class I>
int call_grouped(void* function, void* handle, const Call& call, const Addresses& at) {
  using F = Prototypes<I>;
  const GroupArrays<I> g(call);
  const int *ta = g.list(0, g.transa), *tb = g.list(1, g.transb);
  const I *m = g.list(2, g.m), *n = g.list(3, g.n), *k = g.list(4, g.k);
  const I *lda = g.list(5, g.lda), *ldb = g.list(6, g.ldb), *ldc = g.list(7, g.ldc);
  const I* size = g.list(8, g.size);
  const auto count = static_cast<I>(call.batch);
  if (call.routine.shape == Shape::kGrouped) {
    return reinterpret_cast<typename F::Grouped*>(function)(handle, ta, tb, m, n, k, at.alpha_array,
                                                            at.a, lda, at.b, ldb, at.beta_array,
                                                            at.c, ldc, count, size);
  }
  return reinterpret_cast<typename F::GroupedEx*>(function)(
      handle, ta, tb, m, n, k, at.alpha_array, at.a, call.a.type, lda, at.b, call.b.type, ldb,
      at.beta_array, at.c, call.c.type, ldc, count, size, call.compute);
}

template <class I>
int call_single(void* function, void* h, const Call& call, const Addresses& at) {
  using F = Prototypes<I>;
  const int ta = call.transa, tb = call.transb;
  const auto m = static_cast<I>(call.m), n = static_cast<I>(call.n), k = static_cast<I>(call.k);
  const auto lda = static_cast<I>(call.a.ld), ldb = static_cast<I>(call.b.ld);
  const auto ldc = static_cast<I>(call.c.ld), batch = static_cast<I>(call.batch);
  const Stride sa = call.a.stride, sb = call.b.stride, sc = call.c.stride;
  const int at_type = call.a.type, bt = call.b.type, ct = call.c.type;
  const P al = at.alpha, be = at.beta, a = at.a, b = at.b;
  void* c = at.c;
  switch (call.routine.shape) {
    case Shape::kPlain:
      return reinterpret_cast<typename F::Plain*>(function)(h, ta, tb, m, n, k, al, a, lda, b, ldb,
                                                            be, c, ldc);
    case Shape::kBatched:
      return reinterpret_cast<typename F::Batched*>(function)(h, ta, tb, m, n, k, al, a, lda, b,
                                                              ldb, be, c, ldc, batch);
    case Shape::kStrided:
      return reinterpret_cast<typename F::Strided*>(function)(h, ta, tb, m, n, k, al, a, lda, sa, b,
                                                              ldb, sb, be, c, ldc, sc, batch);
    case Shape::kTyped:
      return reinterpret_cast<typename F::Typed*>(function)(h, ta, tb, m, n, k, al, a, at_type, lda,
                                                            b, bt, ldb, be, c, ct, ldc);
    case Shape::kEx:
      return reinterpret_cast<typename F::Ex*>(function)(h, ta, tb, m, n, k, al, a, at_type, lda, b,
                                                         bt, ldb, be, c, ct, ldc, call.compute,
                                                         call.algo);
    case Shape::kBatchedEx:
      return reinterpret_cast<typename F::BatchedEx*>(function)(h, ta, tb, m, n, k, al, a, at_type,
                                                                lda, b, bt, ldb, be, c, ct, ldc,
                                                                batch, call.compute, call.algo);
    case Shape::kStridedEx:
      return reinterpret_cast<typename F::StridedEx*>(function)(
          h, ta, tb, m, n, k, al, a, at_type, lda, sa, b, bt, ldb, sb, be, c, ct, ldc, sc, batch,
          call.compute, call.algo);
    case Shape::kGrouped:
    case Shape::kGroupedEx: return call_grouped<I>(function, h, call, at);
  }
  return kNoSuchFunction;
}

}  // namespace

int invoke(const BlasLibrary& library, void* handle, const Call& call, const Addresses& at) {
  void* function = library.symbol(call.routine.full_name());
  if (function == nullptr) return kNoSuchFunction;
  return call.routine.wide ? call_single<int64_t>(function, handle, call, at)
                           : call_single<int>(function, handle, call, at);
}

}  // namespace contract
