// SPDX-License-Identifier: BSD-3-Clause
#include "contract_cases.h"

namespace contract {

void add_call(Cases& cases, const std::string& text, const Call& call) {
  cases.push_back({call.routine.full_name(), text, !call.null_handle, false,
                   [call](Bench& bench) { return bench.run_text(call); }});
}

Cases all_cases() {
  Cases cases;
  add_state_cases(cases);
  add_fault_cases(cases);
  add_outcome_cases(cases);
  add_pair_cases(cases);
  add_type_cases(cases);
  return cases;
}

}  // namespace contract
