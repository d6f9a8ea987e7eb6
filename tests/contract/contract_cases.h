// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// contract/contract_cases.h: every case of the contract table, in its order.
//
// The recorder runs the list on cuBLAS and writes the table; the replay test
// runs the same list on myblas and compares. A line of the table is
//
//   routine | case | result [| what cuBLAS printed]
//
// and the first two fields name a case uniquely.
//==============================================================================
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "blas_call.h"

namespace contract {

struct Case {
  std::string routine;
  std::string text;
  bool needs_handle;  // false: answers without a GPU, even in cuBLAS
  bool needs_device;  // true: makes no sense for a handle on the CPU
  std::function<std::string(Bench&)> run;
};

using Cases = std::vector<Case>;

Cases all_cases();

// The parts of the list.
void add_fault_cases(Cases& cases);    // one argument wrong; legal edges
void add_pair_cases(Cases& cases);     // two at once: which status wins
void add_type_cases(Cases& cases);     // which combinations of types are served
void add_outcome_cases(Cases& cases);  // what is computed where alpha, beta or a size is 0
void add_state_cases(Cases& cases);    // setters, getters, status texts, logger

// A case that is one call.
void add_call(Cases& cases, const std::string& text, const Call& call);

// One change to a valid call, by its name in the table. Changes that share a field bit cannot
// be combined.
struct Change {
  std::string text;
  unsigned fields;
  std::function<void(Call&)> apply;
};

}  // namespace contract
