// SPDX-License-Identifier: BSD-3-Clause
#include "suites/pack_cases.h"

#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <sstream>

#include "kernels/common/bf16_terms.h"
#include "kernels/pack/pack_args.h"
#include "suites/emulated_case.h"
#include "suites/emulated_memory.h"
#include "support/random.h"

namespace myblas::test {
namespace {

// Of each of kPackKernels.
constexpr DataType kTypes[] = {DataType::kS8,   DataType::kBF16, DataType::kF32,
                               DataType::kCF32, DataType::kF32,  DataType::kS8,
                               DataType::kBF16, DataType::kF32,  DataType::kCF32};
static_assert(std::size(kTypes) == kPackKernelCount);

size_t index_of(const std::string& kernel) {
  return static_cast<size_t>(std::ranges::find(kPackKernels, kernel) - kPackKernels);
}
bool splits(const std::string& kernel) { return index_of(kernel) == kTermsKernel; }
bool is_of_pointers(const std::string& kernel) { return index_of(kernel) >= kFirstOfPointers; }

// Complex elements are aligned to their parts, and offsets count these.
int64_t part_bytes(DataType type) {
  return static_cast<int64_t>(element_bytes(type)) / (is_complex(type) ? 2 : 1);
}

// The matrices of one operand in memory that begins and ends with them.
class Source {
 public:
  Source(const Matrix& matrix, int64_t rows, int64_t columns, int64_t count, int64_t offset,
         DataType type, Random& random)
      : ld_(matrix.ld),
        stride_(matrix.stride),
        element_(static_cast<int64_t>(element_bytes(type))),
        first_(-std::min<int64_t>(0, matrix.stride * (count - 1))),
        memory_(static_cast<size_t>(
                    (std::abs(matrix.stride) * (count - 1) + (columns - 1) * matrix.ld + rows) *
                    element_),
                static_cast<size_t>(offset * part_bytes(type))) {
    for (size_t i = 0; i < memory_.bytes(); ++i) {
      memory_.data()[i] = static_cast<unsigned char>(random.next());
    }
  }
  unsigned char* at(int64_t matrix, int64_t row, int64_t column) {
    return memory_.data() + (first_ + matrix * stride_ + row + column * ld_) * element_;
  }

 private:
  int64_t ld_, stride_, element_, first_;
  Memory memory_;
};

// Packed columns with the least padding that the kernel allows.
void tighten(Matrix* packed, int64_t rows, int64_t columns, DataType type) {
  const auto chunk = static_cast<int64_t>(16 / element_bytes(type));
  packed->ld = (rows + chunk - 1) / chunk * chunk;
  if (packed->stride != 0) packed->stride = packed->ld * columns;
}

// How an operand is packed: as its operation `from` becomes `to`. One that is transposed from
// Op::kC on is conjugated.
struct Change {
  Op from, to;
  bool transposes() const { return (from == Op::kN) != (to == Op::kN); }
  bool conjugates() const { return transposes() && from == Op::kC; }
};

// What an element is to be once packed, in `expected`.
void expect_element(const unsigned char* source, DataType type, bool conjugates,
                    unsigned char (&expected)[8]) {
  std::memcpy(expected, source, element_bytes(type));
  if (is_complex(type) && conjugates) expected[7] ^= 0x80;
}

// The first element of a packed operand that is not the source's. by_pointers: the packed matrices
// lie where an array says.
std::string compare(const char* name, Source& source, const Matrix& packed, const Change& change,
                    int64_t rows, int64_t columns, int64_t count, DataType type, bool by_pointers) {
  const auto element = static_cast<int64_t>(element_bytes(type));
  for (int64_t i = 0; i < count; ++i) {
    const void* const base =
        by_pointers ? static_cast<const void* const*>(packed.base)[i] : packed.base;
    for (int64_t column = 0; column < columns; ++column) {
      for (int64_t row = 0; row < rows; ++row) {
        const int64_t at =
            change.transposes() ? column + row * packed.ld : row + column * packed.ld;
        const auto* found =
            static_cast<const unsigned char*>(base) + (i * packed.stride + at) * element;
        unsigned char expected[8];
        expect_element(source.at(i, row, column), type, change.conjugates(), expected);
        if (std::memcmp(found, expected, static_cast<size_t>(element)) == 0) continue;
        std::ostringstream text;
        text << name << ": matrix " << i << ", row " << row << ", column " << column << " is wrong";
        return text.str();
      }
    }
  }
  return "";
}

// The bf16 number next to x, of two the even one. In double, where all of this is exact.
double nearest_bf16(double x) {
  constexpr int kBits = 8, kLeastExponent = -133;
  int exponent = 0;
  std::frexp(x, &exponent);
  const int quantum = std::max(exponent - kBits, kLeastExponent);
  return std::ldexp(std::nearbyint(std::ldexp(x, -quantum)), quantum);
}
// Its bits, those of the upper half of a float.
uint16_t bf16_bits(double x) {
  const auto value = static_cast<float>(x);
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return static_cast<uint16_t>(bits >> 16);
}

// The terms that x is to become (common/bf16_terms.h).
struct ExpectedTerms {
  uint16_t of[kTermPlaces];
};
ExpectedTerms terms_of(float x) {
  constexpr double kLargest = 0x1.fep127;
  if (std::isnan(x)) {
    uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return {{static_cast<uint16_t>(bits >> 16 | 0x0040u), 0, 0, 0}};
  }
  if (std::isinf(x)) return {{bf16_bits(x), 0, 0, 0}};
  const double nearest = nearest_bf16(x);
  const double first = std::abs(nearest) > kLargest ? std::copysign(kLargest, nearest) : nearest;
  const double second = nearest_bf16(x - first);
  const double third = nearest_bf16(x - first - second);
  return {{bf16_bits(first), bf16_bits(first), bf16_bits(second), bf16_bits(third)}};
}
// Zeros have no sign that matters.
bool same_term(uint16_t a, uint16_t b) { return a == b || ((a | b) & 0x7fff) == 0; }

// element(row, k): the number's bytes. Past k a line is zeros.
template <class Element>
std::string compare_terms(const char* name, const Element& element, const Matrix& packed,
                          int64_t matrix, int64_t rows, int64_t k) {
  for (int64_t row = 0; row < rows; ++row) {
    const auto* line = reinterpret_cast<const uint16_t*>(static_cast<const float*>(packed.base) +
                                                         matrix * packed.stride + row * packed.ld);
    for (int64_t i = 0; i < k_in_terms(k) / kTermPlaces; ++i) {
      float number = 0.0f;
      if (i < k) std::memcpy(&number, element(row, i), sizeof number);
      const ExpectedTerms expected = terms_of(number);
      for (int place = 0; place < kTermPlaces; ++place) {
        const int64_t at =
            i / kTermStepK * (kTermStepK * kTermPlaces) + place * kTermStepK + i % kTermStepK;
        if (same_term(line[at], expected.of[place])) continue;
        std::ostringstream text;
        text << name << ": matrix " << matrix << ", row " << row << ", k " << i << ", term "
             << place << " is wrong";
        return text.str();
      }
    }
  }
  return "";
}

// Of either operand, all matrices: rows of m or n, k in lines.
std::string compare_terms(const char* name, Source& source, const Matrix& packed, bool k_first,
                          int64_t rows, int64_t k, int64_t count) {
  std::string wrong;
  for (int64_t i = 0; i < count && wrong.empty(); ++i) {
    wrong = compare_terms(
        name,
        [&](int64_t row, int64_t at) {
          return k_first ? source.at(i, at, row) : source.at(i, row, at);
        },
        packed, i, rows, k);
  }
  return wrong;
}

// The matrices by way of an array, which is NULL where nobody may look.
void point_to(Matrix* matrix, Source& source, int64_t count, bool is_read, Memory& array) {
  for (int64_t i = 0; i < count; ++i) {
    void* const place = source.at(i, 0, 0);
    std::memcpy(array.data() + static_cast<size_t>(i) * sizeof place, &place, sizeof place);
  }
  matrix->base = is_read ? array.data() : nullptr;
  matrix->stride = 0;
}

const unsigned char* first_matrix(const Matrix& matrix, bool by_pointers) {
  return static_cast<const unsigned char*>(
      by_pointers ? *static_cast<const void* const*>(matrix.base) : matrix.base);
}

int64_t draw_size(Random& random, int64_t tile) {
  return random.pick({int64_t{1}, 2 + random.below(7), tile - 1, tile, tile + 1, 2 * tile + 3});
}

int64_t draw_stride(Random& random, int64_t elements) {
  return random.pick({int64_t{0}, elements, elements + 3, -elements - 1});
}

}  // namespace

std::vector<PackCase> pack_cases(const std::string& kernel, uint64_t seed, int count) {
  Random random(mix(seed));
  const DataType type = kTypes[index_of(kernel)];
  // Of a tile that is transposed.
  const int64_t tile =
      splits(kernel) ? kTermTileK : pack_tile_columns(static_cast<int>(element_bytes(type)));
  std::vector<PackCase> cases;
  for (int i = 0; i < count; ++i) {
    PackCase one;
    GemmProblem& p = one.problem;
    p.ab_type = p.c_type = type;
    if (type == DataType::kS8) p.compute = Compute::kS32;
    if (is_of_pointers(kernel)) p.batch_kind = myblas::BatchKind::kPointers;
    p.op_a = random.pick({Op::kN, Op::kN, Op::kT, Op::kC});
    p.op_b = random.pick({Op::kN, Op::kN, Op::kT, Op::kC});
    p.m = draw_size(random, tile);
    p.n = draw_size(random, tile);
    p.k = draw_size(random, tile);
    p.batch_count = random.chance(0.7) ? 1 : 3;
    const int64_t pad = random.chance(0.3) ? 0 : random.below(20);
    p.a.ld = (p.op_a == Op::kN ? p.m : p.k) + pad;
    p.b.ld = (p.op_b == Op::kN ? p.k : p.n) + random.below(4);
    if (p.batch_count > 1) {
      p.a.stride = draw_stride(random, p.a.ld * (p.op_a == Op::kN ? p.k : p.m));
      p.b.stride = draw_stride(random, p.b.ld * (p.op_b == Op::kN ? p.n : p.k));
    }
    one.packing.operands = static_cast<uint8_t>(random.pick({1, 2, 3, 3}));
    const bool moves_a = (one.packing.operands & kPackA) != 0;
    const bool moves_b = (one.packing.operands & kPackB) != 0;
    const auto changed = [&](Op op) {
      return random.chance(0.5) ? op : op == Op::kN ? Op::kT : Op::kN;
    };
    one.packing.op_a = moves_a ? changed(p.op_a) : p.op_a;
    one.packing.op_b = moves_b ? changed(p.op_b) : p.op_b;
    if (splits(kernel)) one.packing = {kPackA | kPackB, Op::kT, Op::kN, true};
    one.offset_a = random.below(16);
    one.offset_b = random.below(3);
    one.alpha = random.pick(
        {PackAlpha::kHost, PackAlpha::kHost, PackAlpha::kDevice, PackAlpha::kDeviceZero});
    cases.push_back(one);
  }
  return cases;
}

std::string run_pack(const std::string& kernel, const PackCase& one,
                     const emulator::Settings& settings,
                     std::map<std::string, emulator::Wavefronts>* wavefronts) {
  Random random(mix(settings.seed));
  GemmProblem p = one.problem;
  const bool plain_a = p.op_a == Op::kN, plain_b = p.op_b == Op::kN;
  const int64_t rows_a = plain_a ? p.m : p.k, columns_a = plain_a ? p.k : p.m;
  const int64_t rows_b = plain_b ? p.k : p.n, columns_b = plain_b ? p.n : p.k;
  const bool by_pointers = is_of_pointers(kernel);
  const auto count_of = [&](const Matrix& matrix) {
    return matrix.stride == 0 && !by_pointers ? 1 : p.batch_count;
  };
  Source a(p.a, rows_a, columns_a, p.batch_count, one.offset_a, p.ab_type, random);
  Source b(p.b, rows_b, columns_b, p.batch_count, one.offset_b, p.ab_type, random);
  Memory alpha(8), target(packed_bytes(p, one.packing));
  const bool is_read = one.alpha != PackAlpha::kDeviceZero;
  p.alpha.type = is_complex(p.ab_type)        ? DataType::kCF32
                 : p.compute == Compute::kS32 ? DataType::kS32
                                              : DataType::kF32;
  p.alpha.on_device = one.alpha != PackAlpha::kHost;
  p.alpha.device = alpha.data();
  // The value whose one bit is alike in all types is the least integer, and minus zero in floats.
  const bool is_integer = p.alpha.type == DataType::kS32;
  const uint32_t zero = is_integer ? 0u : 0x80000000u;
  uint32_t parts[2] = {zero, zero};
  // Of a complex one either part may be the one that is not zero.
  const size_t part = is_complex(p.alpha.type) ? settings.seed / 2 % 2 : 0;
  if (is_read) parts[part] = is_integer ? 0x80000000u : 0x3f800000u;
  std::memcpy(alpha.data(), parts, sizeof parts);
  // Where alpha is 0, nobody may look.
  p.a.base = is_read ? a.at(0, 0, 0) : nullptr;
  p.b.base = is_read ? b.at(0, 0, 0) : nullptr;
  // A batch of pointers lies as a strided one would.
  const auto pointers_bytes = static_cast<size_t>(p.batch_count) * sizeof(void*);
  Memory pointers_a(pointers_bytes), pointers_b(pointers_bytes);
  if (by_pointers) {
    point_to(&p.a, a, p.batch_count, is_read, pointers_a);
    point_to(&p.b, b, p.batch_count, is_read, pointers_b);
  }
  GemmProblem packed = packed_problem(p, one.packing, target.data());
  const Change change_a{p.op_a, one.packing.op_a}, change_b{p.op_b, one.packing.op_b};
  const bool transposes_a = change_a.transposes(), transposes_b = change_b.transposes();
  if (settings.seed % 2 == 0 && !one.packing.in_terms) {
    tighten(&packed.a, transposes_a ? columns_a : rows_a, transposes_a ? rows_a : columns_a,
            p.ab_type);
    tighten(&packed.b, transposes_b ? columns_b : rows_b, transposes_b ? rows_b : columns_b,
            p.ab_type);
  }

  emulator::configure(settings);
  launch_pack({p,
               packed,
               one.packing.operands,
               {emulator::find_kernel(kernel.c_str()), nullptr, nullptr, true}});
  const emulator::Result result = emulator::take_result();
  if (wavefronts != nullptr) *wavefronts = result.wavefronts;
  if (!result.error.empty() || !is_read) return result.error;
  std::string wrong;
  if (one.packing.in_terms) {
    wrong = compare_terms("A", a, packed.a, !plain_a, p.m, p.k, count_of(p.a));
    return !wrong.empty() ? wrong
                          : compare_terms("B", b, packed.b, plain_b, p.n, p.k, count_of(p.b));
  }
  if ((one.packing.operands & kPackA) != 0) {
    wrong = compare("A", a, packed.a, change_a, rows_a, columns_a, count_of(p.a), p.ab_type,
                    by_pointers);
  }
  if (wrong.empty() && (one.packing.operands & kPackB) != 0) {
    wrong = compare("B", b, packed.b, change_b, rows_b, columns_b, count_of(p.b), p.ab_type,
                    by_pointers);
  }
  return wrong;
}

std::string run_far_pack(const std::string& kernel) {
  constexpr int64_t kFar = (int64_t{1} << 29) + 65, kSize = 6;
  const DataType type = kTypes[index_of(kernel)];
  const auto element = static_cast<int64_t>(element_bytes(type));
  const auto bytes = static_cast<size_t>(((kSize - 1) * kFar + kSize + 1) * element);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  emulator::admit(memory, bytes);
  auto* const base = static_cast<unsigned char*>(memory) + element;
  const auto place = [&](int64_t row, int64_t column) {
    return base + (row + column * kFar) * element;
  };
  for (int64_t i = 0; i < kSize * kSize; ++i) {
    std::memset(place(i % kSize, i / kSize), static_cast<int>(1 + i), static_cast<size_t>(element));
  }
  GemmProblem p;
  p.ab_type = p.c_type = type;
  p.m = p.n = p.k = kSize;
  p.a = p.b = {base, kFar, 0};
  Memory array(sizeof base);
  std::memcpy(array.data(), &base, sizeof base);
  if (is_of_pointers(kernel)) {
    p.batch_kind = myblas::BatchKind::kPointers;
    p.a.base = p.b.base = array.data();
  }
  const Packing packing = splits(kernel) ? Packing{kPackA | kPackB, Op::kT, Op::kN, true}
                                         : Packing{kPackA | kPackB, Op::kN, Op::kT};
  Memory target(packed_bytes(p, packing));
  const GemmProblem packed = packed_problem(p, packing, target.data());
  emulator::configure({});
  launch_pack({p,
               packed,
               packing.operands,
               {emulator::find_kernel(kernel.c_str()), nullptr, nullptr, true}});
  std::string wrong = emulator::take_result().error;
  if (splits(kernel) && wrong.empty()) {
    wrong = compare_terms("A", place, packed.a, 0, kSize, kSize);
    const auto of_b = [&](int64_t column, int64_t k) { return place(k, column); };
    if (wrong.empty()) wrong = compare_terms("B", of_b, packed.b, 0, kSize, kSize);
  }
  for (int64_t i = 0; i < kSize * kSize && wrong.empty() && !splits(kernel); ++i) {
    const int64_t row = i % kSize, column = i / kSize;
    const auto* a = first_matrix(packed.a, is_of_pointers(kernel));
    const auto* b = first_matrix(packed.b, is_of_pointers(kernel));
    if (a[(row + column * packed.a.ld) * element] != 1 + i ||
        b[(column + row * packed.b.ld) * element] != 1 + i) {
      wrong = "far offsets: an element is wrong";
    }
  }
  emulator::withdraw(memory);
  munmap(memory, bytes);
  return wrong;
}

std::string first_pack_failure(const std::string& kernel) {
  uint64_t seed = 1;
  for (const PackCase& one : pack_cases(kernel, 1, 150)) {
    seed = mix(seed);
    std::string wrong = run_pack(kernel, one, settings_of(seed));
    if (!wrong.empty()) return wrong;
  }
  return run_far_pack(kernel);
}

}  // namespace myblas::test
