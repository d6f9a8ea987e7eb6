// SPDX-License-Identifier: BSD-3-Clause
#include "suites/emulated_case.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <tuple>

#include "api/types.h"
#include "dispatch/select.h"
#include "kernels/common/tile_neighbours.h"
#include "kernels/common/tma_shape.h"
#include "kernels/simt/simt_smem.h"

namespace myblas::test {
namespace {

constexpr const char* kModules[] = {
#include "emulated_modules.inc"
};

constexpr int64_t kSmallTile = 64 * 64, kLargeTile = 128 * 128;
constexpr int kWidestAccess = 16;  // bytes; kernels may look for it where their row does not ask

class EmulatedDevice final : public Device {
 public:
  // The exact sizes: arena.h.
  EmulatedDevice() { setenv("MYBLAS_TEST_EXACT_ALLOCATIONS", "1", 1); }
  bool is_gpu() const override { return true; }
  void bind_thread() override {}
  void* allocate(size_t bytes) override { return emulator::allocate(bytes); }
  void release(void* memory) override { emulator::release(memory); }
  size_t free_bytes() override { return size_t{1} << 30; }
  void copy_in(void* device, const void* host, size_t bytes) override {
    if (bytes != 0) std::memcpy(device, host, bytes);
  }
  void copy_out(void* host, const void* device, size_t bytes) override {
    if (bytes != 0) std::memcpy(host, device, bytes);
  }
  void fill(void* device, uint32_t pattern, size_t element_bytes, size_t count) override {
    auto* at = static_cast<unsigned char*>(device);
    for (size_t i = 0; i < count; ++i, at += element_bytes) {
      std::memcpy(at, &pattern, element_bytes);
    }
  }
  void synchronize() override {}
  myblasStream_t create_stream(bool) override { return nullptr; }
  void destroy_stream(myblasStream_t) override {}
  void synchronize_stream(myblasStream_t) override {}
};

int natural_alignment(DataType type) {
  return static_cast<int>(myblas::element_bytes(type)) / (myblas::is_complex(type) ? 2 : 1);
}

// Whether the row leaves some products to others.
bool is_choosy(const KernelRow& row) {
  return row.trans != kAnyTrans || row.align_a > natural_alignment(row.key.ab) ||
         row.align_b > natural_alignment(row.key.ab) || row.align_c > natural_alignment(row.key.c);
}

bool is_zero(Value value) { return value.re == 0.0 && value.im == 0.0; }

// The library launches nothing for these.
bool keeps_c(const GemmCase& gemm) {
  return !gemm.device_scalars && (gemm.k == 0 || is_zero(gemm.alpha)) && gemm.beta.re == 1.0 &&
         gemm.beta.im == 0.0;
}

std::vector<int64_t> around_tile(int64_t tile) {
  // One more with an edge inside a tile that 16-byte accesses need not avoid.
  std::set<int64_t> sizes{1, tile - 1, tile, tile + 1, tile + 8};
  sizes.erase(0);
  return {sizes.begin(), sizes.end()};
}

// Whether the row has no room for totals in shared memory, and so sums a long k in halves.
bool sums_in_halves(const KernelRow& row) {
  const int parts = is_complex(row.key.ab) ? 2 : 1;
  return row.pipe == Pipe::kPlain &&
         row.smem_bytes == simt_smem_bytes_by_tma(sizeof(float), parts * row.tile_m,
                                                  parts * row.tile_n, row.tile_k, row.stages);
}

std::vector<int64_t> around_k(const KernelRow& row) {
  const int64_t tile = row.tile_k, ring = int64_t{row.stages} * row.tile_k;
  // Sums are closed every 96 k or more (common/blocked_sum.cuh): twice in the longest.
  const int64_t longest = std::max<int64_t>(3 * ring + 5, 197);
  std::set<int64_t> sizes{0, 1, tile - 1, tile, tile + 1, ring - 1, ring + 1, longest};
  if (sums_in_halves(row)) sizes.insert(kHalvedFrom + tile + 5);
  return {sizes.begin(), sizes.end()};
}

// Padding that brings the leading dimension to a multiple of the row's alignment.
int64_t aligning_pad(int64_t rows, int align, myblasDataType_t type) {
  const auto elements = std::max<int64_t>(align / static_cast<int64_t>(element_bytes(type)), 1);
  const int64_t ld = std::max<int64_t>(rows, 1);
  return (ld + elements - 1) / elements * elements - ld;
}

Value scalar(Random& random, const TypeCombo& combo) {
  const bool integer = combo.scale == MYBLAS_R_32I;
  const double re = integer ? random.pick({1.0, -2.0, 3.0}) : random.pick({1.0, -1.5, 2.0, 0.5});
  return {re, is_complex(combo.scale) ? random.pick({0.0, 1.0, -0.5}) : 0.0};
}

GemmCase draw_case(const KernelRow& row, const TypeCombo& combo, Random& random, int64_t m,
                   int64_t n, int64_t k) {
  GemmCase gemm;
  gemm.combo = &combo;
  gemm.m = m;
  gemm.n = n;
  gemm.k = k;
  const auto op = [&] {
    return random.pick(
        {MYBLAS_OP_N, MYBLAS_OP_T, is_complex(combo.ab) ? MYBLAS_OP_C : MYBLAS_OP_T, MYBLAS_OP_N});
  };
  gemm.op_a = op();
  gemm.op_b = op();
  // Where the row takes one pair alone, most cases have it.
  if (std::popcount(row.trans) == 1 && random.chance(0.9)) {
    gemm.op_a = (row.trans & (kNN | kNT)) != 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
    gemm.op_b = (row.trans & (kNN | kTN)) != 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
  }
  // Rows that need alignment get it most of the time; each operand loses it by its own: through
  // the pointer, through the leading dimension, or both.
  const bool all_aligned = random.chance(is_choosy(row) ? 0.95 : 0.25);
  const auto place = [&](int64_t rows, int align, myblasDataType_t type, int64_t* pad,
                         int64_t* offset) {
    *pad = aligning_pad(rows, std::max(align, kWidestAccess), type);
    *offset = 0;
    if (all_aligned || random.chance(0.25)) return;
    if (random.chance(0.5)) *pad = random.below(4);
    if (random.chance(0.5)) *offset = 1;
  };
  place(gemm.op_a == MYBLAS_OP_N ? m : k, row.align_a, combo.ab, &gemm.pad_a, &gemm.offset_a);
  place(gemm.op_b == MYBLAS_OP_N ? k : n, row.align_b, combo.ab, &gemm.pad_b, &gemm.offset_b);
  place(m, row.align_c, combo.c, &gemm.pad_c, &gemm.offset_c);
  const BatchKind batch = row.by_pointers      ? BatchKind::kPointers
                          : random.chance(0.8) ? BatchKind::kNone
                          : random.chance(0.5) ? BatchKind::kStrided
                                               : BatchKind::kPointers;
  if (batch != BatchKind::kNone) gemm.batch = 2 + random.below(2);
  if (batch == BatchKind::kStrided) {
    gemm.stride_a = random.pick({Stride::kTight, Stride::kPadded, Stride::kBroadcast});
    gemm.stride_b = random.pick({Stride::kTight, Stride::kBroadcast, Stride::kNegative});
    gemm.stride_c = random.pick({Stride::kTight, Stride::kPadded});
  }
  gemm.entry = entries_for(combo, batch).at(0);
  gemm.alpha = random.chance(0.05) ? Value{} : scalar(random, combo);
  gemm.beta = random.chance(0.4) ? Value{} : scalar(random, combo);
  gemm.device_scalars = random.chance(0.3);
  gemm.seed = random.next();
  return gemm;
}

}  // namespace

Device& emulated_device() {
  static EmulatedDevice device;
  return device;
}

void load_all_kernels() {
  static const bool loaded = [] {
    for (const char* path : kModules) emulator::load_module(path);
    return true;
  }();
  (void)loaded;
}

std::vector<TableRow> all_rows() {
  std::vector<TableRow> rows;
  std::set<std::string> names;
  for (int cc : table_ccs()) {
    for (const KernelRow& row : table_of(cc)) {
      if (cc < row.cc_min || cc > row.cc_max) continue;
      if (names.insert(row.name).second) rows.push_back({&row, cc});
    }
  }
  return rows;
}

TableRow find_row(const std::string& name) {
  for (const TableRow& row : all_rows()) {
    if (name == row.row->name) return row;
  }
  throw std::runtime_error("no row is named " + name);
}

namespace {

bool is_another_row(const std::string& name, const KernelRow& row) {
  const auto rows = all_rows();
  return name != row.name && std::any_of(rows.begin(), rows.end(), [&](const TableRow& other) {
           return name == other.row->name;
         });
}

}  // namespace

bool has_bf16_twin(const KernelRow& row) {
  std::string name = row.name;
  for (size_t at = 0; (at = name.find("_f16_", at)) != std::string::npos; at += 5) {
    name.replace(at, 5, "_bf16_");
  }
  return is_another_row(name, row);
}

size_t share_of_cases(const KernelRow& row) {
  const size_t many_tiles = row.pipe == Pipe::kWgmma ? 4 : row.pipe == Pipe::kMma ? 3 : 2;
  if (has_bf16_twin(row) || row.by_pointers) return 4 * many_tiles;
  const std::string of_c = row.key.ab == DataType::kBF16 ? "_bf16_"
                           : row.key.ab == DataType::kS8 ? "_s32_"
                                                         : "_f32_";
  std::string name = row.name;
  const size_t at = name.find("_f32_");
  if (at == std::string::npos) return many_tiles;
  return many_tiles * (is_another_row(name.replace(at, 5, of_c), row) ? 2 : 1);
}

std::vector<const TypeCombo*> combos_of(const KernelRow& row) {
  std::vector<const TypeCombo*> combos;
  for (const TypeCombo& combo : type_combos()) {
    const auto types = find_type_case(combo.compute, combo.ab, combo.ab, combo.c);
    if (!types) continue;
    // Of a call that permits sums in fp16, other rows take no notice.
    if (types->fast_math != row.needs_fast && types->fast_math != kFastF16Sums) continue;
    if ((row.needs_fast & ~types->fast_math) != 0) continue;
    const Compute sum = types->compute == Compute::kF16 ? Compute::kF32 : types->compute;
    if (row.key == GemmKey{types->ab, types->c, sum}) combos.push_back(&combo);
  }
  return combos;
}

RowHandle::RowHandle(const TableRow& row, const std::vector<std::string>& parts, int sm_count)
    : row_(*row.row), sm_count_(sm_count) {
  emulator::pretend_to_be(row.cc, sm_count);
  setenv("MYBLAS_BACKEND", "cuda", 1);
  for (const std::string& some : parts) {
    KDivision division;
    if (!parse_division(some.c_str(), &division)) throw std::runtime_error("no parts: " + some);
    if (!division.summed && division.parts > row_.max_parts) continue;
    if (division.even && !can_deal(row_)) continue;
    if (division.even) emulator::pretend_to_be(row.cc, 2);  // few places, each of several tiles
    const std::string forced = row_.name + ("@" + some);
    setenv("MYBLAS_KERNEL", forced.c_str(), 1);
    myblasHandle_t handle = nullptr;
    const myblasStatus_t status = myblasCreate(&handle);
    if (status != MYBLAS_STATUS_SUCCESS) {
      throw std::runtime_error(std::string("myblasCreate gave ") + myblasGetStatusName(status));
    }
    handles_.push_back(handle);
  }
}

RowHandle::~RowHandle() {
  for (myblasHandle_t handle : handles_) myblasDestroy(handle);
}

bool RowHandle::served() const {
  char name[128] = "";
  myblasGetLastKernelName(name, sizeof name);
  return std::string(name) == row_.name ||
         std::string(name).starts_with(row_.name + std::string("@"));
}

testing::AssertionResult RowHandle::compute(myblasHandle_t handle, const GemmCase& gemm) {
  PreparedGemm prepared(emulated_device(), gemm);
  if (is_zero(gemm.alpha)) {
    // Nothing may look at A and B.
    if (gemm.device_scalars) {
      std::memset(prepared.arena().host(prepared.slot_a()), 0xFF, prepared.layout_a().bytes());
      std::memset(prepared.arena().host(prepared.slot_b()), 0xFF, prepared.layout_b().bytes());
      prepared.upload();
    } else {
      prepared.pass_null_inputs();
    }
  }
  if (gemm.device_scalars) myblasSetPointerMode(handle, MYBLAS_POINTER_MODE_DEVICE);
  const myblasStatus_t status = prepared.launch(handle);
  myblasSetPointerMode(handle, MYBLAS_POINTER_MODE_HOST);
  if (status != MYBLAS_STATUS_SUCCESS) {
    return testing::AssertionFailure() << myblasGetStatusName(status);
  }
  return prepared.check();
}

testing::AssertionResult RowHandle::run(const GemmCase& gemm, const emulator::Settings& settings,
                                        std::map<std::string, emulator::Wavefronts>* wavefronts) {
  emulator::configure(settings);
  const size_t one = wavefronts != nullptr ? 0 : mix(settings.seed) % handles_.size();
  const testing::AssertionResult right = compute(handles_[one], gemm);
  const emulator::Result result = emulator::take_result();
  if (wavefronts != nullptr) *wavefronts = result.wavefronts;
  const auto failure = [&](const std::string& what) {
    return testing::AssertionFailure()
           << what << "\nreplay: MYBLAS_EMULATOR_SEED=" << settings.seed
           << " MYBLAS_EMULATOR_SMS=" << sm_count_ << " MYBLAS_KERNEL=" << row_.name
           << " MYBLAS_TEST_REPLAY='" << to_line(gemm) << "'";
  };
  // In a build of some families alone others cannot take what the row refuses.
  if (!MYBLAS_EMULATES_ALL && result.error == emulator::kNoModule)
    return testing::AssertionSuccess();
  if (!result.error.empty()) return failure(result.error);
  if (!right) return failure(right.message());
  if (!served() && !is_choosy(row_) && !keeps_c(gemm)) return failure("another row served this");
  return right;
}

emulator::Settings settings_of(uint64_t seed) {
  Random random(mix(seed));
  emulator::Settings settings;
  settings.seed = seed;
  settings.copies = random.pick({emulator::CopyTiming::kLate, emulator::CopyTiming::kLate,
                                 emulator::CopyTiming::kAtOnce, emulator::CopyTiming::kSeeded});
  settings.largest_grid = random.chance(0.25) ? 1 : 0;
  return settings;
}

std::vector<GemmCase> boundary_cases(const KernelRow& row, uint64_t seed, int rounds) {
  const auto combos = combos_of(row);
  if (combos.empty()) throw std::runtime_error(std::string("no types ask for ") + row.name);
  // A case costs what its tiles hold: large ones get fewer, of the largest every second shape.
  const int64_t area = int64_t{row.tile_m} * row.tile_n;
  const int64_t some = std::clamp<int64_t>(rounds * kSmallTile / area, 1, rounds);
  const size_t step = area > kLargeTile ? 2 : 1;
  Random random(mix(seed));
  std::vector<GemmCase> cases;
  size_t shape = seed;
  for (int64_t round = 0; round < some; ++round) {
    for (int64_t m : around_tile(row.tile_m)) {
      for (int64_t n : around_tile(row.tile_n)) {
        for (int64_t k : around_k(row)) {
          const TypeCombo* combo = random.pick(std::span(combos));
          const GemmCase gemm = draw_case(row, *combo, random, m, n, k);
          if (++shape % step == 0) cases.push_back(gemm);
        }
        ++shape;  // not the same k for every n
      }
    }
  }
  return cases;
}

std::vector<GemmCase> cases_past_middle(const KernelRow& row, uint64_t seed) {
  const auto combos = combos_of(row);
  const auto past_middle = [](int64_t tile) { return tile + (tile / 2 + 8) / 8 * 8; };
  const int64_t m = past_middle(row.tile_m), n = past_middle(row.tile_n);
  Random random(mix(seed));
  std::vector<GemmCase> cases;
  const auto add = [&](int64_t rows, int64_t columns, int64_t k) {
    cases.push_back(draw_case(row, *random.pick(std::span(combos)), random, rows, columns, k));
  };
  for (int64_t k : {int64_t{row.tile_k} + 1, int64_t{row.stages} * row.tile_k + 1}) {
    add(m, row.tile_n, k);
    add(row.tile_m, n, k);
    add(m, n, k);
  }
  return cases;
}

std::vector<GemmCase> cases_past_warps(const KernelRow& row, uint64_t seed) {
  if (!row.by_warps) return {};
  constexpr int kSms = 2;
  const int warps = kSms * row.blocks_per_sm * row.threads / 32;
  int64_t side = 1;  // tiles each way
  while (side * side <= warps) ++side;
  const auto combos = combos_of(row);
  Random random(mix(seed));
  std::vector<GemmCase> cases;
  for (const int64_t k : {row.tile_k / 2, row.tile_k + 1}) {
    cases.push_back(draw_case(row, *random.pick(std::span(combos)), random, side * row.tile_m - 1,
                              side * row.tile_n, k));
  }
  return cases;
}

std::vector<GemmCase> epilogue_cases(const KernelRow& row, uint64_t seed) {
  const auto combos = combos_of(row);
  const bool is_float = !is_complex(combos.front()->ab) && combos.front()->ab != MYBLAS_R_8I;
  if (row.by_pointers || !row.takes_epilogue || !is_float)
    return {};  // cublasLt's batches are strided
  Random random(mix(seed));
  std::vector<GemmCase> cases;
  const auto add = [&](int64_t m, int64_t n, bool bias, myblasDropinActivation_t activation) {
    GemmCase gemm = draw_case(row, *random.pick(std::span(combos)), random, m, n, row.tile_k + 1);
    if (gemm.entry->batch == BatchKind::kNone) gemm.batch = 1;
    gemm.entry = find_entry("myblasDropinMatmul");
    gemm.bias = bias;
    gemm.stride_bias = random.pick({Stride::kTight, Stride::kBroadcast, Stride::kPadded});
    gemm.activation = activation;
    if (activation != MYBLAS_DROPIN_IDENTITY) {
      gemm.beta = {};
      gemm.device_scalars = false;
    }
    cases.push_back(gemm);
  };
  for (const int64_t odd : {0, 1, 3}) {  // whole tiles, and edges
    const int64_t m = row.tile_m + odd * 8 + odd % 3, n = row.tile_n + odd;
    add(m, n, true, MYBLAS_DROPIN_IDENTITY);
    add(m, n, true, MYBLAS_DROPIN_RELU);
    add(m, n, false, MYBLAS_DROPIN_RELU);
    if (row.key.c != DataType::kF64) add(m, n, true, MYBLAS_DROPIN_GELU);
  }
  add(row.tile_m + 8, row.tile_n, true, MYBLAS_DROPIN_IDENTITY);
  cases.back().alpha = {};  // the bias alone, and beta * C
  add(row.tile_m, row.tile_n, true, MYBLAS_DROPIN_RELU);
  cases.back().k = 0;
  return cases;
}

void align_columns(GemmCase* gemm) {
  const auto pad = [](int64_t rows) { return 15 - (rows - 1) % 16; };
  gemm->pad_a = pad(gemm->op_a == MYBLAS_OP_N ? gemm->m : gemm->k);
  gemm->pad_b = pad(gemm->op_b == MYBLAS_OP_N ? gemm->k : gemm->n);
  gemm->pad_c = pad(gemm->m);
}

std::vector<GemmCase> pointer_cases(const KernelRow& row) {
  if (!row.by_pointers) return {};
  std::vector<GemmCase> cases;
  GemmCase gemm;
  gemm.combo = combos_of(row).front();
  gemm.entry = entries_for(*gemm.combo, BatchKind::kPointers).at(0);
  gemm.batch = 2;
  const auto add = [&](int odd, int64_t k, Stride a, Stride b, Stride c, double beta) {
    gemm.m = row.tile_m + odd;
    gemm.n = 16 + odd;
    gemm.k = k;
    gemm.stride_a = a;
    gemm.stride_b = b;
    gemm.stride_c = c;
    gemm.beta = {beta, 0};
    align_columns(&gemm);
    cases.push_back(gemm);
  };
  // One matrix for all begins where TMA reaches it, and so does every one of whole columns.
  constexpr Stride kOne = Stride::kBroadcast, kNext = Stride::kTight, kBefore = Stride::kNegative;
  for (const auto& [trans, op_a, op_b] : {std::tuple{kNN, MYBLAS_OP_N, MYBLAS_OP_N},
                                          {kNT, MYBLAS_OP_N, MYBLAS_OP_T},
                                          {kTN, MYBLAS_OP_T, MYBLAS_OP_N},
                                          {kTT, MYBLAS_OP_T, MYBLAS_OP_T}}) {
    if ((row.trans & trans) == 0) continue;
    // Of a row that takes all, two say as much.
    if (row.trans == kAnyTrans && (trans == kNN || trans == kTT)) continue;
    gemm.op_a = op_a;
    gemm.op_b = op_b;
    const int64_t k = 2 * row.tile_k;
    add(0, k, kNext, kNext, kNext, 2);
    add(1, k + 1, kNext, kOne, kBefore, 0);
    add(1, k + 1, kOne, kBefore, kNext, 2);
    add(0, k, kOne, kOne, Stride::kPadded, 2);  // C's columns as TMA stores them
    // Several tiles a matrix, whose blocks go both ways; but where the grid is cut down to one.
    for (const Stride stride_b : {kNext, kOne, kBefore}) {
      if (!row.resident) break;
      add(1, k + 1, kNext, stride_b, kNext, 0);
      cases.back().m = 2 * row.tile_m + 1;
      cases.back().n = 2 * row.tile_n + 1;
      align_columns(&cases.back());
    }
    if (row.needs_fast != kFastTF32) continue;
    gemm.data = DataKind::kReal;  // which is rounded
    add(1, 1, kNext, kBefore, kNext, 0);
    gemm.data = DataKind::kInteger;
  }
  return cases;
}

GemmCase case_of_tiles(const KernelRow& row, int tiles_m, int tiles_n, int k_tiles) {
  GemmCase gemm;
  gemm.combo = combos_of(row).front();
  const BatchKind kind = row.by_pointers ? BatchKind::kPointers : BatchKind::kNone;
  gemm.entry = entries_for(*gemm.combo, kind).at(0);
  gemm.m = (tiles_m - 1) * row.tile_m + 1;
  gemm.n = (tiles_n - 1) * row.tile_n + 1;
  gemm.k = int64_t{k_tiles} * row.tile_k;
  gemm.op_a = (row.trans & (kTN | kTT)) != 0 ? MYBLAS_OP_T : MYBLAS_OP_N;
  gemm.op_b = (row.trans & (gemm.op_a == MYBLAS_OP_T ? kTN : kNN)) != 0 ? MYBLAS_OP_N : MYBLAS_OP_T;
  gemm.beta = {2, 0};
  align_columns(&gemm);
  return gemm;
}

std::vector<ClusterCase> cases_in_clusters(const KernelRow& row) {
  if (row.pipe != Pipe::kWgmma || is_in_terms(row)) return {};
  if (row.cluster == 4) {  // two to a cluster, of which one walks all fours, or the last has one
    GemmCase gemm = case_of_tiles(row, 2, 3, 1);
    gemm.k = kByEightLeastK;
    align_columns(&gemm);
    return {{gemm, 9}, {gemm, 18}};
  }
  if (row.cluster == 2) {
    return {{case_of_tiles(row, 3, 2, static_cast<int>(kLeastKTilesOfFour)), 18}};
  }
  if (row.blocks_per_sm > 1) return {};
  // Neighbours along n, and along m.
  const auto k_tiles = static_cast<int>(kLeastKTiles);
  return {{case_of_tiles(row, 4, 2, k_tiles), 16}, {case_of_tiles(row, 2, 4, k_tiles), 16}};
}

std::vector<GemmCase> sample(const std::vector<GemmCase>& cases, size_t count, size_t first) {
  std::vector<GemmCase> few;
  for (size_t i = 0; i < count; ++i) {
    // 61 is prime to the numbers of shapes: neighbours differ in everything.
    few.push_back(cases[(first % cases.size() + i * 61 + i / cases.size()) % cases.size()]);
  }
  return few;
}

}  // namespace myblas::test
