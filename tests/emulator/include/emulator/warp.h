// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// emulator/warp.h: what the threads of a warp or a block do together.
//
// Instructions are written as a function of the operands of 32 lanes: collective()
// waits until every lane of the mask has come to the same instruction, runs the
// function once and lets all go on. A lane that is not in the mask has no operand
// (nullptr). Lanes that come with another mask or instruction, or never, are errors.
//==============================================================================
#pragma once

#include <bit>
#include <cstdint>

namespace emulator {

int lane();

using Combine = void (*)(void* const (&operands)[32]);
void collective(unsigned mask, const char* instruction, void* operand, Combine combine,
                const void* site = nullptr);

// bar.sync id, threads. threads 0: the whole block.
void block_barrier(int id, int threads);
// The same; whether anyone's vote was yes.
bool block_barrier_or(int id, int threads, bool vote);
// Orders the memory accesses of the lanes of the mask.
void warp_barrier(unsigned mask);

// An invalid use of an instruction: ends the launch with a report. Does not return.
[[noreturn]] void invalid(const char* format, ...) __attribute__((format(printf, 1, 2)));

inline __attribute__((always_inline)) unsigned ballot(unsigned mask, bool predicate) {
  struct Vote {
    bool mine;
    unsigned all;
  } vote{predicate, 0};
  collective(mask, "vote", &vote, [](void* const(&operands)[32]) {
    unsigned all = 0;
    for (unsigned i = 0; i < 32; ++i) {
      if (operands[i] != nullptr && static_cast<Vote*>(operands[i])->mine) all |= 1u << i;
    }
    for (void* operand : operands) {
      if (operand != nullptr) static_cast<Vote*>(operand)->all = all;
    }
  });
  return vote.all;
}

template <class T>
inline __attribute__((always_inline)) T shuffle(unsigned mask, T value, int from) {
  struct Exchange {
    T value, received;
    int from;
  } exchange{value, value, from};
  collective(mask, "shfl", &exchange, [](void* const(&operands)[32]) {
    for (void* operand : operands) {
      if (operand == nullptr) continue;
      auto* mine = static_cast<Exchange*>(operand);
      const auto* source = static_cast<const Exchange*>(operands[mine->from & 31]);
      if (source == nullptr) invalid("shfl reads lane %d, which takes no part", mine->from);
      mine->received = source->value;
    }
  });
  return exchange.received;
}

}  // namespace emulator
