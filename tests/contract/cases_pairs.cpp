// SPDX-License-Identifier: BSD-3-Clause
//==============================================================================
// Two faults at once, and faults beside quick returns: which status wins.
//==============================================================================
#include "contract_cases.h"

namespace contract {
namespace {

enum Field : unsigned {
  kTransA = 1,
  kTransB = 2,
  kM = 4,
  kN = 8,
  kK = 16,
  kLdA = 32,
  kLdB = 64,
  kLdC = 128,
  kAlpha = 256,
  kBeta = 512,
  kTypeA = 1024,
  kTypeC = 2048,
  kCompute = 4096,
  kAlgo = 8192,
  kBatch = 16384,
  kHandle = 32768
};

std::vector<Change> kinds_of(const Routine& which) {
  std::vector<Change> kinds = {
      {"handle=NULL", kHandle, [](Call& c) { c.null_handle = true; }},
      {"transa=9", kTransA, [](Call& c) { c.transa = 9; }},
      {"transb=9", kTransB, [](Call& c) { c.transb = 9; }},
      {"m=-1", kM, [](Call& c) { c.m = -1; }},
      {"n=-1", kN, [](Call& c) { c.n = -1; }},
      {"k=-1", kK, [](Call& c) { c.k = -1; }},
      {"lda=1", kLdA, [](Call& c) { c.a.ld = 1; }},
      {"ldb=1", kLdB, [](Call& c) { c.b.ld = 1; }},
      {"ldc=1", kLdC, [](Call& c) { c.c.ld = 1; }},
      {"alpha=NULL", kAlpha, [](Call& c) { c.alpha_null = true; }},
      {"beta=NULL", kBeta, [](Call& c) { c.beta_null = true; }},
      {"m=0", kM, [](Call& c) { c.m = 0; }},
      {"n=0", kN, [](Call& c) { c.n = 0; }},
      {"k=0", kK, [](Call& c) { c.k = 0; }},
      {"alpha=0", kAlpha, [](Call& c) { c.alpha = 0; }},
  };
  if (which.batched()) {
    kinds.push_back({"batchCount=-1", kBatch, [](Call& c) { c.batch = -1; }});
    kinds.push_back({"batchCount=0", kBatch, [](Call& c) { c.batch = 0; }});
  }
  if (which.grouped()) {
    kinds.push_back({"group_count=-1", kBatch, [](Call& c) { c.batch = -1; }});
    kinds.push_back({"device scalars", kBatch, [](Call& c) { c.device_scalars = true; }});
  }
  if (which.typed()) {
    kinds.push_back({"Atype=99", kTypeA, [](Call& c) { c.a.type = 99; }});
    kinds.push_back({"Atype=R_16F", kTypeA, [](Call& c) { c.a.type = kR16F; }});
    kinds.push_back({"Ctype=99", kTypeC, [](Call& c) { c.c.type = 99; }});
    kinds.push_back({"Ctype=R_64F", kTypeC, [](Call& c) { c.c.type = kR64F; }});
  }
  if (which.has_compute()) {
    kinds.push_back({"compute=999", kCompute, [](Call& c) { c.compute = 999; }});
    kinds.push_back({"compute=72", kCompute, [](Call& c) { c.compute = kCompute32I; }});
  }
  if (which.has_algo()) kinds.push_back({"algo=1000", kAlgo, [](Call& c) { c.algo = 1000; }});
  return kinds;
}

}  // namespace

void add_pair_cases(Cases& cases) {
  for (const char* name :
       {"Sgemm_v2", "Hgemm", "Cgemm3m", "SgemmEx", "GemmEx", "SgemmBatched", "SgemmStridedBatched",
        "GemmBatchedEx", "GemmStridedBatchedEx", "SgemmGroupedBatched", "GemmGroupedBatchedEx"}) {
    const Routine which = routine(name);
    const std::vector<Change> kinds = kinds_of(which);
    for (size_t i = 0; i < kinds.size(); ++i) {
      for (size_t j = i + 1; j < kinds.size(); ++j) {
        if (kinds[i].fields & kinds[j].fields) continue;
        Call call(which);
        kinds[i].apply(call);
        kinds[j].apply(call);
        add_call(cases, "pair " + kinds[i].text + " + " + kinds[j].text, call);
      }
    }
  }
}

}  // namespace contract
