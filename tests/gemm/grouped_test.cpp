// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// gemm/grouped_test.cpp: the grouped routines: several shapes in one call.
//==============================================================================
#include "support/gemm_case.h"
#include "support/gemm_fixture.h"

namespace myblas::test {
namespace {

struct Group {
  myblasOperation_t op_a, op_b;
  int64_t m, n, k, pad, size;
  double alpha, beta;
};

const std::vector<Group> kGroups{
    {MYBLAS_OP_N, MYBLAS_OP_N, 17, 9, 5, 0, 3, 1.0, 0.0},
    {MYBLAS_OP_T, MYBLAS_OP_N, 3, 70, 40, 2, 1, 2.0, 1.0},
    {MYBLAS_OP_N, MYBLAS_OP_T, 8, 8, 8, 1, 0, 1.0, 1.0},  // an empty group
    {MYBLAS_OP_C, MYBLAS_OP_T, 33, 2, 65, 3, 4, -1.0, 0.5},
    {MYBLAS_OP_N, MYBLAS_OP_N, 6, 5, 0, 0, 2, 1.0, 2.0},  // no depth
    {MYBLAS_OP_N, MYBLAS_OP_C, 0, 5, 3, 0, 2, 1.0, 0.0},  // no rows
    {MYBLAS_OP_N, MYBLAS_OP_N, 7, 7, 7, 0, 1, 0.0, 1.0},  // nothing to do
};

// The arguments of a grouped call, with sizes of type Int.
template <class Int>
struct Arguments {
  std::vector<myblasOperation_t> op_a, op_b;
  std::vector<Int> m, n, k, lda, ldb, ldc, size;
  std::vector<uint8_t> alpha, beta;

  Arguments(const std::vector<Group>& groups, const TypeCombo& combo) {
    const size_t scalar_bytes = element_bytes(combo.scale);
    for (const Group& group : groups) {
      op_a.push_back(group.op_a);
      op_b.push_back(group.op_b);
      m.push_back(static_cast<Int>(group.m));
      n.push_back(static_cast<Int>(group.n));
      k.push_back(static_cast<Int>(group.k));
      const auto ld = [&](int64_t rows) {
        return static_cast<Int>(std::max<int64_t>(rows, 1) + group.pad);
      };
      lda.push_back(ld(group.op_a == MYBLAS_OP_N ? group.m : group.k));
      ldb.push_back(ld(group.op_b == MYBLAS_OP_N ? group.k : group.n));
      ldc.push_back(ld(group.m));
      size.push_back(static_cast<Int>(group.size));
      for (auto [scalars, value] : {std::pair(&alpha, group.alpha), std::pair(&beta, group.beta)}) {
        scalars->resize(scalars->size() + scalar_bytes);
        store(combo.scale, scalars->data() + scalars->size() - scalar_bytes, {value, 0});
      }
    }
  }
};

// Calls Function: the typed routines and the Ex one differ in three arguments.
template <auto Function, class T, class Int>
myblasStatus_t typed(myblasHandle_t handle, Arguments<Int>& x, const TypeCombo&, void* a, void* b,
                     void* c) {
  return Function(handle, x.op_a.data(), x.op_b.data(), x.m.data(), x.n.data(), x.k.data(),
                  reinterpret_cast<const T*>(x.alpha.data()), static_cast<const T* const*>(a),
                  x.lda.data(), static_cast<const T* const*>(b), x.ldb.data(),
                  reinterpret_cast<const T*>(x.beta.data()), static_cast<T* const*>(c),
                  x.ldc.data(), static_cast<Int>(x.m.size()), x.size.data());
}

template <auto Function, class Int>
myblasStatus_t ex(myblasHandle_t handle, Arguments<Int>& x, const TypeCombo& combo, void* a,
                  void* b, void* c) {
  return Function(handle, x.op_a.data(), x.op_b.data(), x.m.data(), x.n.data(), x.k.data(),
                  x.alpha.data(), static_cast<const void* const*>(a), combo.ab, x.lda.data(),
                  static_cast<const void* const*>(b), combo.ab, x.ldb.data(), x.beta.data(),
                  static_cast<void* const*>(c), combo.c, x.ldc.data(), static_cast<Int>(x.m.size()),
                  x.size.data(), combo.compute);
}

class GroupedTest : public GemmTest {
 protected:
  struct Member {
    Layout a, b, c;
    SlotId slot_a, slot_b, slot_c;
    const Group* group;
  };

  template <class Int, class Call>
  void run(const char* combo_name, Call call, const std::vector<Group>& groups = kGroups) {
    const TypeCombo& combo = *find_combo(combo_name);
    Arguments<Int> arguments(groups, combo);
    Arena arena(device());
    std::vector<Member> members;
    for (size_t g = 0; g < groups.size(); ++g) {
      const Group& group = groups[g];
      const bool plain_a = group.op_a == MYBLAS_OP_N, plain_b = group.op_b == MYBLAS_OP_N;
      for (int64_t i = 0; i < group.size; ++i) {
        Member member{};
        member.group = &group;
        member.a = {combo.ab, plain_a ? group.m : group.k, plain_a ? group.k : group.m,
                    arguments.lda[g]};
        member.b = {combo.ab, plain_b ? group.k : group.n, plain_b ? group.n : group.k,
                    arguments.ldb[g]};
        member.c = {combo.c, group.m, group.n, arguments.ldc[g]};
        member.slot_a = arena.add("A", member.a, i);
        member.slot_b = arena.add("B", member.b);
        member.slot_c = arena.add("C", member.c, i);
        members.push_back(member);
      }
    }
    const size_t pointer_bytes = members.size() * sizeof(void*);
    const SlotId pointers_a = arena.add("the pointers to A", pointer_bytes);
    const SlotId pointers_b = arena.add("the pointers to B", pointer_bytes);
    const SlotId pointers_c = arena.add("the pointers to C", pointer_bytes);
    arena.place();
    for (size_t i = 0; i < members.size(); ++i) {
      const Member& member = members[i];
      fill(arena, member.slot_a, member.a, i * 3);
      fill(arena, member.slot_b, member.b, i * 3 + 1);
      if (member.group->beta != 0.0) fill(arena, member.slot_c, member.c, i * 3 + 2);
      put_pointer(arena, pointers_a, i, arena.matrix_address(member.slot_a, member.a));
      put_pointer(arena, pointers_b, i, arena.matrix_address(member.slot_b, member.b));
      put_pointer(arena, pointers_c, i, arena.matrix_address(member.slot_c, member.c));
    }
    arena.upload();

    const myblasStatus_t status =
        call(handle(), arguments, combo, arena.device_address(pointers_a),
             arena.device_address(pointers_b), arena.device_address(pointers_c));
    ASSERT_EQ(status, MYBLAS_STATUS_SUCCESS) << combo_name;
    arguments = Arguments<Int>({}, combo);  // the host arrays belong to the caller again

    arena.download();
    for (size_t i = 0; i < members.size(); ++i) {
      const Member& member = members[i];
      const Group& group = *member.group;
      const Products products = multiply(gather(arena.host(member.slot_a), member.a, group.op_a),
                                         gather(arena.host(member.slot_b), member.b, group.op_b),
                                         Arithmetic::kDouble, false);
      const auto expected = [&](int64_t row, int64_t col, int64_t) -> Expected {
        return {combine(products, row, col, group.k, {group.alpha, 0}, {group.beta, 0},
                        element(row, col, i * 3 + 2)),
                0.0};
      };
      EXPECT_TRUE(matches(arena.host(member.slot_c), member.c, expected))
          << combo_name << " member " << i;
      arena.release_output(member.slot_c, member.c);
      count_cases(1);
    }
    EXPECT_TRUE(arena.unchanged_elsewhere()) << combo_name;
  }

 private:
  static Value element(int64_t i, int64_t j, uint64_t salt) {
    return integer_value(position_hash(salt, i, j, 0), 5, false);
  }
  static void fill(Arena& arena, SlotId slot, const Layout& layout, uint64_t salt) {
    for (int64_t j = 0; j < layout.cols; ++j) {
      for (int64_t i = 0; i < layout.rows; ++i) {
        store(layout.type, arena.host(slot, layout, i, j), element(i, j, salt));
      }
    }
  }
  static void put_pointer(Arena& arena, SlotId slot, size_t index, const void* pointer) {
    std::memcpy(arena.host(slot) + index * sizeof(void*), &pointer, sizeof(void*));
  }
};

TEST_F(GroupedTest, TypedRoutines) {
  run<int>("f32_f32_32F", typed<myblasSgemmGroupedBatched, float, int>);
  run<int64_t>("f32_f32_32F", typed<myblasSgemmGroupedBatched_64, float, int64_t>);
  run<int>("f64_f64_64F", typed<myblasDgemmGroupedBatched, double, int>);
  run<int64_t>("f64_f64_64F", typed<myblasDgemmGroupedBatched_64, double, int64_t>);
}

TEST_F(GroupedTest, EveryTypeOfTheExRoutine) {
  for (const char* combo : {"bf16_bf16_32F", "f16_f16_32F", "f32_f32_32F", "f32_f32_32Fp",
                            "f32_f32_FAST_TF32", "f64_f64_64F", "f64_f64_64Fp"}) {
    run<int>(combo, ex<myblasGemmGroupedBatchedEx, int>);
    run<int64_t>(combo, ex<myblasGemmGroupedBatchedEx_64, int64_t>);
  }
}

TEST_F(GroupedTest, ManyGroupsAndNone) {
  std::vector<Group> groups;
  for (int64_t i = 0; i < 200; ++i) {
    groups.push_back({MYBLAS_OP_N, MYBLAS_OP_T, 1 + i % 13, 1 + i % 7, i % 11, i % 3, i % 4, 1.0,
                      static_cast<double>(i % 2)});
  }
  run<int>("f32_f32_32F", typed<myblasSgemmGroupedBatched, float, int>, groups);
  run<int>("f32_f32_32F", typed<myblasSgemmGroupedBatched, float, int>, {});
  run<int>("f32_f32_32F", typed<myblasSgemmGroupedBatched, float, int>, {kGroups[2]});
}

TEST_F(GroupedTest, DeviceScalarsAreNotSupported) {
  const TypeCombo& combo = *find_combo("f32_f32_32F");
  Arguments<int> arguments({kGroups[0]}, combo);
  DeviceMemory nothing(device(), 64);
  ASSERT_EQ(myblasSetPointerMode(handle(), MYBLAS_POINTER_MODE_DEVICE), MYBLAS_STATUS_SUCCESS);
  EXPECT_EQ((typed<myblasSgemmGroupedBatched, float, int>(
                handle(), arguments, combo, nothing.data(), nothing.data(), nothing.data())),
            MYBLAS_STATUS_NOT_SUPPORTED);
  ASSERT_EQ(myblasSetPointerMode(handle(), MYBLAS_POINTER_MODE_HOST), MYBLAS_STATUS_SUCCESS);
  count_cases(1);
}

}  // namespace
}  // namespace myblas::test
