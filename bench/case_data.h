// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// case_data.h: the matrices of one case, in as many sets as it takes to leave
// the last-level cache behind.
//
// Call i of a timed sequence uses set i % sets(), so that no operand is found
// in the cache because the call before left it there.
//==============================================================================
#pragma once

#include <stdexcept>
#include <vector>

#include "machine.h"

namespace bench {

struct CaseTooLarge : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class CaseData {
 public:
  // Allocates and fills. Throws CaseTooLarge where one set does not fit.
  CaseData(Machine& machine, const Case& one, uint64_t seed);

  const std::vector<Operands>& sets() const { return sets_; }

  // What the set's C holds ahead of a call, gaps between columns included: poison where beta is 0,
  // else random numbers, the same each time.
  void fill_c(size_t set);

  CheckedProduct checked(size_t set) const;

 private:
  struct Region {
    size_t at = 0;     // bytes from the start of the set
    size_t bytes = 0;  // from the start of the region, the offset included
    Layout layout;
    myblasDataType_t type = MYBLAS_R_32F;
  };
  char* region(size_t set, const Region& r) const;
  void* first_matrix(size_t set, const Region& r) const;
  void fill_random(size_t set, const Region& r);
  void make_operands(size_t set);
  void* pointer_array(size_t set, int operand, const Region& r);

  Machine& machine_;
  Case case_;
  uint64_t seed_;
  Region a_, b_, c_;
  size_t set_bytes_ = 0;
  Buffer memory_, pointers_;
  std::vector<Operands> sets_;
};

}  // namespace bench
