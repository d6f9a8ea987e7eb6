// SPDX-License-Identifier: BSD-3-Clause
// The compiled kernels of the hopper family for fp32 in bf16 terms, a line each: rows of
// src/dispatch/tables/hopper_terms.inc.
#include "kernels/hopper/hgemm_wgmma.cuh"

using namespace myblas;

// clang-format off
MYBLAS_HGEMM_WGMMA(sgemm_wgmma_terms_128x128x16,      __nv_bfloat16, float, kHopperTerms128x128)
MYBLAS_HGEMM_WGMMA(sgemm_wgmma_terms_128x96x16,       __nv_bfloat16, float, kHopperTerms128x96)
MYBLAS_HGEMM_WGMMA(sgemm_wgmma_terms_96x128x16,       __nv_bfloat16, float, kHopperTerms96x128)
MYBLAS_HGEMM_WGMMA(sgemm_wgmma_terms_128x64x16,       __nv_bfloat16, float, kHopperTerms128x64)
MYBLAS_HGEMM_WGMMA(sgemm_wgmma_terms_64x128x16,       __nv_bfloat16, float, kHopperTerms64x128)
MYBLAS_HGEMM_WGMMA(sgemm_wgmma_terms_pair_192x128x16, __nv_bfloat16, float, kHopperTermsPair192x128)
MYBLAS_HGEMM_WGMMA(sgemm_wgmma_terms_pair_128x192x16, __nv_bfloat16, float, kHopperTermsPair128x192)
MYBLAS_HGEMM_WGMMA(sgemm_wgmma_terms_pair_128x128x16, __nv_bfloat16, float, kHopperTermsPair128x128)
