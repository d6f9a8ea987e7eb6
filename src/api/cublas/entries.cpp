// SPDX-License-Identifier: BSD-3-Clause
// The tables behind the trampolines: our entry of each name that has one, and the function that
// serves a name where there is no real cuBLAS.
#include "api/cublas/lt_matmul.h"
#include "api/cublas/serve.h"
#include "api/cublas/standalone.h"
#include "api/cublas/state.h"

using namespace myblas::dropin;

// In the order of entries.inc: the trampolines know each entry by its place.
extern "C" [[gnu::visibility("hidden")]] const Function myblas_entries[] = {
#define MYBLAS_SERVE(name, ours) \
  reinterpret_cast<Function>(&Served<decltype(ours)>::call<&ours, Name::name>),
#define MYBLAS_STATE(name, entry, ours) reinterpret_cast<Function>(&entry),
#define MYBLAS_LOCAL(name, ours)
#include "api/cublas/entries.inc"
#undef MYBLAS_SERVE
#undef MYBLAS_STATE
#undef MYBLAS_LOCAL
};

namespace myblas::dropin {
namespace {

struct StandaloneRow {
  Name name;
  Function function;
};

const StandaloneRow kStandaloneRows[] = {
#define MYBLAS_SERVE(name, ours) {Name::name, reinterpret_cast<Function>(&ours)},
#define MYBLAS_STATE(name, entry, ours) {Name::name, reinterpret_cast<Function>(&ours)},
#define MYBLAS_LOCAL(name, ours) {Name::name, reinterpret_cast<Function>(&ours)},
#include "api/cublas/entries.inc"
#undef MYBLAS_SERVE
#undef MYBLAS_STATE
#undef MYBLAS_LOCAL
};

}  // namespace

Function standalone_function(Name name) {
  for (const StandaloneRow& row : kStandaloneRows) {
    if (row.name == name) return row.function;
  }
  return nullptr;
}

}  // namespace myblas::dropin
