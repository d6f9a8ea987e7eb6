// SPDX-License-Identifier: BSD-3-Clause
#include "api/environment.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

#include "api/log.h"

namespace myblas {
namespace {

// Unset and empty are the same.
const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && value[0] != '\0' ? value : nullptr;
}

bool known_kernel(const char* name, int cc) {
  return std::ranges::any_of(
      table_of(cc), [&](const KernelRow& row) { return std::strcmp(row.name, name) == 0; });
}

bool known_kernel(const char* name) {
  return std::ranges::any_of(table_ccs(), [&](int cc) { return known_kernel(name, cc); });
}

bool is_switched_on(const char* name) {
  const char* value = variable(name);
  return value != nullptr && std::strcmp(value, "0") != 0;
}

bool read_backend(Environment* environment) {
  const char* value = variable("MYBLAS_BACKEND");
  if (value == nullptr || std::strcmp(value, "auto") == 0) return true;
  if (std::strcmp(value, "cuda") == 0) {
    environment->backend = BackendChoice::kCuda;
    return true;
  }
  if (std::strcmp(value, "cpu") == 0) {
    environment->backend = BackendChoice::kCpu;
    return true;
  }
  log::print_always("myblas: MYBLAS_BACKEND=%s is not one of auto, cuda, cpu", value);
  return false;
}

bool read_target(Environment* environment) {
  const char* value = variable("MYBLAS_TARGET");
  if (value == nullptr || parse_target(value, &environment->target_cc)) return true;
  log::print_always("myblas: MYBLAS_TARGET=%s names no architecture we have a table for", value);
  return false;
}

bool read_kernel(Environment* environment) {
  const char* value = variable("MYBLAS_KERNEL");
  if (value == nullptr) return true;
  Policy& policy = environment->policy;
  std::snprintf(policy.kernel, sizeof policy.kernel, "%s", value);
  if (char* at = std::strchr(policy.kernel, '@')) {
    *at = '\0';
    if (!parse_division(at + 1, &policy.division)) {
      log::print_always(
          "myblas: MYBLAS_KERNEL=%s: what follows @ is how k is divided, as 4, 4+sum or even",
          value);
      return false;
    }
  }
  if (!known_kernel(policy.kernel)) {
    log::print_always("myblas: MYBLAS_KERNEL=%s names no kernel of any table", value);
    return false;
  }
  return true;
}

// Plans of kernels that another version had are passed over: once told.
void report_unknown(const Tuning& tuning, const char* path) {
  const auto unknown = [](const TunedPlan& plan) {
    return !known_kernel(plan.row.c_str(), plan.key.table_cc);
  };
  const auto first = std::ranges::find_if(tuning.plans(), unknown);
  if (first == tuning.plans().end()) return;
  log::print_always(
      "myblas: MYBLAS_TUNING=%s: %td of %zu plans name no kernel of their target's table, as %s",
      path, std::ranges::count_if(tuning.plans(), unknown), tuning.plans().size(),
      first->row.c_str());
}

// Read once a process, at the first handle that finds the variable set, and kept: handles point to
// it.
bool read_tuning(Environment* environment) {
  const char* path = variable("MYBLAS_TUNING");
  if (path == nullptr) return true;
  static constinit std::mutex mutex;
  static constinit const Tuning* tuning = nullptr;
  const std::lock_guard<std::mutex> lock(mutex);
  if (tuning == nullptr) {
    std::string error;
    tuning = Tuning::read(path, &error).release();
    if (tuning == nullptr) {
      log::print_always("myblas: MYBLAS_TUNING=%s: %s", path, error.c_str());
      return false;
    }
    report_unknown(*tuning, path);
  }
  environment->policy.tuning = tuning;
  return true;
}

}  // namespace

bool read_environment(Environment* environment) {
  *environment = Environment{};
  environment->policy.explain = is_switched_on("MYBLAS_EXPLAIN");
  environment->emulates_fp32 = is_switched_on("CUBLAS_EMULATE_SINGLE_PRECISION");
  const char* tf32 = variable("NVIDIA_TF32_OVERRIDE");
  environment->tf32_allowed = tf32 == nullptr || std::strcmp(tf32, "0") != 0;
  return read_backend(environment) && read_target(environment) && read_kernel(environment) &&
         read_tuning(environment);
}

}  // namespace myblas
