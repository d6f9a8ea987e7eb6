// SPDX-License-Identifier: BSD-3-Clause
#include "dispatch/k_division.h"

#include <charconv>
#include <cstring>

namespace myblas {
namespace {

constexpr const char* kEven = "even";
constexpr const char* kSum = "+sum";

}  // namespace

bool parse_division(const char* text, KDivision* division) {
  *division = {};
  if (std::strcmp(text, kEven) == 0) {
    division->even = true;
    return true;
  }
  const char* const end = text + std::strlen(text);
  const auto [last, error] = std::from_chars(text, end, division->parts);
  division->summed = std::strcmp(last, kSum) == 0;
  return error == std::errc() && (last == end || division->summed) && division->parts >= 1;
}

std::string division_text(const KDivision& division) {
  if (division.even) return kEven;
  return std::to_string(division.parts) + (division.summed ? kSum : "");
}

}  // namespace myblas
