// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// contender.h: something that computes a case: myblas, cuBLAS or OpenBLAS.
//==============================================================================
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "shape_list.h"

namespace bench {

// One set of operands of a case. A, B and C point to the first matrix, or, for a batch of
// pointers, to the array of matrix pointers.
struct Operands {
  void* a = nullptr;
  void* b = nullptr;
  void* c = nullptr;
};

// A call that the library refused: the name of its status.
struct CallError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Contender {
 public:
  virtual ~Contender() = default;
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;

  // Whether such a case is worth asking for.
  virtual bool serves(const Case& /*one*/) const { return true; }

  // Called once a case, before its runs, with C filled. The sets stay where they are until the next
  // begin().
  virtual void begin(const Case& one, const std::vector<Operands>& sets) = 0;

  // C = op(A) op(B) + beta C of one set. Throws CallError.
  virtual void run(size_t set) = 0;

  // Brings the result of the last run of `set` into the set's C, where it is kept elsewhere.
  virtual void finish(size_t /*set*/) {}

  // After begin(): ways to compute the case. Where there are several, the bench times each and
  // chooses the best.
  virtual size_t candidates() const { return 1; }
  virtual void choose(size_t /*candidate*/) {}

  // What served the last run, where the library can tell.
  virtual std::string kernel() const { return ""; }
};

}  // namespace bench
