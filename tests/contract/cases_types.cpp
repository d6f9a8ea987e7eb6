// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// Every combination of types. A line holds one compute type and one A type, and
// lists the B -> C that do not give the most frequent status of the line.
//==============================================================================
#include <map>

#include "contract_cases.h"

namespace contract {
namespace {

constexpr int kTypes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15, 28, 29, 33};
constexpr int kComputes[] = {64, 65, 68, 69, 70, 71, 72, 73, 74, 75, 77, 78, 79};

Call typed_call(const Routine& which, int compute, int a, int b, int c) {
  Call call(which);
  call.m = call.n = call.k = 4;
  call.batch = which.grouped() ? 1 : 2;
  call.compute = compute;
  call.a.type = a;
  call.b.type = b;
  call.c.type = c;
  return call;
}

std::string run_line(Bench& bench, const Routine& which, int compute, int a, bool mixed) {
  std::vector<std::pair<std::string, std::string>> answers;
  std::map<std::string, size_t> frequency;
  for (const int b : kTypes) {
    if (!mixed && b != a) continue;
    for (const int c : kTypes) {
      std::string answer = bench.run_text(typed_call(which, compute, a, b, c));
      const bool plain = answer == "0 product";
      ++frequency[answer];
      answers.emplace_back((b == a ? "" : "B=" + type_name(b) + " ") + "C=" + type_name(c),
                           plain ? "0" : answer);
      if (bench.poisoned()) return answers.back().first + ": " + answer;
    }
  }
  std::string usual;
  for (const auto& [answer, count] : frequency)
    if (usual.empty() || count > frequency[usual]) usual = answer;
  std::string line;
  for (const auto& [types, answer] : answers)
    if (answer != usual) line += types + ": " + answer + ", ";
  return line + "rest: " + usual;
}

void add_lines(Cases& cases, const std::string& name, int compute, bool mixed) {
  const Routine which = routine(name);
  const std::string head =
      which.has_compute() ? "types compute=" + std::to_string(compute) + " A=" : "types A=";
  for (const int a : kTypes) {
    cases.push_back({name, head + type_name(a) + (mixed ? "" : " B=A"), true, false,
                     [=](Bench& bench) { return run_line(bench, which, compute, a, mixed); }});
  }
}

// cuBLAS asks for A and B on 4 bytes and lda, ldb in fours for int8.
void add_int8_alignment(Cases& cases) {
  for (const int c_type : {kR32I, kR32F}) {
    const auto add = [&](const std::string& text, auto change) {
      Call call = typed_call(routine("GemmEx"), c_type == kR32I ? kCompute32I : kCompute32F, kR8I,
                             kR8I, c_type);
      change(call);
      add_call(cases, "int8->" + type_name(c_type) + " " + text, call);
    };
    add("4x4x4 ld 4", [](Call&) {});
    for (const int ld : {5, 6, 8}) {
      add("lda=" + std::to_string(ld), [&](Call& c) { c.a.ld = ld; });
      add("ldb=" + std::to_string(ld), [&](Call& c) { c.b.ld = ld; });
      add("ldc=" + std::to_string(ld), [&](Call& c) { c.c.ld = ld; });
    }
    for (const int shift : {1, 2, 4}) {
      add("A off by " + std::to_string(shift), [&](Call& c) { c.a.shift = shift; });
      add("B off by " + std::to_string(shift), [&](Call& c) { c.b.shift = shift; });
    }
    for (const int size : {1, 2, 3}) {
      add("m=" + std::to_string(size), [&](Call& c) { c.m = size; });
      add("n=" + std::to_string(size), [&](Call& c) { c.n = size; });
      add("k=" + std::to_string(size), [&](Call& c) { c.k = size; });
    }
    add("transa=T", [](Call& c) { c.transa = 1; });
    add("transb=T", [](Call& c) { c.transb = 1; });
    add("transa=T transb=T", [](Call& c) { c.transa = c.transb = 1; });
    add("m=0 lda=5", [](Call& c) { c.m = 0, c.a.ld = 5; });
    add("k=0 lda=5", [](Call& c) { c.k = 0, c.a.ld = 5; });
  }
}

}  // namespace

void add_type_cases(Cases& cases) {
  for (const int compute : kComputes) add_lines(cases, "GemmEx", compute, true);
  for (const int compute : kComputes) add_lines(cases, "GemmBatchedEx", compute, false);
  for (const int compute : kComputes) add_lines(cases, "GemmStridedBatchedEx", compute, false);
  for (const int compute : kComputes) add_lines(cases, "GemmGroupedBatchedEx", compute, true);
  for (const char* name : {"SgemmEx", "CgemmEx", "Cgemm3mEx"})
    add_lines(cases, name, kCompute32F, true);
  add_int8_alignment(cases);
}

}  // namespace contract
