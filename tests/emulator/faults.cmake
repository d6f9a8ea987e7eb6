# SPDX-License-Identifier: BSD-3-Clause
# The planted faults, a line or two each:
#   emulator_fault(<name> <kernel> <file under src/> <text> <its replacement> <symptom>)
# The text must occur exactly once. The symptom is a regular expression for the emulator's words;
# "": a wrong result is all there is to see.

set(reference kernels/reference/gemm_reference.cuh)
set(batch kernels/common/batch.cuh)
set(arithmetic kernels/common/arithmetic.cuh)
set(f32 gemm_reference_f32_f32_64x64x16)
set(f32_wide gemm_reference_f32_f32_128x128x8)
set(f16 gemm_reference_f16_f16_64x64x16)
set(bf16_wide gemm_reference_bf16_bf16_128x128x8)
set(s8 gemm_reference_s8_s32_64x64x16)
set(c32 gemm_reference_c32_c32_64x64x8)

# ---- order ------------------------------------------------------------------------------------
emulator_fault(barrier_after_stores_removed ${f32} ${reference}
  "__syncthreads();  // all threads' stores" "// all threads' stores" "no barrier in between|nothing wrote")
emulator_fault(barrier_after_loads_removed ${f32_wide} ${reference}
  "__syncthreads();  // all threads' loads" "// all threads' loads" "no barrier in between")
emulator_fault(barrier_for_half_the_block ${f32} ${reference}
  "__syncthreads();  // all threads' loads"
  "if (threadIdx.x < 128) __syncthreads();  // all threads' loads" "nobody can go on|no barrier")
emulator_fault(barrier_of_a_warp_for_the_block ${f16} ${reference}
  "__syncthreads();  // all threads' stores" "__syncwarp();  // all threads' stores"
  "no barrier in between|nothing wrote")

# ---- which elements ---------------------------------------------------------------------------
emulator_fault(prefetch_of_a_later_tile ${f32} ${reference}
  "staged_a, a, first_m, first_k + Cfg::kTileK" "staged_a, a, first_m, first_k + 2 * Cfg::kTileK" "")
emulator_fault(prefetch_forgotten ${f32} ${reference}
  "fetch_tile<Cfg, Cfg::kTileN>(staged_b, b, first_n, first_k + Cfg::kTileK);" "" "")
emulator_fault(row_predicate_dropped ${f32} ${reference}
  "row + step * map.row_step < view.rows && " "" "allocation|wrong")
emulator_fault(k_predicate_dropped ${f32} ${reference}
  " && k + step * map.k_step < view.k" "" "")
emulator_fault(k_predicate_one_too_far ${s8} ${reference}
  "k + step * map.k_step < view.k" "k + step * map.k_step <= view.k" "")
emulator_fault(zero_fill_dropped ${f32} ${reference}
  "staged[step] = Acc{};" "if (first_k < 0) staged[step] = Acc{};" "")
emulator_fault(k_loop_one_tile_short ${f32} ${reference}
  "first_k < a.k; first_k +=" "first_k + Cfg::kTileK < a.k; first_k +=" "")
emulator_fault(m_store_predicate_dropped ${f32} ${reference}
  "m < args.m && n < args.n" "n < args.n" "writes|reads|changed|wrong")
emulator_fault(n_store_predicate_dropped ${f32} ${reference}
  "m < args.m && n < args.n" "m < args.m" "allocation")
emulator_fault(transposed_map_ignored_at_the_store ${f32} ${reference}
  "const LoaderMap map = loader_map<Cfg, kRows>(rows_contiguous);"
  "const LoaderMap map = loader_map<Cfg, kRows>(rows_contiguous || Cfg::kTileK > 0);" "")
emulator_fault(transposition_of_b_inverted ${bf16_wide} ${batch}
  "args.b.transposed != 0, args.b" "args.b.transposed == 0, args.b" "")
emulator_fault(leading_dimension_of_c_ignored ${f32} ${reference}
  "m + n * args.ldc" "m + n * args.m" "")
emulator_fault(batch_stride_ignored ${f32} ${batch}
  "static_cast<const T*>(base) + index * stride" "static_cast<const T*>(base) + 0 * (index + stride)" "")
emulator_fault(pointer_of_the_batch_ignored ${f32} ${batch}
  "static_cast<const void* const*>(base)[index]" "static_cast<const void* const*>(base)[0 * index]" "")
emulator_fault(offset_truncated_to_32_bits ${s8} ${reference}
  "row * row_stride + k * k_stride;" "static_cast<int>(row * row_stride + k * k_stride);" "")
emulator_fault(step_truncated_to_32_bits ${s8} ${reference}
  "const int64_t step_offset = map.row_step * row_stride + map.k_step * k_stride;"
  "const int step_offset = map.row_step * static_cast<int>(row_stride) + map.k_step * static_cast<int>(k_stride);"
  "")
emulator_fault(offset_of_c_truncated ${s8} ${reference}
  "m + n * args.ldc" "m + static_cast<int>(n * args.ldc)" "")

# ---- shared memory and registers --------------------------------------------------------------
emulator_fault(shared_row_off_by_one ${f32} ${reference}
  "[map.row + step * map.row_step] = staged" "[map.row + 1 + step * map.row_step] = staged" "nothing wrote")
emulator_fault(shared_k_off_by_one ${f32} ${reference}
  "b[j] = smem.b[k][" "b[j] = smem.b[k + 1][" "outside every shared|past the end|nothing wrote")
emulator_fault(fragments_swapped ${f32} ${reference}
  "multiply_add(sums[j][i], a[i], b[j])" "multiply_add(sums[i][j], a[i], b[j])" "")
emulator_fault(fragment_index_swapped ${f32_wide} ${reference}
  "multiply_add(sums[j][i], a[i], b[j])" "multiply_add(sums[j][i], a[i ^ 1], b[j])" "")
emulator_fault(run_of_sums_misplaced ${f32_wide} ${reference}
  "(i / Cfg::kRun) * (16 * Cfg::kRun)" "(i / Cfg::kRun) * (8 * Cfg::kRun)" "")
emulator_fault(warp_position_wrong ${f32} ${reference}
  "(warp / 2) * 4 + lane / 8" "(warp / 4) * 4 + lane / 8" "")

# ---- scalars ----------------------------------------------------------------------------------
emulator_fault(beta_applied_twice ${f32} ${arithmetic}
  "if (reads_c) multiply_add(result, finish.beta, Widen<Acc, Out>::from(*c, false));"
  "if (reads_c) for (int twice = 0; twice < 2; ++twice) multiply_add(result, finish.beta, Widen<Acc, Out>::from(*c, false));"
  "")
emulator_fault(beta_zero_reads_c ${f32} ${arithmetic}
  "const bool reads_c = !is_zero(finish.beta);" "const bool reads_c = true;" "")
emulator_fault(alpha_ignored ${f32} ${arithmetic}
  "result = multiply(finish.alpha, sum);" "result = sum;" "")
emulator_fault(alpha_zero_reads_a ${f32} ${reference}
  "load_finish<Acc>(args).has_product ? args.k : 0" "args.k" "")
emulator_fault(device_half_read_as_float ${f16} ${arithmetic}
  "if (scalar.device_is_half) {" "if (scalar.device_is_half && scalar.re != 0.0) {" "allocation|aligned")
emulator_fault(conjugation_dropped ${c32} ${arithmetic}
  "conjugate ? -y : y" "y" "")
emulator_fault(imaginary_sign_wrong ${c32} ${arithmetic}
  "multiply_add(sum.x, -a.y, b.y);" "multiply_add(sum.x, a.y, b.y);" "")

# ---- a ring of asynchronous copies ------------------------------------------------------------

set(simt kernels/simt/sgemm_cp_async.cuh)
set(sgemm sgemm_cp_async_64x64x16)
emulator_fault(ring_wait_one_stage_short ${sgemm} ${simt}
  "ptx::cp_async_wait<kStages - 2>();\n        //" "ptx::cp_async_wait<kStages - 1>();\n        //"
  "may still write")
emulator_fault(ring_first_wait_removed ${sgemm} ${simt}
  "  ptx::cp_async_wait<kStages - 2>();\n  __syncthreads" "  __syncthreads" "may still write")
emulator_fault(ring_barrier_removed ${sgemm} ${simt}
  "__syncthreads();\n        stage = smem" "stage = smem" "no barrier in between|may still write")
emulator_fault(ring_last_barrier_removed ${sgemm} ${simt}
  "  ptx::cp_async_wait<0>();\n  __syncthreads();" "  ptx::cp_async_wait<0>();"
  "no barrier in between|may still write")
emulator_fault(ring_commit_dropped ${sgemm} ${simt}
  "ptx::cp_async_commit();\n#pragma unroll" "\n#pragma unroll" "may still write")
emulator_fault(ring_copies_over_the_stage_in_use ${sgemm} ${simt}
  "writing * kStageBytes + kOffsetB" "reading * kStageBytes + kOffsetB" "no barrier|may still write")
emulator_fault(ring_wraps_one_late ${sgemm} ${simt}
  "reading + 1 == kStages ? 0" "reading == kStages ? 0" "")
emulator_fault(ring_one_tile_too_many ${sgemm} ${simt}
  "started < k_tiles" "started <= k_tiles" "allocation")
emulator_fault(ring_rows_not_checked ${sgemm} ${simt}
  "valid_rows > 0 ? 16 : 0" "16" "")
emulator_fault(ring_k_tail_not_zeroed ${sgemm} ${simt}
  " + k < valid_k;\n      const" " + k <= valid_k;\n      const" "")
emulator_fault(ring_rows_not_checked_when_transposing ${sgemm} ${simt}
  "row < valid_rows && (kWhole" "(kWhole" "")
emulator_fault(ring_alignment_of_columns_not_checked ${sgemm} ${simt}
  "((reinterpret_cast<uintptr_t>(base) | (operand.ld * sizeof(float))) & 15)"
  "(reinterpret_cast<uintptr_t>(base) & 15)" "cp.async of 16 bytes from")
emulator_fault(ring_chunks_cut_by_the_edge ${sgemm} ${simt}
  "operand.rows % 4 == 0;" "operand.rows % 4 != 5;" "")
emulator_fault(ring_alignment_of_c_not_checked ${sgemm} ${simt}
  "((reinterpret_cast<uintptr_t>(c) | (args.ldc * sizeof(float))) & 15) == 0"
  "(reinterpret_cast<uintptr_t>(c) & 15) == 0" "not aligned")
