// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/gemv_test.cpp: gemv and its batches: every type, operation and increment,
// what is not read or written, and what is refused. Small integers, whose sums
// are exact: each element is the one right number, and what lies between the
// elements of y stays as it was.
//==============================================================================
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "support/elements.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

enum class Batch { kNone, kStrided, kPointers };

// The union of all routines' arguments; in batches of pointers a, x, y are arrays of them.
struct Arguments {
  myblasOperation_t trans = MYBLAS_OP_N;
  int64_t m = 0, n = 0;
  const void* alpha = nullptr;
  const void* a = nullptr;
  int64_t lda = 1;
  const void* x = nullptr;
  int64_t incx = 1;
  const void* beta = nullptr;
  void* y = nullptr;
  int64_t incy = 1;
  int64_t stride_a = 0, stride_x = 0, stride_y = 0, batch = 1;
};

template <auto Function, class In, class Scale, class Out, class Int>
myblasStatus_t call_plain(myblasHandle_t handle, const Arguments& c) {
  return Function(handle, c.trans, static_cast<Int>(c.m), static_cast<Int>(c.n),
                  static_cast<const Scale*>(c.alpha), static_cast<const In*>(c.a),
                  static_cast<Int>(c.lda), static_cast<const In*>(c.x), static_cast<Int>(c.incx),
                  static_cast<const Scale*>(c.beta), static_cast<Out*>(c.y),
                  static_cast<Int>(c.incy));
}
template <auto Function, class In, class Scale, class Out, class Int>
myblasStatus_t call_strided(myblasHandle_t handle, const Arguments& c) {
  return Function(handle, c.trans, static_cast<Int>(c.m), static_cast<Int>(c.n),
                  static_cast<const Scale*>(c.alpha), static_cast<const In*>(c.a),
                  static_cast<Int>(c.lda), c.stride_a, static_cast<const In*>(c.x),
                  static_cast<Int>(c.incx), c.stride_x, static_cast<const Scale*>(c.beta),
                  static_cast<Out*>(c.y), static_cast<Int>(c.incy), c.stride_y,
                  static_cast<Int>(c.batch));
}
template <auto Function, class In, class Scale, class Out, class Int>
myblasStatus_t call_pointers(myblasHandle_t handle, const Arguments& c) {
  return Function(handle, c.trans, static_cast<Int>(c.m), static_cast<Int>(c.n),
                  static_cast<const Scale*>(c.alpha), static_cast<const In* const*>(c.a),
                  static_cast<Int>(c.lda), static_cast<const In* const*>(c.x),
                  static_cast<Int>(c.incx), static_cast<const Scale*>(c.beta),
                  static_cast<Out* const*>(c.y), static_cast<Int>(c.incy),
                  static_cast<Int>(c.batch));
}

struct Routine {
  const char* name;
  Batch batch;
  myblasDataType_t in, scale, out;
  myblasStatus_t (*call)(myblasHandle_t handle, const Arguments& arguments);
};

#define BATCHES(LETTERS, IN, SCALE, OUT, in, scale, out)                                \
  {#LETTERS "gemvBatched",                                                              \
   Batch::kPointers,                                                                    \
   in,                                                                                  \
   scale,                                                                               \
   out,                                                                                 \
   call_pointers<myblas##LETTERS##gemvBatched, IN, SCALE, OUT, int>},                   \
      {#LETTERS "gemvBatched_64",                                                       \
       Batch::kPointers,                                                                \
       in,                                                                              \
       scale,                                                                           \
       out,                                                                             \
       call_pointers<myblas##LETTERS##gemvBatched_64, IN, SCALE, OUT, int64_t>},        \
      {#LETTERS "gemvStridedBatched",                                                   \
       Batch::kStrided,                                                                 \
       in,                                                                              \
       scale,                                                                           \
       out,                                                                             \
       call_strided<myblas##LETTERS##gemvStridedBatched, IN, SCALE, OUT, int>},         \
  {                                                                                     \
#LETTERS "gemvStridedBatched_64", Batch::kStrided, in, scale, out,                  \
        call_strided < myblas##LETTERS##gemvStridedBatched_64, IN, SCALE, OUT, int64_t> \
  }
#define ALL(LETTER, T, type)                                                         \
  {                                                                                  \
      #LETTER "gemv", Batch::kNone, type,                                            \
      type,           type,         call_plain<myblas##LETTER##gemv, T, T, T, int>}, \
      {#LETTER "gemv_64",                                                            \
       Batch::kNone,                                                                 \
       type,                                                                         \
       type,                                                                         \
       type,                                                                         \
       call_plain<myblas##LETTER##gemv_64, T, T, T, int64_t>},                       \
      BATCHES(LETTER, T, T, T, type, type, type)

const Routine kRoutines[] = {
    ALL(S, float, MYBLAS_R_32F),
    ALL(D, double, MYBLAS_R_64F),
    ALL(C, myblasComplex, MYBLAS_C_32F),
    ALL(Z, myblasDoubleComplex, MYBLAS_C_64F),
    BATCHES(HSH, myblasHalf, float, myblasHalf, MYBLAS_R_16F, MYBLAS_R_32F, MYBLAS_R_16F),
    BATCHES(HSS, myblasHalf, float, float, MYBLAS_R_16F, MYBLAS_R_32F, MYBLAS_R_32F),
    BATCHES(TST, myblasBfloat16, float, myblasBfloat16, MYBLAS_R_16BF, MYBLAS_R_32F, MYBLAS_R_16BF),
    BATCHES(TSS, myblasBfloat16, float, float, MYBLAS_R_16BF, MYBLAS_R_32F, MYBLAS_R_32F),
};

// Increments of x and y; BLAS's vectors of negative ones begin at their end.
constexpr std::array<int64_t, 2> kIncrements[] = {{1, 1},  {3, 1},  {1, 2},   {2, 3},
                                                  {-1, 1}, {1, -2}, {-3, -1}, {-2, 4}};
constexpr myblasOperation_t kOperations[] = {MYBLAS_OP_N, MYBLAS_OP_T, MYBLAS_OP_C};

// Elements of some type in device memory, with a copy of them here.
struct Elements {
  myblasDataType_t type;
  std::vector<uint8_t> host;
  DeviceMemory memory;

  Elements(Device& device, myblasDataType_t element, int64_t count, const auto& value_of)
      : type(element),
        host(static_cast<size_t>(count) * element_bytes(element)),
        memory(device, host.size() + 1) {
    for (int64_t i = 0; i < count; ++i) store(type, at(i), value_of(i));
    device.copy_in(memory.data(), host.data(), host.size());
  }
  uint8_t* at(int64_t i) { return host.data() + static_cast<size_t>(i) * element_bytes(type); }
  uint8_t* on_device(int64_t i) const {
    return memory.data() + static_cast<size_t>(i) * element_bytes(type);
  }
};

class GemvTest : public GemmTest {
 protected:
  struct Case {
    myblasOperation_t trans = MYBLAS_OP_N;
    int64_t m = 0, n = 0, pad = 0;
    int64_t incx = 1, incy = 1;
    Value alpha{2, 0}, beta{-1, 0};
    int64_t batch = 1;
    bool device_scalars = false;
    Value in_y{};  // where it is to be hidden by a beta of 0
  };

  static Value number(int64_t i, bool complex) {
    const auto part = [](int64_t j) { return static_cast<double>(j * 7919 % 9 - 4); };
    return {part(i), complex ? part(i + 3) : 0.0};
  }
  static Value times(Value a, Value b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }

  void run(const Routine& routine, const Case& c) {
    const bool complex = is_complex(routine.in), plain = c.trans == MYBLAS_OP_N;
    const int64_t rows = plain ? c.m : c.n, k = plain ? c.n : c.m, lda = c.m + c.pad;
    const auto span = [](int64_t length, int64_t step) {
      return (length - 1) * std::abs(step) + 1 + 5;  // some behind it
    };
    const int64_t of_a = lda * c.n, of_x = span(k, c.incx), of_y = span(rows, c.incy);
    const bool no_product = c.alpha.re == 0 && c.alpha.im == 0;
    const Value nan{std::numeric_limits<double>::quiet_NaN(), 0};
    Elements a(device(), routine.in, of_a * c.batch,
               [&](int64_t i) { return no_product ? nan : number(i, complex); });
    Elements x(device(), routine.in, of_x * c.batch,
               [&](int64_t i) { return number(i + 1, complex); });
    const bool hidden = c.beta.re == 0 && c.beta.im == 0;
    Elements y(device(), routine.out, of_y * c.batch,
               [&](int64_t i) { return hidden ? c.in_y : number(i + 2, complex); });
    Elements scalars(device(), routine.scale, 2,
                     [&](int64_t i) { return i == 0 ? c.alpha : c.beta; });
    Arguments arguments{.trans = c.trans, .m = c.m, .n = c.n};
    arguments.alpha = c.device_scalars ? scalars.on_device(0) : scalars.at(0);
    arguments.beta = c.device_scalars ? scalars.on_device(1) : scalars.at(1);
    arguments.lda = lda;
    arguments.incx = c.incx;
    arguments.incy = c.incy;
    arguments.stride_a = of_a;
    arguments.stride_x = of_x;
    arguments.stride_y = of_y;
    arguments.batch = c.batch;
    std::vector<const void*> pointers;
    DeviceMemory arrays(device(), 3 * static_cast<size_t>(c.batch) * sizeof(void*));
    if (routine.batch == Batch::kPointers) {
      for (int64_t i = 0; i < c.batch; ++i) pointers.push_back(a.on_device(i * of_a));
      for (int64_t i = 0; i < c.batch; ++i) pointers.push_back(x.on_device(i * of_x));
      for (int64_t i = 0; i < c.batch; ++i) pointers.push_back(y.on_device(i * of_y));
      device().copy_in(arrays.data(), pointers.data(), pointers.size() * sizeof(void*));
      const size_t step = static_cast<size_t>(c.batch) * sizeof(void*);
      arguments.a = arrays.data();
      arguments.x = arrays.data() + step;
      arguments.y = arrays.data() + 2 * step;
    } else {
      arguments.a = a.on_device(0);
      arguments.x = x.on_device(0);
      arguments.y = y.on_device(0);
    }
    myblasSetPointerMode(handle(),
                         c.device_scalars ? MYBLAS_POINTER_MODE_DEVICE : MYBLAS_POINTER_MODE_HOST);
    const myblasStatus_t status = routine.call(handle(), arguments);
    myblasSetPointerMode(handle(), MYBLAS_POINTER_MODE_HOST);
    const std::string text = std::string(routine.name) + " " + "NTC"[c.trans] +
                             " m=" + std::to_string(c.m) + " n=" + std::to_string(c.n) +
                             " incx=" + std::to_string(c.incx) + " incy=" + std::to_string(c.incy) +
                             " by " + last_kernel();
    ASSERT_EQ(status, MYBLAS_STATUS_SUCCESS) << text;
    std::vector<uint8_t> got(y.host.size());
    device().copy_out(got.data(), y.memory.data(), got.size());

    const auto place = [](int64_t i, int64_t length, int64_t step) {
      return step > 0 ? i * step : (i - (length - 1)) * step;
    };
    std::vector<uint8_t> expected = y.host;
    for (int64_t index = 0; index < c.batch; ++index) {
      for (int64_t row = 0; row < rows; ++row) {
        Value sum{};
        for (int64_t j = 0; j < k && !no_product; ++j) {
          Value of_a_ij =
              load(routine.in, a.at(index * of_a + (plain ? row + j * lda : j + row * lda)));
          if (c.trans == MYBLAS_OP_C) of_a_ij.im = -of_a_ij.im;
          const Value product =
              times(of_a_ij, load(routine.in, x.at(index * of_x + place(j, k, c.incx))));
          sum = {sum.re + product.re, sum.im + product.im};
        }
        const size_t at = static_cast<size_t>(index * of_y + place(row, rows, c.incy)) *
                          element_bytes(routine.out);
        Value result = times(c.alpha, sum);
        if (!hidden) {
          const Value old = times(c.beta, load(routine.out, &expected[at]));
          result = {result.re + old.re, result.im + old.im};
        }
        store(routine.out, &expected[at], result);
      }
    }
    for (int64_t i = 0; i < of_y * c.batch; ++i) {
      const size_t at = static_cast<size_t>(i) * element_bytes(routine.out);
      const Value is = load(routine.out, &got[at]), must = load(routine.out, &expected[at]);
      const auto equal = [](double one, double other) {
        return one == other || (std::isnan(one) && std::isnan(other));
      };
      ASSERT_TRUE(equal(is.re, must.re) && equal(is.im, must.im))
          << text << ": element " << i << " of y is (" << is.re << ", " << is.im << "), not ("
          << must.re << ", " << must.im << ")";
    }
    count_cases(1);
  }
};

TEST_F(GemvTest, EveryTypeOperationAndIncrement) {
  constexpr std::array<int64_t, 2> kSizes[] = {{1, 1},   {7, 5},     {130, 1},  {1, 70},
                                               {600, 9}, {257, 129}, {3000, 3}, {4, 9001}};
  for (const Routine& routine : kRoutines) {
    if (routine.batch != Batch::kNone) continue;
    for (const myblasOperation_t trans : kOperations) {
      for (const auto& [incx, incy] : kIncrements) {
        for (const auto& [m, n] : kSizes) {
          Case c{.trans = trans, .m = m, .n = n, .pad = m % 3, .incx = incx, .incy = incy};
          if (is_complex(routine.in)) c.alpha = {1, -2};
          c.device_scalars = m == 7;
          run(routine, c);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST_F(GemvTest, BatchesOfStridesAndPointers) {
  for (const Routine& routine : kRoutines) {
    if (routine.batch == Batch::kNone) continue;
    for (const myblasOperation_t trans : kOperations) {
      for (const auto& [incx, incy] : kIncrements) {
        for (const auto& [m, n] : {std::array{9, 65}, {300, 12}, {1, 33}}) {
          const Case c{
              .trans = trans, .m = m, .n = n, .pad = 1, .incx = incx, .incy = incy, .batch = 3};
          const bool down = routine.batch == Batch::kPointers && std::min(incx, incy) < 0;
          const int64_t rows = trans == MYBLAS_OP_N ? m : n;
          const bool conjugates =
              trans == MYBLAS_OP_C && is_complex(routine.in) && incy != 1 && rows > 1;
          if (down || conjugates) continue;  // Refused
          run(routine, c);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST_F(GemvTest, WhatIsNotReadMayBeNan) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const Routine& routine : kRoutines) {
    for (const int64_t incy : {1, 3}) {
      for (const bool device_scalars : {false, true}) {
        Case c{.trans = MYBLAS_OP_T,
               .m = 40,
               .n = 17,
               .incy = incy,
               .beta = {0, 0},
               .device_scalars = device_scalars,
               .in_y = {kNan, 0}};
        run(routine, c);
        c.alpha = {0, 0};
        run(routine, c);
        c.beta = {-1, 0};
        run(routine, c);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Stricter than cuBLAS 13.1, which looks at lda alone (docs/adr/0037); tests/contract has no gemv.
TEST_F(GemvTest, Refused) {
  float number[64] = {};
  const float one = 1;
  DeviceMemory memory(device(), sizeof number);
  device().copy_in(memory.data(), number, sizeof number);
  const auto call = [&](auto edit) {
    Arguments c{.trans = MYBLAS_OP_N,
                .m = 3,
                .n = 2,
                .alpha = &one,
                .a = memory.data(),
                .lda = 4,
                .x = memory.data() + 64,
                .beta = &one,
                .y = memory.data() + 128,
                .batch = 2};
    edit(c);
    count_cases(1);
    return std::array{
        call_plain<myblasSgemv, float, float, float, int>(handle(), c),
        call_strided<myblasSgemvStridedBatched, float, float, float, int>(handle(), c)};
  };
  const auto both = [](myblasStatus_t status) { return std::array{status, status}; };
  const auto invalid = both(MYBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call([](Arguments& c) { c.trans = MYBLAS_OP_CONJG; }), invalid);
  EXPECT_EQ(call([](Arguments& c) { c.m = -1; }), invalid);
  EXPECT_EQ(call([](Arguments& c) { c.n = -1; }), invalid);
  EXPECT_EQ(call([](Arguments& c) { c.lda = 2; }), invalid);
  EXPECT_EQ(call([](Arguments& c) { c.incx = 0; }), invalid);
  EXPECT_EQ(call([](Arguments& c) { c.incy = 0; }), invalid);
  EXPECT_EQ(call([](Arguments& c) { c.alpha = nullptr; }), invalid);
  EXPECT_EQ(call([](Arguments& c) { c.beta = nullptr; }), invalid);
  EXPECT_EQ(call([](Arguments& c) { c.x = nullptr; }), invalid);
  EXPECT_EQ(call([](Arguments& c) { c.y = nullptr; }), invalid);
  EXPECT_EQ(call([](Arguments& c) { c.m = 0; }), both(MYBLAS_STATUS_SUCCESS));
  EXPECT_EQ(call([](Arguments& c) { c.batch = -1; })[1], MYBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call([](Arguments& c) { c.batch = 0; })[1], MYBLAS_STATUS_SUCCESS);
  EXPECT_EQ(myblasSgemv(nullptr, MYBLAS_OP_N, 3, 2, &one, nullptr, 4, nullptr, 1, &one, nullptr, 1),
            MYBLAS_STATUS_NOT_INITIALIZED);
  Arguments down{.m = 3,
                 .n = 2,
                 .alpha = &one,
                 .a = memory.data(),
                 .lda = 4,
                 .x = memory.data(),
                 .incx = -1,
                 .beta = &one,
                 .y = memory.data(),
                 .batch = 2};
  EXPECT_EQ((call_pointers<myblasSgemvBatched, float, float, float, int>(handle(), down)),
            MYBLAS_STATUS_NOT_SUPPORTED);
}

}  // namespace
}  // namespace myblas::test
