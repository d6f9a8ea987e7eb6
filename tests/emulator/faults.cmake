# SPDX-License-Identifier: BSD-3-Clause
# The planted faults, a line or two each:
#   emulator_fault(<name> <kernel> <file under src/> <text> <its replacement> <symptom>)
# The file is a header, or the kernel's own .cu; the text must occur exactly once there. The symptom
# is a regular expression for the emulator's words; "": a wrong result, and nothing else.

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
emulator_fault(grid_ahead_not_waited_for ${f32} kernels/reference/gemm_reference.cu
  "begin_grid(args, args.m);" "fetch_arguments(args, args.m);" "reads global memory, and has not waited for the grid ahead")

# ---- which elements ---------------------------------------------------------------------------
emulator_fault(prefetch_of_a_later_tile ${f32} ${reference}
  "staged_a, a, first_m, first_k + Cfg::kTileK" "staged_a, a, first_m, first_k + 2 * Cfg::kTileK" "")
emulator_fault(prefetch_forgotten ${f32} ${reference}
  "fetch_tile<Cfg, Cfg::kTileN>(staged_b, b, first_n, first_k + Cfg::kTileK);" "" "")
emulator_fault(row_predicate_dropped ${f32} ${reference}
  "row + step * map.row_step < view.rows && " "" "allocation|wrong")
emulator_fault(k_predicate_dropped ${f32} ${reference}
  " && k + step * map.k_step < view.k" "" "allocation")
emulator_fault(k_predicate_one_too_far ${s8} ${reference}
  "k + step * map.k_step < view.k" "k + step * map.k_step <= view.k" "allocation")
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
  "m + n * args.ldc" "m + static_cast<int>(n * args.ldc)" "allocation")

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
  "load_finish<Acc>(args).has_product ? args.k : 0" "args.k" "allocation")
emulator_fault(device_half_read_as_float ${f16} ${arithmetic}
  "if (scalar.device_is_half) {" "if (scalar.device_is_half && scalar.re != 0.0) {" "allocation|aligned")
emulator_fault(conjugation_dropped ${c32} ${arithmetic}
  "conjugate ? -y : y" "y" "")
emulator_fault(imaginary_sign_wrong ${c32} ${arithmetic}
  "multiply_add(sum.x, -a.y, b.y);" "multiply_add(sum.x, a.y, b.y);" "")

# ---- a ring of asynchronous copies ------------------------------------------------------------

set(simt kernels/simt/gemm_simt.cuh)
set(simt_store kernels/simt/simt_store.cuh)
set(simt_step kernels/simt/simt_step.cuh)
set(lane_sides kernels/simt/lane_sides.cuh)
set(simt_walk kernels/simt/simt_walk.cuh)
set(simt_loader kernels/simt/operand_loader.cuh)
set(simt_ring kernels/simt/feed_cp_async.cuh)
set(blocked_sum kernels/common/blocked_sum.cuh)
set(sgemm sgemm_cp_async_64x64x16)
emulator_fault(ring_wait_one_stage_short ${sgemm} ${simt_ring}
  "ptx::cp_async_wait<kStages - 2>()" "ptx::cp_async_wait<kStages - 1>()" "may still write")
emulator_fault(ring_first_wait_removed ${sgemm} ${simt_ring}
  "    arrived(0, true);" "" "may still write")
emulator_fault(ring_barrier_removed ${sgemm} ${simt}
  "if constexpr (!Feed::kCountsReaders) __syncthreads();" "" "no barrier in between|may still write")
emulator_fault(ring_last_barrier_removed ${sgemm} ${simt}
  "any thread's loads of them.\n  __syncthreads();" "any thread's loads of them." "no barrier in between|may still write")
emulator_fault(ring_commit_dropped ${sgemm} ${simt_ring}
  "ptx::cp_async_commit();\n#pragma unroll" "\n#pragma unroll" "may still write")
emulator_fault(ring_copies_over_the_stage_in_use ${sgemm} ${simt}
  "lda, ldb, freed, another());" "lda, ldb, reading, another());" "no barrier|may still write")
emulator_fault(ring_wraps_one_late ${sgemm} ${simt}
  "reading == kStages * Cfg" "reading == (kStages + 1) * Cfg" "not an access of shared memory")
emulator_fault(ring_one_tile_too_many ${sgemm} ${simt}
  "left > kStages - 1" "left >= kStages - 1" "allocation")
emulator_fault(ring_rows_not_checked ${sgemm} ${simt_loader}
  "row_exists = valid_rows > part * kPartRows;" "row_exists = true;" "allocation")
emulator_fault(ring_k_tail_not_zeroed ${sgemm} ${simt_loader}
  "row_exists && (kWhole || first_k + k < valid_k)" "row_exists && (kWhole || first_k + k <= valid_k)" "")
emulator_fault(ring_rows_not_checked_when_transposing ${sgemm} ${simt_loader}
  "(kInside || row < valid_rows) && (kWhole" "(kWhole" "allocation")
emulator_fault(ring_rows_not_checked_between_products ${sgemm} ${simt_loader}
  "exists && row < valid_rows);" "exists);" "allocation")
emulator_fault(ring_k_not_advanced_along_k ${sgemm} ${simt_loader}
  "i == P::kCount - 1) source += kTileK * kPlanes;" "i == P::kCount - 1) source += 0;" "")
emulator_fault(ring_rows_not_begun_anew_along_k ${sgemm} ${simt_loader}
  "if (P::kAlongK && i == 0) row_source = source;" "if (row_source == nullptr || valid_rows < 0) row_source = source;" "wrong|allocation|global")
emulator_fault(ring_pieces_beside_taken_for_one ${sgemm} ${simt_loader}
  "const int k = P::kAlongK ? beside * kLanesK : across;" "const int k = P::kAlongK ? 0 : across;" "wrong|may still write")
emulator_fault(ring_last_commit_dropped ${sgemm} ${simt_ring}
  "bool /*exists*/) {\n    ptx::cp_async_commit();" "bool /*exists*/) {" "may still write")
emulator_fault(ring_tile_taken_for_a_whole_one ${sgemm} ${simt_loader}
  "operand.rows - first_tile_row >= kRows" "operand.rows - first_tile_row >= 1" "allocation")
emulator_fault(ring_alignment_of_columns_not_checked ${sgemm} ${simt_loader}
  "((reinterpret_cast<uintptr_t>(base) | (operand.ld * sizeof(Element))) & 15)"
  "(reinterpret_cast<uintptr_t>(base) & 15)" "cp.async of 16 bytes from")
emulator_fault(ring_chunks_cut_by_the_edge ${sgemm} ${simt_loader}
  "operand.rows % kChunk == 0;" "operand.rows % kChunk != 5;" "allocation")
emulator_fault(ring_both_places_begin_alike ${sgemm} ${simt_loader}
  "part * kPartRows + i * kStepK * ld;" "part * kPartRows;" "wrong|allocation")
emulator_fault(ring_place_moves_as_if_alone ${sgemm} ${simt_loader}
  "here + kPlaces * kStepK * ld" "here + kStepK * ld" "wrong|allocation")
emulator_fault(ring_alignment_of_c_not_checked ${sgemm} ${simt_store}
  "((args.ldc | args.m) * sizeof(Element))) & 15) == 0" "(args.m * sizeof(Element))) & 15) == 0"
  "not aligned")
emulator_fault(ring_rows_of_a_run_not_checked ${sgemm} ${simt_store}
  "((args.ldc | args.m) * sizeof(Element))) & 15) == 0" "(args.ldc * sizeof(Element))) & 15) == 0"
  "allocation|changed|wrong")

emulator_fault(sums_stored_as_they_lie_in_registers ${sgemm} ${simt_store}
  "result.elements[e] = sums[piece / Walk::kOfColumn][sum];"
  "result.elements[e] = sums[piece / Walk::kOfColumn][Walk::first_sum(piece) + e];" "")
emulator_fault(sign_of_nothing_lost ${sgemm} ${simt_store}
  "? 0.0 : -0.0" "? 0.0 : 1.0" "")
emulator_fault(rows_of_pieces_not_checked ${sgemm} ${simt_store}
  "< columns_left && row < rows_left) body" "< columns_left) body" "allocation|changed|wrong")
emulator_fault(columns_of_pieces_not_checked ${sgemm} ${simt_store}
  "column_of(j) < columns_left && row < rows_left" "row < rows_left" "allocation|changed|wrong")
emulator_fault(old_c_added_as_sums_lie_in_registers ${sgemm} ${simt_store}
  "multiply_add(sums[piece / Walk::kOfColumn][sum]" "multiply_add(sums[piece / Walk::kOfColumn][Walk::first_sum(piece) + e]" "")
emulator_fault(pieces_of_c_ahead_in_one_place ${sgemm} ${simt_store}
  "old[piece % kAhead].load(from);" "old[0].load(from);" "")

emulator_fault(staged_sums_loaded_too_early ${sgemm} ${simt_store}
  "__syncwarp();  // all lanes' stores of these" "// all lanes' stores of these" "no barrier in between|nothing wrote")
emulator_fault(staged_sums_stored_over sgemm_cp_async_128x64x16 ${simt_store}
  "__syncwarp();  // all lanes' loads before any" "// all lanes' loads before any" "no barrier in between")
emulator_fault(staged_columns_not_checked ${sgemm} ${simt_store}
  "if (Stage::column_of(i) < left) store_whole(" "if (Stage::column_of(i) <= left) store_whole(" "allocation|changed|wrong")
emulator_fault(staged_rows_not_checked ${sgemm} ${simt_store}
  "row < Cfg::kWarpM && row < rows" "row < Cfg::kWarpM" "writes|reads|changed|wrong|allocation")

emulator_fault(grid_ahead_waited_for_by_one_warp ${sgemm} kernels/simt/simt_cp_async.cuh
  "begin_grid(args, args.m);" "if (threadIdx.x < 32) begin_grid(args, args.m);"
  "global memory, and has not waited for the grid ahead")

# ---- sums closed every so many k-tiles --------------------------------------------------------

emulator_fault(totals_not_added ${sgemm} ${simt}
  "if constexpr (Cfg::kSlices == 1) totals.add_to(reinterpret_cast<float*>(sums));" "" "")
emulator_fault(sums_not_cleared_at_a_close ${sgemm} ${blocked_sum}
  "sums[first + i] = 0.0F;" "" "")
emulator_fault(chunk_one_tile_too_long ${sgemm} ${simt}
  "left > totals.tiles_behind_chunk()" "left + 1 > totals.tiles_behind_chunk()" "allocation")
emulator_fault(shared_sums_not_cleared_at_a_close sgemm_closed_128x128x8 ${blocked_sum}
  "        sum = 0.0F;" "" "")
emulator_fault(shared_totals_overwritten_at_a_close sgemm_closed_128x128x8 ${blocked_sum}
  "totals[i] += sum;" "totals[i] = sum;" "")
emulator_fault(shared_totals_taken_before_the_first_close sgemm_closed_128x128x8 ${blocked_sum}
  "if (are_there) load(totals, mine, first);" "load(totals, mine, first);" "")
emulator_fault(shared_totals_of_neighbours sgemm_closed_128x128x8 ${blocked_sum}
  "thread * kRunBytes" "thread / 2 * kRunBytes" "no barrier in between")
emulator_fault(totals_overwritten_at_a_close ${sgemm} ${blocked_sum}
  "= batch[i] + sums[first + i];" "= sums[first + i];" "")
emulator_fault(half_of_k_not_added sgemm_tma_128x64x32 ${blocked_sum}
  "sums[first + i] += batch[i];\n    }\n  }\n\n private:\n  static constexpr int kBatch = 32;" "sums[first + i] += 0.0F * batch[i];\n    }\n  }\n\n private:\n  static constexpr int kBatch = 32;" "")
emulator_fault(half_of_k_not_cleared sgemm_tma_128x64x32 ${blocked_sum}
  "half_[i] = sums[i];\n      sums[i] = 0.0F;" "half_[i] = sums[i];" "")
emulator_fault(half_of_k_left_without_a_close sgemm_tma_128x64x32 ${blocked_sum}
  "    is_there_ = true;\n  }\n\n  __device__ __forceinline__ void add_to(float* sums) const {\n    if (!is_there_) return;" "  }\n\n  __device__ __forceinline__ void add_to(float* sums) const {\n    if (!is_there_) return;" "")
emulator_fault(reference_totals_not_added ${f32} ${reference}
  "  blocks.add_to(sums);" "" "")

# ---- complex, in planes and by TMA ---------------------------------------------------------------

set(cgemm cgemm_cp_async_32x32x16)
emulator_fault(conjugation_of_one_operand_forgotten ${cgemm} ${simt_loader}
  "(part ^ (operand.conjugate ? 1 : 0))" "part" "")
emulator_fault(conjugation_of_both_taken_as_of_one ${cgemm} ${simt}
  "exchanges = conjugates_a != conjugates_b" "exchanges = conjugates_a || conjugates_b" "")
emulator_fault(conjugation_of_both_left_with_its_sign ${cgemm} ${simt}
  "sign_real = conjugates_a && conjugates_b" "sign_real = conjugates_a && !conjugates_a" "")
emulator_fault(conjugation_not_turned_back ${cgemm} ${simt}
  "sign_imaginary = conjugates_a || conjugates_b" "sign_imaginary = conjugates_a && conjugates_b" "")
emulator_fault(products_of_parts_mixed_up ${cgemm} ${simt_step}
  "multiply_add(real, -imaginary_a[i], b);" "multiply_add(real, imaginary_a[i], b);" "")
emulator_fault(planes_of_rows_too_near ${cgemm} ${simt_loader}
  "* (kPlane * sizeof(Element));" "* ((kPlane - 16) * sizeof(Element));" "")
emulator_fault(planes_along_k_copied_from_the_real_parts ${cgemm} ${simt_loader}
  "if (!operand.rows_contiguous) source += part;" "" "")
emulator_fault(planes_of_rows_not_shared_by_parts cgemm_cp_async_128x64x8 ${simt_loader}
  "const int row_of_plane = P::kAlongK ? row : row / kPlanes;" "const int row_of_plane = row;"
  "wrong|nothing wrote|may still write|outside")
set(cgemm_tma cgemm_tma_32x32x32)
emulator_fault(conjugation_by_tma_forgotten ${cgemm_tma} ${simt}
  "sign_b = conjugates_b ? -1.0F : 1.0F" "sign_b = 1.0F" "")
emulator_fault(products_by_tma_mixed_up ${cgemm_tma} ${simt}
  "sign_b * imaginary_b[real_a] + sign_a" "sign_a * imaginary_b[real_a] + sign_b" "")

# ---- slices of k within a block -----------------------------------------------------------------

set(sgemm_sliced sgemm_tma_sliced_128x64x32)
emulator_fault(slices_read_the_same_k ${sgemm_sliced} ${simt}
  "thread / Cfg::kSliceThreads * Cfg::kSliceK" "0" "")
emulator_fault(slices_added_too_early sgemm_closed_sliced_64x32x32 ${simt}
  "any thread's loads of them.\n  __syncthreads();" "any thread's loads of them." "no barrier in between|nothing wrote")
emulator_fault(slices_add_the_same_columns ${sgemm_sliced} ${simt}
  "Columns::number_of(j) + slice * Columns::kOfRun" "Columns::number_of(j)" "")
emulator_fault(slices_store_the_same_columns ${sgemm_sliced} ${lane_sides}
  "(lane_n, slice * kOfRun)" "(lane_n, 0)" "")
emulator_fault(slices_ask_for_half_of_a_k_tile sgemm_closed_sliced_64x32x32 ${simt_ring}
  "(Cfg::kSliceK / kTimes) != kk" "(Cfg::kTileK / kTimes) != kk" "")
emulator_fault(slices_of_columns_between_taken_as_runs sgemm_tma_nn_sliced_96x64x32 ${simt_store}
  "(Cfg::kSlices * Cfg::kLanesN) + i" "Cfg::kLanesN + i" "")
emulator_fault(staged_ring_left_too_early ${sgemm_sliced} ${simt_store}
  "__syncthreads();  // all warps' accesses to the ring" "// all warps' accesses to the ring" "no barrier in between|may still write")

# ---- through registers ------------------------------------------------------------------------

set(simt_registers kernels/simt/feed_registers.cuh)
set(sgemm_sm75 sgemm_registers_64x64x16)
emulator_fault(registers_loaded_where_nothing_exists ${sgemm_sm75} ${simt_registers}
  "if (exists) {" "if (exists || ld < 0 || ld > 0) {" "allocation")
emulator_fault(registers_put_into_the_stage_in_use ${sgemm_sm75} ${simt}
  "feed.arrived(reading, left != 0 || goes_on);" "feed.arrived(freed, left != 0);" "no barrier|nothing wrote")
emulator_fault(registers_fetched_one_tile_too_many ${sgemm_sm75} ${simt}
  "left > kStages - 1" "left >= kStages - 1" "allocation")

# ---- a ring that goes on from tile to tile ------------------------------------------------------

set(sgemm_batch sgemm_batch_32x32x32)
set(simt_batch kernels/simt/sgemm_batch.cuh)
emulator_fault(batch_barrier_removed ${sgemm_batch} ${simt_batch}
  "__syncthreads();\n        feed.bring(freed);" "feed.bring(freed);" "no barrier in between|may still write")
emulator_fault(batch_wait_removed ${sgemm_batch} ${simt_batch}
  "ptx::cp_async_wait<Cfg::kStages - 2>();" "" "may still write")
emulator_fault(batch_copies_over_the_stage_in_use ${sgemm_batch} ${simt_batch}
  "feed.bring(freed);" "feed.bring(reading);" "no barrier|may still write")
emulator_fault(batch_groups_not_counted_at_the_end ${sgemm_batch} ${simt_batch}
  "    }\n    ptx::cp_async_commit();" "      ptx::cp_async_commit();\n    }" "may still write")
emulator_fault(batch_tile_ahead_not_left ${sgemm_batch} ${simt_batch}
  "        walk_.advance();\n" "" "")
emulator_fault(batch_walk_goes_past_the_tiles ${sgemm_batch} kernels/common/tile_walk.cuh
  "      tile_ -= tiles_;\n" "" "")
emulator_fault(batch_first_k_taken_as_whole ${sgemm_batch} ${simt_batch}
  "left_ == shape_.k_tiles ? shape_.first_k : Cfg::kTileK" "Cfg::kTileK" "allocation")
emulator_fault(batch_rows_of_chunks_not_checked ${sgemm_batch} ${simt_batch}
  "exists && row < pieces_.valid_rows ? 16 : 0" "exists ? 16 : 0" "allocation")
emulator_fault(batch_swizzle_of_later_rows_forgotten sgemm_batch_64x64x32 ${simt_batch}
  " ^ swizzled_k(behind, 0)" "" "")
emulator_fault(batch_tile_stored_over_what_is_read ${sgemm_batch} ${simt_batch}
  "__syncthreads();  // all threads' loads from the stage" "// all threads' loads from the stage" "no barrier in between")
emulator_fault(batch_tile_loaded_too_early ${sgemm_batch} ${simt_batch}
  "__syncthreads();  // all threads' stores of the tile" "// all threads' stores of the tile" "no barrier in between|nothing wrote")
emulator_fault(batch_tile_in_the_stage_on_its_way ${sgemm_batch} ${simt_batch}
  "smem + freed, walk" "smem + reading, walk" "may still write|no barrier|copy")
emulator_fault(batch_columns_not_checked ${sgemm_batch} ${simt_batch}
  "if (at < cols) c[my_row" "if (at <= cols) c[my_row" "allocation")

# ---- many tiny products, a warp each --------------------------------------------------------------
set(warp gemm_warp_f32_f32_8x8x8)
set(warp_of_few gemm_warp_bf16_bf16_16x16x16)
set(simt_warp kernels/simt/gemm_warp.cuh)
emulator_fault(warp_barrier_after_stores_removed ${warp} ${simt_warp}
  "__syncwarp();  // all lanes' stores" "// all lanes' stores" "no barrier in between|nothing wrote")
emulator_fault(warp_barrier_after_loads_removed ${warp} ${simt_warp}
  "__syncwarp();  // all lanes' loads" "// all lanes' loads" "no barrier in between")
emulator_fault(warp_shares_the_memory_of_another ${warp} ${simt_warp}
  "(of_warps)[warp];" "(of_warps)[warp / 2];" "no barrier in between")
emulator_fault(warp_tiles_of_the_first_alone ${warp} ${simt_warp}
  "blockIdx.x + warp * gridDim.x, Cfg::kWarps * gridDim.x" "blockIdx.x, Cfg::kWarps * gridDim.x" "")
emulator_fault(warp_row_predicate_dropped ${warp_of_few} ${simt_warp}
  "at < (rows_inside ? rows : k) ? columns : 0" "columns" "allocation|wrong")
emulator_fault(warp_column_predicate_one_too_far ${warp} ${simt_warp}
  "at_column + i * Cfg::kLoadStep < end" "at_column + i * Cfg::kLoadStep <= end" "allocation")
emulator_fault(warp_m_store_predicate_dropped ${warp_of_few} ${simt_warp}
  "m + i * Cfg::kLanesM < rows && n + j < cols" "n + j < cols" "writes|reads|changed|wrong")
emulator_fault(warp_n_store_predicate_dropped ${warp} ${simt_warp}
  "m + i * Cfg::kLanesM < rows && n + j < cols" "m + i * Cfg::kLanesM < rows" "allocation|writes|changed|wrong")
emulator_fault(warp_k_cut_off ${warp_of_few} ${simt_warp}
  "if (first >= valid_k) break;" "if (first + kStep > valid_k) break;" "")
emulator_fault(warp_first_row_of_c_forgotten ${warp} ${simt_warp}
  "walk.tile() - tile_n * tiles_m" "walk.tile() - tile_n * tiles_m - (tile_n > 0)" "")
emulator_fault(warp_sums_not_cleared_at_a_close ${warp} ${simt_warp}
  "floats[i] = 0.0F;" "" "")
emulator_fault(warp_closed_sums_forgotten ${warp_of_few} ${simt_warp}
  "if (product_k > chunk_tiles * kTile) closed.add_to(sums);" "" "")
emulator_fault(warp_beta_dropped ${warp} ${simt_warp}
  "finish.has_product && is_zero(finish.beta)" "finish.has_product" "")

# ---- small products on tensor cores, a warp each ---------------------------------------------------
set(mma_warp kernels/common/mma_warp.cuh)
set(mma_warp_loader kernels/common/mma_warp_loader.cuh)
set(warp_by_words ampere_warp_bf16_any_32x32x32)
set(warp_by_chunks ampere_warp_f16_by4_32x32x32)
emulator_fault(mma_warp_results_loaded_too_early ${warp_by_words} ${mma_warp}
  "__syncwarp();  // all lanes' stores of results" "// all lanes' stores of results" "no barrier in between|nothing wrote")
emulator_fault(mma_warp_tiles_of_neighbours_left_out ${warp_by_chunks} ${mma_warp}
  "enough ? blockIdx.x * kMmaWarpsOfBlock + warp" "enough ? blockIdx.x + warp" "")
emulator_fault(mma_warp_shares_the_memory_of_another ${warp_by_words} ${mma_warp}
  "threadIdx.x / 32 * kMmaWarpStageBytes" "threadIdx.x / 64 * kMmaWarpStageBytes" "no barrier in between|nothing wrote")
emulator_fault(mma_warp_k_tail_not_cut ${warp_by_words} ${mma_warp_loader}
  "valid_k < Cfg::kTileK && valid_k % 4 != 0" "valid_k < 0" "")
emulator_fault(mma_warp_second_step_forgotten ${warp_by_chunks} ${mma_warp}
  "if (valid_k > Cfg::Mma::kK)" "if (valid_k > 2 * Cfg::Mma::kK)" "")
emulator_fault(mma_warp_rows_not_checked ${warp_by_chunks} ${mma_warp_loader}
  "line < rows_left_ && step * kStepK < k_left" "step * kStepK < k_left" "allocation")
emulator_fault(mma_warp_k_not_checked ${warp_by_chunks} ${mma_warp_loader}
  "step * kStepK + line < k_left" "step * kStepK < k_left" "allocation|wrong")
emulator_fault(mma_warp_end_of_memory_passed ${warp_by_words} ${mma_warp_loader}
  "if (end_ != nullptr && (is_last || is_narrow()))" "if (end_ != nullptr && rows_left_ > 99)" "allocation")
emulator_fault(mma_warp_narrow_lines_not_known ${warp_by_words} ${mma_warp_loader}
  "return line_bytes_ < 8 * kBytes;" "return false;" "allocation")
emulator_fault(mma_warp_small_matrices_not_known ${warp_by_words} ${mma_warp}
  "(stride > -8 && stride < 8)" "false" "allocation")
emulator_fault(mma_warp_half_a_word_dropped ${warp_by_words} ${mma_warp_loader}
  "if (left == 4 * w + 2)" "if (left == 99)" "")
emulator_fault(mma_warp_shift_dropped ${warp_by_words} ${mma_warp_loader}
  "words_[s][i], (place & 2) * 8" "words_[s][i], 0" "")
emulator_fault(mma_warp_columns_not_checked ${warp_by_chunks} ${mma_warp}
  "if (row < rows && column < columns)" "if (row < rows)" "allocation|writes|changed|wrong")

# ---- by TMA, on CUDA cores --------------------------------------------------------------------

set(simt_tma kernels/simt/feed_tma.cuh)
set(sgemm_tma sgemm_tma_128x128x32)
emulator_fault(simt_tma_phase_not_waited_for ${sgemm_tma} ${simt_tma}
  "if (exists && is_there_ == 0) ptx::" "if (exists && stage == 0) ptx::" "may still write|nothing wrote|copy")
emulator_fault(simt_tma_parity_kept ${sgemm_tma} ${simt_tma}
  "if (stage == 0) full_parity_ ^= 1;" "full_parity_ = 0;" "may still write|never completes|no barrier in between")
emulator_fault(simt_tma_readers_not_waited_for ${sgemm_tma} ${simt_tma}
  "ptx::mbarrier_wait(barrier_of(stage) + kEmpty, full_parity_ ^ (stage < kLastStage ? 0 : 1));" "" "no barrier|may still write|copy")
emulator_fault(simt_tma_turn_of_the_ring_forgotten ${sgemm_tma} ${simt_tma}
  "(stage < kLastStage ? 0 : 1)" "0" "never completes")
emulator_fault(simt_tma_left_too_early ${sgemm_tma} ${simt}
  "          products.multiply("
  "          if (at == 0 && kk == 0) Feed(feed).leave(reading, freed, false, 0);\n          products.multiply(" "no barrier in between|never completes")
emulator_fault(simt_tma_pass_not_advanced ${sgemm_tma} ${lane_sides}
  "at += Cfg::kPassK * kLd;" "at += 0 * kLd;" "")
emulator_fault(simt_tma_one_pass_short ${sgemm_tma} ${simt}
  "at == Cfg::kSliceK;" "at == Cfg::kSliceK - kPassK;" "")
emulator_fault(simt_tma_one_warp_not_counted ${sgemm_tma} ${simt_tma}
  "kEmpty, kWarps)" "kEmpty, kWarps - 1)" "no barrier in between")
emulator_fault(simt_tma_k_not_advanced ${sgemm_tma} ${simt_tma}
  "    next_k_ += Cfg::kTileK;\n" "" "")
emulator_fault(simt_tma_barriers_unknown ${sgemm_tma} ${simt_tma}
  "    __syncthreads();  // the barriers are made before any thread waits for one\n" "" "no barrier in between|no mbarrier was")
emulator_fault(simt_tma_matrices_of_the_batch_alike ${sgemm_tma} ${simt_tma}
  "(maps.operand_bits & kMovesInBatch << kBitsOfA) != 0)" "false)" "")

# ---- by TMA, in blocks that stay ----------------------------------------------------------------

set(sgemm_batch_tma sgemm_batch_tma_32x32x16)
set(simt_batch_tma kernels/simt/simt_batch_tma.cuh)
emulator_fault(walk_first_k_tile_not_waited_for ${sgemm_batch_tma} ${simt}
  "feed.arrived(reading, left != 0 || goes_on);" "feed.arrived(reading, left != 0);" "may still write|nothing wrote|copy|no barrier")
emulator_fault(walk_k_tiles_of_the_tile_before ${sgemm_batch_tma} ${simt_batch_tma}
  "    walk_.advance();\n    aim_at_tile();\n" "    walk_.advance();\n" "")
emulator_fault(walk_starts_k_anew_too_late ${sgemm_batch_tma} ${simt_batch_tma}
  "if (next_k_ < k_) return;" "if (next_k_ <= k_) return;" "may still write")
emulator_fault(walk_asks_past_the_last_tile ${sgemm_batch_tma} ${simt_batch_tma}
  "return walk_.batch() < static_cast" "return walk_.batch() <= static_cast" "ends with|no barrier in between|may still write")
emulator_fault(walk_column_of_tiles_passed_over ${sgemm_batch_tma} kernels/common/tile_walk.cuh
  "      m_ -= tiles_m_;\n      ++n_;" "      m_ -= tiles_m_;\n      n_ += 2;" "")
set(sgemm_batch_p sgemm_batch_tma_pointers_32x32x32)
emulator_fault(walk_pointers_all_taken_for_aligned ${sgemm_batch_p} ${simt_batch_tma}
  "if (k != 0 && !all_are_mapped<Cfg>(gemm, tiles)) {" "if (false) {" "")
emulator_fault(walk_pointers_of_the_first_matrix ${sgemm_batch_p} ${simt_batch_tma}
  "const*>(operand.base)[batch], operand.base)" "const*>(operand.base)[0], operand.base)" "")
emulator_fault(walk_unmapped_tiles_in_bands ${sgemm_batch_p} ${simt_batch_tma}
  "sgemm_batch_in<UnmappedConfig<Unmapped>, true>(smem, gemm);" "sgemm_batch_in<UnmappedConfig<Unmapped>, false>(smem, gemm);" "")
emulator_fault(walk_c_staged_in_the_ring ${sgemm_batch_tma} ${simt_batch_tma}
  "store_tile<Cfg, true>" "store_tile<Cfg, false>" "no barrier|may still write|copy")

# ---- k contiguous, on CUDA cores --------------------------------------------------------------

set(sgemm_nn sgemm_tma_nn_sliced_96x64x32)
set(sgemm_tn sgemm_tma_tn_64x64x32)
emulator_fault(chunks_taken_as_not_swizzled ${sgemm_nn} ${lane_sides}
  "(first_k / kChunkK ^ TmaSwizzle::of_line(line)) * 16" "first_k / kChunkK * 16" "")
emulator_fault(chunks_of_later_rows_taken_as_not_swizzled ${sgemm_tn} ${lane_sides}
  "k / kChunkK ^ TmaSwizzle::of_line(i * kLanes)" "k / kChunkK" "")
emulator_fault(chunks_stored_as_runs ${sgemm_tn} ${lane_sides}
  "kAlongK ? 1 : Cfg::kRun;" "kAlongK ? 4 : Cfg::kRun;" "")
emulator_fault(chunks_left_too_early ${sgemm_nn} ${simt}
  "feed.ask(freed, another());" "feed.ask(freed, another()), Feed(feed).release(reading);" "no barrier in between|never completes|may still write")
emulator_fault(chunks_never_left ${sgemm_nn} ${simt}
  "if (ends) feed.release(stage);" "" "never completes")
emulator_fault(chunks_left_for_the_next_stage ${sgemm_tn} ${simt}
  "if (ends) feed.release(stage);" "if (ends) feed.release(reading);" "no barrier in between|never completes")
emulator_fault(chunks_asked_for_in_the_stage_in_work ${sgemm_tn} ${simt_tma}
  "barrier_of(stage == kLastStage ? 0 : stage + Cfg::kStageElements)" "barrier_of(stage)"
  "may still write|nothing wrote|copy|no barrier")
emulator_fault(chunks_asked_for_in_the_phase_before ${sgemm_nn} ${simt_tma}
  "(stage == kLastStage ? 1 : 0)" "(stage == kLastStage ? 0 : 1)" "may still write|nothing wrote|copy|no barrier")
emulator_fault(chunk_step_reads_the_next_stage ${sgemm_nn} ${simt_step}
  "here.a.load(rows[(k + 1) % 2], kk + k + 1);" "next.a.load(rows[(k + 1) % 2], kk + k + 1);" "")
emulator_fault(chunk_step_reads_this_stage_again ${sgemm_tn} ${simt_step}
  "next.b.load(columns[later % kColumns]" "here.b.load(columns[later % kColumns]" "")
emulator_fault(chunk_step_keeps_its_rows ${sgemm_tn} ${simt_step}
  "const auto& these = rows[kk / kStepK % 2];" "const auto& these = rows[0];" "")

# ---- k in parts -------------------------------------------------------------------------------

set(split_k kernels/common/split_k.cuh)
emulator_fault(part_sums_all_of_k ${sgemm} ${simt_walk}
  "kTileK, args.split.parts, part)" "kTileK, 1, 0)" "")
emulator_fault(parts_share_a_slot ${sgemm} ${simt_walk}
  "batch * tiles + *tile, part));" "batch * tiles + *tile, 0 * part));" "")
emulator_fault(slots_of_a_batch_shared ${sgemm} ${simt_walk}
  "batch * tiles + *tile, part));" "*tile, part));" "")
emulator_fault(every_part_stores ${sgemm} ${simt}
  "if (is_whole) {" "{" "")
emulator_fault(k_of_a_part_from_the_first_k ${sgemm} ${simt}
  "first_m, first_n, range.first);" "first_m, first_n, 0 * range.first);" "")
emulator_fault(arrivals_not_reset ${sgemm} ${split_k}
  "if (last) *arrivals = 0;" "if (false) *arrivals = 0;" "")

# ---- TMA and wgmma ----------------------------------------------------------------------------

set(hopper kernels/hopper/hgemm_wgmma.cuh)
set(hopper_config kernels/hopper/hgemm_config.cuh)
set(hopper_ring kernels/hopper/hgemm_ring.cuh)
set(hopper_copies kernels/hopper/chunk_copies.cuh)
set(loader kernels/common/tma_loader.cuh)
set(hopper_store kernels/hopper/store_tile.cuh)
set(hopper_layout kernels/hopper/chunk_layout.cuh)
set(hgemm hgemm_wgmma_bf16_bf16_64x64x64)
set(hgemm_pair hgemm_wgmma_bf16_bf16_pair_128x256x64)
set(hgemm_turns hgemm_wgmma_bf16_bf16_pingpong_pair_192x128x64)
set(wgmma_tf32 gemm_wgmma_tf32_f32_64x32x32)
set(wgmma_rs gemm_wgmma_tf32_f32_rs_nn_64x32x32)
set(wgmma_s8 gemm_wgmma_s8_s32_64x16x128)
emulator_fault(hopper_grid_ahead_not_waited_for ${hgemm} ${hopper}
  "  follow_previous_grid();\n" "" "has not waited for the grid ahead")
emulator_fault(hopper_full_wait_removed ${hgemm} ${hopper}
  "if (is_full == 0) ptx::mbarrier_wait(full, parity);" ""
  "may still write|nothing wrote|no barrier in between")
emulator_fault(hopper_full_asked_of_the_round_before ${hgemm} ${hopper}
  "ptx::mbarrier_try_wait(full, parity) ? 1 : 0;\n  }" "ptx::mbarrier_try_wait(full, parity ^ 1) ? 1 : 0;\n  }"
  "may still write|nothing wrote|no barrier in between|one arrival more")
emulator_fault(hopper_empty_wait_removed ${hgemm} ${loader}
  "ptx::mbarrier_wait(ring.empty(at.stage), at.parity ^ 1);\n      ptx::mbarrier_arrive_expect_tx" "ptx::mbarrier_arrive_expect_tx"
  "one arrival more|may still write|no barrier")
emulator_fault(hopper_stage_released_too_early ${hgemm} ${hopper}
  "ptx::wgmma_wait<1>();" "ptx::wgmma_wait<2>();" "no barrier in between|may still read")
emulator_fault(hopper_last_wait_one_short ${hgemm} ${hopper}
  "ptx::wgmma_wait<0>();" "ptx::wgmma_wait<1>();" "not over")
emulator_fault(hopper_bytes_of_one_operand ${hgemm} ${loader}
  "+ (brings_b ? b.bytes() : 0);" ";" "no barrier in between|may still write")
emulator_fault(hopper_bytes_of_what_lies_outside ${hgemm_pair} ${loader}
  "(brings_a ? a.bytes() : 0)" "a.bytes()" "nobody can go on|never completes|missing")
emulator_fault(hopper_stages_kept_outside ${hgemm_pair} ${hopper}
  "128);\n    ring.release(ring.empty(at->stage));" "128);" "nobody can go on|never completes|missing")
emulator_fault(hopper_nothing_shared_from_outside ${hgemm_pair} ${loader}
  "LoaderB::kIsShared || tile.exists" "tile.exists" "nobody can go on|never completes|missing")
emulator_fault(hopper_whole_boxes_at_the_edge ${hgemm} ${loader}
  "kAtEdge && over_edge ? edge_map : map;" "map;" "may still write|never completes")
emulator_fault(hopper_blocks_outside_are_brought hgemm_wgmma_bf16_bf16_128x128x64 ${loader}
  "if (kAtEdge && block >= blocks()) break;" "" "may still write|never completes")
emulator_fault(hopper_edge_of_the_other_operand ${hgemm} ${loader}
  "b.reaches_edge(tile.first_n);" "b.reaches_edge(tile.first_m);" "")
emulator_fault(hopper_parts_at_the_edge_of_whole_tiles ${hgemm_pair} ${loader}
  "load(to + part * rows() * kTmaRowBytes, k, first + part * rows()," "load(to + part * (kSize / kSharers) * kTmaRowBytes, k, first + part * rows()," "")
emulator_fault(hopper_boxes_of_a_piece_over_each_other hgemm_wgmma_bf16_bf16_128x128x64 ${hopper_layout}
  "ptx::stmatrix_x4(row + box * kBoxBytes, packed);" "ptx::stmatrix_x4(row, packed);" "")
emulator_fault(hopper_boxes_stored_from_the_first hgemm_wgmma_bf16_bf16_128x128x64 ${hopper_copies}
  "first += kBoxM;" "" "wrong")
emulator_fault(hopper_step_of_k_wrong ${hgemm} ${hopper}
  "16 * kTmaRowBytes : kWgmmaBytes" "8 * kTmaRowBytes : kWgmmaBytes" "wrong")
emulator_fault(hopper_tile_of_16_bits_for_32 ${wgmma_tf32} ${loader}
  "tile.first_k + i * Cfg::kTileK;" "tile.first_k + i * kTmaTileK;" "wrong")
emulator_fault(hopper_registers_of_rows_reused_too_early ${wgmma_rs} ${hopper}
  "ptx::wgmma_wait<Cfg::kSteps - 1>();" "ptx::wgmma_wait<Cfg::kSteps>();" "registers were written|may still read|no barrier in between")
emulator_fault(hopper_loaded_rows_released_by_a_lane_alone ${wgmma_rs} ${hopper}
  "__syncwarp();  // all lanes' loads" "// all lanes' loads" "no barrier in between")
emulator_fault(hopper_loaded_rows_released_by_a_warp_for_all ${wgmma_rs} ${hopper_config}
  "kShape.loads_rows ? 4 : 1;" "1;" "no barrier in between")
emulator_fault(hopper_sums_over_rows_that_warps_load ${wgmma_rs} ${hopper}
  "parts > 1) group.any(false);" "parts > 1) {}" "no barrier in between")
emulator_fault(hopper_sums_of_loaded_rows_stored_as_plain ${wgmma_rs} ${hopper_layout}
  "kShape.loads_rows ? rows_in_registers(thread)" "kShape.loads_rows ? plain_rows(thread)" "")
emulator_fault(hopper_loaded_rows_not_swizzled ${wgmma_rs} kernels/hopper/rows_in_registers.cuh
  "first % kBlock / 4 ^ k;" "first % kBlock / 4;" "")
emulator_fault(hopper_parts_of_16_bits_for_8 ${wgmma_s8} ${hopper_config}
  "TileOrder<kShape, kTileK>" "TileOrder<kShape>" "wrong")
emulator_fault(hopper_turn_not_waited_for ${hgemm_turns} ${hopper}
  "ptx::mbarrier_wait(ring.turn(consumer), (turns / 2 - 1) & 1);" "" "may still write|may still read|no barrier|nothing wrote|one arrival more|never completes")
emulator_fault(hopper_turn_passed_on_by_half_of_the_warps ${hgemm_turns} ${hopper}
  "if (threadIdx.x % 32 == 0) ptx" "if (threadIdx.x % 64 == 0) ptx" "never completes|nobody can go on")
emulator_fault(hopper_stages_of_the_other_not_passed_over ${hgemm_turns} ${hopper}
  "at.advance(tile.k_tiles);" "" "may still write|no barrier|never completes|nobody can go on|one arrival more|wrong")
# fp32 in bf16 terms.
set(terms sgemm_wgmma_terms_128x64x16)
set(term_products kernels/hopper/term_products.cuh)
emulator_fault(terms_full_wait_removed ${terms} ${term_products}
  "ptx::mbarrier_wait(ring.full(at->stage), at->parity);" "" "may still|nothing wrote|no barrier in between")
emulator_fault(terms_stages_released_too_early ${terms} ${term_products}
  "ptx::wgmma_wait<0>();" "ptx::wgmma_wait<1>();" "not over|may still read|no barrier")
emulator_fault(terms_of_the_first_k_tile_alone ${terms} ${term_products}
  "const uint32_t low = lows[tile];" "const uint32_t low = lows[0];" "wrong")
emulator_fault(terms_of_the_last_sum_alone ${terms} ${term_products}
  "sums[0][j] += products" "sums[0][j] = products" "wrong")
emulator_fault(terms_last_k_tile_of_an_odd_number_left_out ${terms} ${term_products}
  "left > 0; --left" "left > 1; --left" "wrong|may still|never completes|nobody can go on|on their way")
emulator_fault(terms_added_to_the_sum_before ${terms} ${term_products}
  "tile + pair != 0" "true" "wrong")
emulator_fault(terms_first_times_second ${terms} ${term_products}
  "{kFirstTerm, kFirstTerm}" "{kFirstTerm, kSecondTerm}" "wrong")
emulator_fault(terms_turn_passed_to_oneself ${terms} ${term_products}
  "ring.turn(next)" "ring.turn(consumer)" "never completes|nobody can go on")
# C that is added to, by way of the ring.
set(added kernels/hopper/added_tile.cuh)
emulator_fault(hopper_tile_of_c_not_waited_for ${hgemm} ${added}
  "ptx::mbarrier_wait(ring.full(at->stage), at->parity);" "" "nothing wrote|no barrier|may still|wrong")
emulator_fault(hopper_tile_of_c_over_a_stage_in_use ${hgemm} ${added}
  "ptx::mbarrier_wait(ring.empty(at.stage), at.parity ^ 1);" "" "may still|no barrier|one arrival more|wrong")
emulator_fault(hopper_tile_of_c_released_by_a_warp_for_all ${hgemm} ${added}
  "ptx::named_barrier_sync(barrier + zero, 128);" "__syncwarp();" "may still|no barrier|wrong")
emulator_fault(hopper_tile_of_c_not_released ${hgemm} ${added}
  "ring.release(ring.empty(release.stage + zero));" "" "nobody can go on|never completes")
emulator_fault(hopper_bytes_of_c_not_told ${hgemm} ${added}
  "bytes += kBoxBytes;" "" "may still|no barrier|never completes|missing|nobody can go on|wrong")
emulator_fault(hopper_boxes_of_c_of_the_first_consumer ${hgemm_pair} ${added}
  "kConsumers + consumer) *" "kConsumers + 0 * consumer) *" "")
emulator_fault(hopper_stages_of_c_kept_outside ${hgemm_pair} ${hopper}
  "pass_over_tile<Cfg>(ring, consumer, stages_of(tile), &at);" "pass_over_tile<Cfg>(ring, consumer, tile.k_tiles, &at);"
  "nobody can go on|never completes|missing|may still|no barrier|wrong")
emulator_fault(hopper_release_stays_in_the_block ${hgemm_pair} ${hopper_ring}
  "ptx::mbarrier_arrive_remote(empty, unit + thread);"
  "ptx::mbarrier_arrive_remote(empty, ptx::cluster_rank());" "may still write|no barrier|one arrival more")
emulator_fault(hopper_block_leaves_its_pair ${hgemm_pair} ${hopper}
  "for (int i = 0; i < Cfg::kStages; ++i) {\n      ptx::mbarrier_wait" "for (int i = 0; i < 0; ++i) {\n      ptx::mbarrier_wait" "has ended")
emulator_fault(hopper_cluster_not_waited_for ${hgemm_pair} ${hopper}
  "if constexpr (Cfg::kShape.cluster() > 1) ptx::cluster_wait();" "" "not known here|no mbarrier was initialised")
emulator_fault(hopper_shared_operand_loaded_by_two_of_four hgemm_wgmma_bf16_bf16_quad_64x64x64
  kernels/common/tma_loader.cuh "(1u << kSharers) - 1" "3u" "nobody can go on|never completes|outside|missing")
# Fours two to a cluster.
set(hgemm_quad hgemm_wgmma_bf16_bf16_quad_64x32x64)
emulator_fault(hopper_release_goes_to_the_first_four ${hgemm_quad} ${hopper_ring}
  "ptx::mbarrier_arrive_remote(empty, unit + thread);" "ptx::mbarrier_arrive_remote(empty, thread);"
  "may still write|no barrier|one arrival more|never completes|nobody can go on")
emulator_fault(hopper_shared_operand_goes_to_the_first_four ${hgemm_quad} ${loader}
  "kAll << first_sharer" "kAll" "may still|never completes|nobody can go on|outside|missing|no barrier")
# A quick producer, and consumers that share a tile by its columns.
emulator_fault(hopper_layouts_of_a_quick_producer_exchanged hgemm_wgmma_bf16_bf16_quad_64x64x64 ${loader}
  "decltype(rows_a)::value; }, [] { return decltype(rows_b)::value;"
  "decltype(rows_b)::value; }, [] { return decltype(rows_a)::value;" "wrong|outside|missing|never completes|nobody can go on|past the end|may still|no barrier")
emulator_fault(hopper_columns_of_the_first_consumer_twice hgemm_wgmma_bf16_bf16_pair_192x160x64 ${hopper}
  "Cfg::first_column(consumer) * kTmaRowBytes - first_row" "0 * kTmaRowBytes - first_row" "wrong")
emulator_fault(hopper_columns_stored_over_the_first_consumers hgemm_wgmma_bf16_bf16_pair_192x160x64
  ${hopper_layout} "column + chunk * kChunkN : row" "chunk * kChunkN : row" "wrong")
emulator_fault(hopper_maps_without_a_product ${hgemm_turns} kernels/common/tma_loader.cuh
  "if (args.product != Product::kNone) {" "{" "no tensor map")
emulator_fault(hopper_store_fence_removed ${hgemm} ${hopper_store}
  "ptx::fence_async_shared();" "" "no fence_async_shared")
emulator_fault(hopper_store_wait_removed ${hgemm} ${hopper_store}
  "if (is_elected()) ptx::tma_store_wait_read<kMost>();" "" "may still read")
emulator_fault(hopper_column_past_the_last_stored ${hgemm} ${hopper_copies}
  "if (m < left_m && i * kColumnStep < left) *to = group[i];" "if (m < left_m) *to = group[i];" "past the start of an allocation")
emulator_fault(hopper_staging_swizzle_missed ${hgemm} kernels/common/staged_box.cuh
  "(byte ^ (row / kRowsOfLine % kPieces * 16))" "byte" "wrong")

# ---- k-tiles dealt evenly ---------------------------------------------------------------------

set(shares kernels/common/shares.cuh)
emulator_fault(dealt_tiles_share_a_slot ${sgemm} ${shares}
  "kSlotsOfShare * first," "first," "")
emulator_fault(dealt_first_share_wrong ${sgemm} ${shares}
  ": shares.longer + divide(" ": divide(" "")
emulator_fault(dealt_arrivals_not_reset ${sgemm} ${split_k}
  "if (last) *arrivals = 0;" "if (false) *arrivals = 0;" "")
emulator_fault(second_of_two_adds_its_own ${sgemm} ${split_k}
  "if (of_two && other == index) continue;" "if (of_two && other != index) continue;" "")
emulator_fault(first_of_two_takes_itself_for_the_second ${sgemm} ${split_k}
  "of_two && arrive(0, 1)" "of_two && arrive(0, 0)" "nothing wrote|wrong")
emulator_fault(dealt_k_from_the_start_of_the_tile ${sgemm_tma} ${shares}
  "first = int64_t{segment.first_k} * tile_k;" "first = 0;" "")
emulator_fault(dealt_k_to_the_end_of_the_tile ${sgemm_tma} ${shares}
  "{first, last < k ? last : k}" "{first, k}" "")
emulator_fault(dealt_share_left_at_the_end_of_a_simt_tile ${sgemm} ${simt_walk}
  "if (part.next_at != 0) place.next_index = index;" "" "")
emulator_fault(dealt_simt_tiles_of_the_first_product ${sgemm} ${simt_walk}
  "args.batch_count == 1 ? 0 : tile_of_all / tiles" "0" "")

# ---- TMA and mma.sync -------------------------------------------------------------------------

set(blackwell kernels/blackwell/blackwell_gemm.cuh)
set(blackwell_store kernels/blackwell/warp_store.cuh)
set(bgemm blackwell_bf16_bf16_64x64x64)
set(bgemm_wide blackwell_f16_f32_128x128x64)
emulator_fault(blackwell_full_wait_removed ${bgemm} ${blackwell}
  "ptx::mbarrier_wait(ring.full(at.stage), at.parity);" "" "may still write|nothing wrote|no barrier")
emulator_fault(blackwell_asked_for_the_stage_in_use ${bgemm} ${blackwell}
  "next.advance();" "" "may still write|nothing wrote|no barrier")
emulator_fault(blackwell_empty_wait_removed ${bgemm} ${blackwell}
  "ptx::mbarrier_wait(ring.empty(at.stage), at.parity ^ 1);" "" "one arrival more|no barrier|never completes")
emulator_fault(blackwell_parity_inverted ${bgemm} ${blackwell}
  "at.parity ^ 1);" "at.parity);" "nobody can go on|never completes")
emulator_fault(blackwell_bytes_of_one_operand ${bgemm} ${loader}
  "+ (brings_b ? b.bytes() : 0);" ";" "no barrier in between|may still write")
emulator_fault(blackwell_released_by_a_lane_alone ${bgemm} ${blackwell}
  "__syncwarp();  // all lanes' accesses" "// all lanes' accesses" "no barrier in between")
emulator_fault(blackwell_released_twice ${bgemm} ${blackwell}
  "        at.advance();\n        if ((more" "        ring.release(in_work), at.advance();\n        if ((more"
  "one arrival more|no barrier|never completes|may still write")
emulator_fault(blackwell_last_k_tile_not_released ${bgemm} ${blackwell}
  "if (!Cfg::kReleasesEarly || !more) ring" "if (!Cfg::kReleasesEarly) ring" "nobody can go on|never completes")
emulator_fault(blackwell_released_a_step_too_early ${bgemm} ${blackwell}
  "      if (step == Cfg::kSteps - 1) {\n        if constexpr (Cfg::kReleasesEarly) {\n          if (more) ring.release(in_work, fragments[step % kSets].loaded());\n        }"
  "      if (step == Cfg::kSteps - 2 && more) ring.release(in_work);\n      if (step == Cfg::kSteps - 1) {"
  "no barrier|never completes|may still write|may still read")
emulator_fault(blackwell_columns_of_b_as_rows_of_a ${bgemm} ${loader}
  "ring.b(at.stage), tile.first_n, first_k" "ring.b(at.stage), tile.first_m, first_k" "")
emulator_fault(blackwell_part_of_k_ignored ${bgemm} ${loader}
  "const int first_k = tile.first_k + i" "const int first_k = i" "")
emulator_fault(blackwell_lanes_lose_their_stage blackwell_bf16_bf16_pointers_64x64x64 ${loader}
  "at.advance(tile.k_tiles);" "" "may still write|no barrier|never completes")
emulator_fault(blackwell_blocks_of_rows_overlap ${bgemm_wide} kernels/blackwell/tma_tile.cuh
  "chunk / Block::kLineChunks * Block::kBytes" "chunk / Block::kLineChunks * Block::kLineBytes" "")
emulator_fault(blackwell_given_back_while_tma_reads ${bgemm_wide} ${blackwell}
  "if (threadIdx.x % 32 == 0) ptx::tma_store_wait_read<0>();" "" "may still read")
emulator_fault(blackwell_store_fence_removed ${bgemm} ${blackwell_store}
  "ptx::fence_async_shared();" "" "no fence_async_shared")
emulator_fault(blackwell_stored_before_all_lanes_wrote ${bgemm} ${blackwell_store}
  "__syncwarp();  // all lanes' writes to the staging before the reads"
  "// all lanes' writes to the staging before the reads" "no barrier in between|no fence_async_shared|nothing wrote")
emulator_fault(blackwell_old_c_not_waited_for ${bgemm} ${blackwell_store}
  "ptx::mbarrier_wait(c_full_, parity_);" "" "may still write|no barrier in between")
emulator_fault(blackwell_parity_of_c_kept ${bgemm_wide} ${blackwell_store}
  "parity_ ^= 1;" "" "may still write|no barrier|never completes")
emulator_fault(blackwell_box_of_c_misplaced ${bgemm_wide} ${blackwell_store}
  "store_box(&args.c, m + box * kBoxM" "store_box(&args.c, m + box * kChunkN / 2" "")
emulator_fault(blackwell_column_past_the_last_stored ${bgemm} ${blackwell_store}
  "if (columns >= left_n) return;" "" "allocation|wrong")
emulator_fault(dgemm_row_past_the_last_stored dgemm_tma_64x64x16 ${blackwell_store}
  "if (row + 1 < left_m) *reinterpret" "if (row < left_m) *reinterpret" "allocation|wrong")
emulator_fault(blackwell_octets_of_c_overlap ${bgemm} ${blackwell_store}
  "c += 8 * gemm.ldc;" "c += 4 * gemm.ldc;" "")
emulator_fault(dgemm_octets_of_c_ahead_overlap dgemm_tma_64x64x16 ${blackwell_store}
  "ahead += 8 * ldc;" "ahead += 4 * ldc;" "")
emulator_fault(dgemm_octets_of_c_in_one_place dgemm_tma_64x64x16 ${blackwell_store}
  "load(octet + kAhead);" "load(octet);" "allocation|wrong")
emulator_fault(blackwell_lends_where_c_is_plain ${bgemm} ${blackwell}
  "if (Cfg::Store::is_direct(args, tile)) continue;" "" "nobody can go on|never completes|wrong|one arrival more|may still|nothing wrote|no barrier|ends with")

emulator_fault(dgemm_one_set_not_released dgemm_tma_128x128x16 ${blackwell}
  "if (!Cfg::kReleasesEarly || !more) ring" "if (kSets == 2) ring" "nobody can go on|never completes")
set(double_tile kernels/blackwell/tma_tile.cuh)
set(dgemm dgemm_tma_64x64x16)
emulator_fault(dgemm_blocks_of_rows_overlap ${dgemm} ${double_tile}
  "* kBlock * kTmaRowBytes;" "* kBlock * 64;" "")
emulator_fault(dgemm_upper_rows_forgotten ${dgemm} ${double_tile}
  "(upper * kUpper ^ " "(0 * kUpper ^ " "")
emulator_fault(dgemm_second_step_forgotten ${dgemm} ${double_tile}
  "^ step * kStep)" "^ 0 * kStep)" "")
emulator_fault(dgemm_second_part_not_swizzled ${dgemm} ${double_tile}
  "kAlongRows ? kTmaRowBytes + kChunkBytes" "kAlongRows ? kTmaRowBytes" "")
emulator_fault(dgemm_released_behind_the_first_step dgemm_tma_128x128x16 ${blackwell}
  "      if (step == Cfg::kSteps - 1) {\n        if constexpr"
  "      if (step == 0) ring.release(in_work);\n      if (step == Cfg::kSteps - 1) {\n        if constexpr"
  "one arrival more|no barrier|never completes|may still write")

# ---- operands streamed past: gemv -------------------------------------------------------------

set(gemv_frame kernels/gemv/gemv_frame.cuh)
set(gemv_dot kernels/gemv/gemv_dot.cuh)
set(gemv_axpy kernels/gemv/gemv_axpy.cuh)
set(gemv_outer kernels/gemv/gemv_outer.cuh)
set(dot gemv_dot_f32_f32_16x1x512)
set(dot4 gemv_dot_f32_f32_32x4x256)
set(dot_rows gemv_dot_bf16_bf16_1x64x256)
set(gemv_tall kernels/gemv/gemv_tall.cuh)
set(few_rows gemv_dot_f32_f32_4x1x2048)
set(tall gemv_tall_f32_f32_512x1x16)
set(tall_row gemv_tall_f64_f64_1x256x16)
set(axpy gemv_axpy_f32_f32_64x4x128)
set(axpy16 gemv_axpy_f16_f16_1x128x128)
set(outer gemv_outer_f32_f32_128x64x16)
emulator_fault(gemv_grid_ahead_not_waited_for ${dot} ${gemv_dot}
  "      follow_previous_grid();\n" "" "has not waited for the grid ahead")
emulator_fault(gemv_grid_ahead_not_waited_for_without_a_product ${dot} ${gemv_frame}
  "      follow_previous_grid();  // without a product nothing was loaded\n" "" "has not waited for the grid ahead")
emulator_fault(gemv_alpha_of_the_device_read_too_early ${dot} ${gemv_frame}
  "if (args.alpha.device != nullptr || args.pointer_batch != 0) follow_previous_grid();" "" "has not waited for the grid ahead")
emulator_fault(gemv_outer_grid_ahead_not_waited_for ${outer} ${gemv_outer}
  "    follow_previous_grid();  // what" "    // what" "has not waited for the grid ahead")
emulator_fault(gemv_barrier_before_finishing_removed ${dot} ${gemv_frame}
  "__syncthreads();  // all threads' sums" "// all threads' sums" "no barrier in between|nothing wrote")
emulator_fault(gemv_barrier_after_finishing_removed ${dot} ${gemv_frame}
  "__syncthreads();  // the finishing" "// the finishing" "no barrier in between")
emulator_fault(gemv_slices_forgotten ${axpy} ${gemv_frame}
  "slice < Cfg::kSlices" "slice < Cfg::kSlices - 1" "")
emulator_fault(gemv_row_of_c_not_checked ${dot} ${gemv_frame}
  "row < rows && col < cols" "col < cols" "allocation|wrong|changed")
emulator_fault(gemv_column_of_c_not_checked ${dot4} ${gemv_frame}
  "row < rows && col < cols" "row < rows" "allocation")
emulator_fault(gemv_alpha_zero_reads_a ${dot} ${gemv_frame}
  "has_product ? args.k : 0" "args.k" "allocation")
emulator_fault(gemv_alignment_of_columns_not_checked gemv_axpy_f32_f32_64x1x128 ${gemv_frame}
  "(reinterpret_cast<uintptr_t>(base) | step) & 15" "reinterpret_cast<uintptr_t>(base) & 15" "not aligned")
emulator_fault(gemv_small_operand_taken_for_contiguous ${dot} ${gemv_frame}
  "return k_step == 1 && " "return " "")
emulator_fault(gemv_columns_of_small_not_counted ${dot4} ${gemv_dot}
  "const bool exists = col == 0 || col < small.cols;" "const bool exists = true;" "allocation|wrong")
emulator_fault(gemv_run_across_the_end_of_k ${dot} ${gemv_dot}
  "large.has(i) && (kWhole || at + kRun <= last)" "large.has(i) && (kWhole || at < last)" "allocation")
emulator_fault(gemv_rest_of_a_run_forgotten ${dot_rows} ${gemv_dot}
  "k = range.last / kRun * kRun;" "k = range.last;" "")
emulator_fault(gemv_row_past_the_edge_read ${dot} ${gemv_dot}
  "first + i < large.rows ? first + i : large.rows - 1" "first + i" "allocation")
emulator_fault(gemv_lane_left_out ${dot} ${gemv_dot}
  "int bit = kLanes / 2; bit > 0" "int bit = kLanes / 2; bit > 1" "")
emulator_fault(gemv_wrong_half_given_away ${dot4} ${gemv_dot}
  "const Acc given = upper ? sums[i] : sums[i + count];" "const Acc given = upper ? sums[i + count] : sums[i];" "")
emulator_fault(gemv_cut_run_taken_whole ${axpy16} ${gemv_axpy}
  "left >= Cfg::kTileRows || left % kRun == 0" "left >= Cfg::kTileRows || left % kRun != kRun" "not aligned")
emulator_fault(gemv_factor_past_k ${axpy} ${gemv_axpy}
  "(kWhole || at < last) && col" "(kWhole || at <= last) && col" "allocation")
emulator_fault(gemv_column_past_k ${axpy} ${gemv_axpy}
  "kWhole || k + step < last;" "kWhole || k + step <= last;" "allocation")
emulator_fault(gemv_groups_of_a_warp_not_added ${axpy} ${gemv_axpy}
  "int bit = kLanes; bit < 32" "int bit = kLanes; bit < kLanes" "")
emulator_fault(gemv_factor_of_another_k ${axpy} ${gemv_axpy}
  "index % kLanes, kLanes);" "(index + 1) % kLanes, kLanes);" "")
emulator_fault(gemv_warps_of_a_row_take_the_same_k ${few_rows} ${gemv_dot}
  "const int lane = thread % kSpan;" "const int lane = thread % kLanes;" "no barrier in between|wrong")
emulator_fault(tall_grid_ahead_not_waited_for ${tall} ${gemv_tall}
  "    follow_previous_grid();  // what" "    // what" "has not waited for the grid ahead")
emulator_fault(tall_alignment_not_checked ${tall} ${gemv_tall}
  "operand.rows_contiguous && large.rows % kRun == 0 &&" "operand.rows_contiguous && large.rows % kRun == 0 ||" "not aligned|allocation|wrong")
emulator_fault(tall_factor_past_k ${tall} ${gemv_tall}
  "lane < kCount && first + lane < large.k" "lane < kCount" "allocation")
emulator_fault(tall_column_past_k ${tall} ${gemv_tall}
  "const bool exists = first + step < large.k;" "const bool exists = true;" "allocation")
emulator_fault(tall_row_past_the_edge_read ${tall} ${gemv_tall}
  "(row < last ? row : last)" "row" "allocation")
emulator_fault(tall_row_of_c_not_checked ${tall_row} ${gemv_tall}
  "if (row >= rows) continue;" "" "allocation|wrong|changed")
emulator_fault(tall_factor_of_another_k ${tall} ${gemv_tall}
  "shuffle_from(factor, step, 32)" "shuffle_from(factor, step + 1, 32)" "")
emulator_fault(tall_run_of_unaligned_c ${tall} ${gemv_tall}
  "step == 1 && reinterpret_cast<uintptr_t>(c) % sizeof(OutRun) == 0 && !epilogue.any()" "step == 1 && !epilogue.any()" "not aligned")
emulator_fault(outer_barrier_after_stores_removed ${outer} ${gemv_outer}
  "__syncthreads();  // all threads' stores" "// all threads' stores" "no barrier in between|nothing wrote")
emulator_fault(outer_barrier_after_loads_removed ${outer} ${gemv_outer}
  "__syncthreads();  // all threads' loads" "// all threads' loads" "no barrier in between")
emulator_fault(outer_alignment_of_c_not_checked ${outer} ${gemv_outer}
  "static_cast<uint64_t>(gemm.ldc) * sizeof(Out) : 0" "uint64_t{0} : 0" "not aligned")
emulator_fault(outer_cut_run_stored_whole ${outer} ${gemv_outer}
  "aligned && tile.rows % Cfg::kRun == 0" "aligned" "not aligned")
emulator_fault(outer_columns_not_checked ${outer} ${gemv_outer}
  "if ((first + j) * step < cols_left) {\n        columns[j].store" "{\n        columns[j].store" "allocation")
emulator_fault(outer_k_not_counted ${outer} ${gemv_outer}
  "k < last_k; ++k" "k + 1 < last_k; ++k" "")
emulator_fault(outer_loads_what_does_not_exist ${outer} ${gemv_outer}
  "left_ = along < length ? lines_ - line : 0;" "left_ = lines_ - line;" "allocation")
emulator_fault(outer_last_pieces_not_loaded ${outer} ${gemv_outer}
  "while (loads_a.more() || loads_b.more())" "while (loads_a.more() && loads_b.more())" "nothing wrote")
emulator_fault(outer_loads_past_the_last_line ${outer} ${gemv_outer}
  "if (i * step_ < left_) values[i]" "if (i * step_ <= left_) values[i]" "allocation")
emulator_fault(outer_row_past_the_edge_read ${outer} ${gemv_outer}
  "(row < last_row ? row : last_row)" "row" "nothing wrote")

# ---- tensor cores by mma.sync: ampere ---------------------------------------------------------

set(mma_gemm kernels/common/mma_gemm.cuh)
set(mma_meeting kernels/common/mma_meeting.cuh)
set(mma_config kernels/common/mma_gemm_config.cuh)
set(mma_tile kernels/common/mma_tile.cuh)
set(mma_types kernels/common/mma_types.cuh)
set(mma_async kernels/common/mma_feed_async.cuh)
set(mma_registers kernels/common/mma_feed_registers.cuh)
set(mma_epilogue kernels/common/mma_epilogue.cuh)
set(bf16_mma ampere_bf16_bf16_64x64x64)
set(bf16_alone ampere_bf16_bf16_128x256x64)
set(bf16_any ampere_bf16_any_bf16_64x64x64)
set(s8_any ampere_s8_any_s32_128x128x128)
set(bf16_by4 ampere_bf16_by4_bf16_64x64x64)
set(tf32_by4 ampere_tf32_by4_f32_64x64x32)
set(s8_mma ampere_s8_s32_64x64x128)
set(tf32_mma ampere_tf32_f32_64x64x32)
set(f64_mma ampere_f64_f64_64x64x16)
set(f64_alone ampere_f64_f64_128x64x16)
set(c64_mma ampere_c64_c64_32x32x8)
set(f64_sm90 ampere_f64_sm90_f64_128x64x16)
emulator_fault(mma_first_wait_removed ${bf16_mma} ${mma_gemm}
  "    ptx::cp_async_wait<kStages - 2>();\n    __syncthreads" "    __syncthreads" "may still write")
emulator_fault(mma_wait_one_stage_short ${bf16_mma} ${mma_gemm}
  "          ptx::cp_async_wait<kStages - 2>();" "          ptx::cp_async_wait<kStages - 1>();" "may still write")
emulator_fault(mma_barrier_of_the_ring_removed ${bf16_mma} ${mma_gemm}
  "            __syncthreads();\n          }\n          writing" "          }\n          writing" "no barrier|may still write")
emulator_fault(mma_meeting_not_waited_for ${bf16_alone} ${mma_gemm}
  "met = meeting.is_over(tile);" "met = true;" "no barrier|may still write")
emulator_fault(mma_meeting_asked_for_alone ${bf16_alone} ${mma_gemm}
  "if (place == Cfg::kMeetBehind && !met) meeting.wait(tile);" "" "no barrier|may still write")
emulator_fault(mma_arrived_ahead_of_the_copies ${bf16_alone} ${mma_gemm}
  "          ptx::cp_async_wait<kStages - 2>();\n          if constexpr (Cfg::kMeets)"
  "          if constexpr (Cfg::kMeets)" "may still write")
emulator_fault(mma_arrived_for_one_lane ${bf16_alone} ${mma_meeting}
  "__syncwarp();  // all lanes' accesses to shared" "// all lanes' accesses to shared" "no barrier|may still write")
emulator_fault(mma_meeting_begun_with_either_parity ${bf16_alone} ${mma_meeting}
  "if (phases % 2 != 0) arrive();" "" "never completes|no barrier|may still write")
emulator_fault(mma_last_barrier_removed ${bf16_mma} ${mma_gemm}
  "__syncthreads();  // all threads' loads and copies before anything over them" "" "no barrier|may still write")
emulator_fault(mma_barrier_behind_the_stages_removed ${bf16_mma} ${mma_gemm}
  "if (!Cfg::kLoadsAhead) __syncthreads();" "" "no barrier|may still write")
emulator_fault(mma_one_k_tile_too_many ${bf16_mma} ${mma_gemm}
  "tile + kStages - 1 < tiles" "tile + kStages - 1 <= tiles" "allocation")
emulator_fault(mma_next_tile_over_the_stages ${f64_alone} ${mma_config}
  "kLoadsAhead ? kRingBytes : 0;" "kLoadsAhead ? 0 : 0;" "no barrier|may still write")
emulator_fault(mma_part_of_k_ignored ${bf16_mma} ${mma_gemm}
  "args.split.parts, item.part);\n    position.meeting" "args.split.parts, 0);\n    position.meeting" "")
emulator_fault(dealt_share_left_at_the_end_of_an_mma_tile ampere_c64_sm90_c64_32x32x8 ${mma_gemm}
  "if (part.next_at != 0) position.next_work = work;" "" "")
emulator_fault(dealt_mma_k_tile_skipped ampere_c64_sm90_c64_32x32x8 ${mma_gemm}
  "position.next_at = part.next_at;" "position.next_at = part.next_at + 1;" "")
emulator_fault(dealt_mma_tiles_of_the_first_product ampere_c64_sm90_c64_32x32x8 ${mma_gemm}
  "batch = tile < tiles ? 0 : tile / tiles;" "batch = 0;" "")
emulator_fault(mma_fragments_of_this_step_again ${bf16_mma} ${mma_gemm}
  "auto& these = fragments[step % Cfg::kFragmentSets];" "auto& these = fragments[0];" "")
emulator_fault(mma_f16_sums_of_the_last_k_tile_forgotten ampere_f16_f16sum_f16_64x64x32 ${mma_gemm}
  "    step_sums.finish();\n    ptx::cp_async_wait<0>();" "    ptx::cp_async_wait<0>();" "")
emulator_fault(mma_f16_sums_added_twice ampere_f16_f16sum_f16_64x64x32 kernels/common/mma_step.cuh
  "      of_k_tile[i][j][pair] = 0;\n" "" "")
emulator_fault(mma_fragment_loaded_over_too_early ${f64_sm90} kernels/common/mma_step.cuh
  "j == 2 * a + 2;" "j == 2 * a;" "")
emulator_fault(mma_copies_between_not_committed ${f64_sm90} ${mma_gemm}
  "if (share == kShares - 1) ptx::" "if (share == kShares) ptx::" "may still write")
emulator_fault(mma_swizzle_of_the_reader_wrong ${bf16_mma} ${mma_tile}
  "first_row / 8 + upper_rows)" "first_row / 8 + (upper_rows ^ 1))" "")
emulator_fault(mma_halves_of_b_swapped ${bf16_mma} ${mma_types}
  "ptx::mma_m16n8k16_bf16(sums, a, eight_rows);" "ptx::mma_m16n8k16_bf16(sums, a, {eight_rows[1], eight_rows[0]});" "")
emulator_fault(mma_bytes_of_pairs_swapped ${s8_mma} ${mma_tile}
  "permute_bytes<0x7531>" "permute_bytes<0x7351>" "")
emulator_fault(mma_pairs_of_rows_stored_as_eights ${s8_mma} ${mma_epilogue}
  "return kPairsN ? octet / 2 * 16" "return kPairsN && octet < 0 ? octet / 2 * 16" "")
emulator_fault(mma_words_of_a_quad_swapped ${bf16_mma} ${mma_epilogue}
  "words[i] = upper ? got : low;" "words[i] = upper ? low : got;" "")
emulator_fault(mma_rows_of_runs_not_checked ${f64_mma} ${mma_epilogue}
  "target.rows_left >= 8 * kCountM" "target.rows_left >= 8" "allocation")
emulator_fault(mma_columns_of_runs_not_checked ${f64_mma} ${mma_epilogue}
  "column_of_row<kPairsN>(octet, lane / 4) < columns" "column_of_row<kPairsN>(octet, lane / 4) < 256" "allocation")
emulator_fault(mma_k_parts_of_words_swapped ${tf32_mma} ${mma_tile}
  "4 * part / Mma::kParts;" "4 * (1 - part) / Mma::kParts;" "")
emulator_fault(mma_upper_rows_of_doubles_forgotten ${f64_mma} ${mma_tile}
  "16 * fragment + 8 * upper)" "16 * fragment)" "")
emulator_fault(mma_complex_not_conjugated ${c64_mma} ${mma_types}
  "odd_k != odd_row && odd_k != conjugate" "odd_k != odd_row && odd_k" "")
emulator_fault(mma_complex_rows_alike ${c64_mma} ${mma_tile}
  "kElementRows == 2 ? lane / 4 : 0" "kElementRows == 2 ? 0 : 0" "")
emulator_fault(mma_complex_runs_past_the_rows ${c64_mma} ${mma_epilogue}
  "8 * kCountM / kSumsOfElement<Out> &&" "4 * kCountM / kSumsOfElement<Out> &&" "allocation")
emulator_fault(mma_row_predicate_dropped ${bf16_mma} ${mma_async}
  "exists && valid > (Tile::kRowsContiguous ? 0 : i * kLinesOfStep)" "exists" "allocation")
emulator_fault(mma_k_tail_not_zeroed ${bf16_mma} ${mma_async}
  "if (i < valid) element = from[i];" "element = from[i];" "allocation")
emulator_fault(mma_cut_chunk_copied_whole ${bf16_mma} ${mma_async}
  "valid <= 0 || valid >= kPieceElements" "valid <= 0 || valid >= 1" "allocation")
emulator_fault(mma_shift_dropped ${bf16_any} ${mma_registers}
  ">> (first % 4 * 8))" ">> (first % 1 * 8))" "")
emulator_fault(mma_second_piece_dropped ${bf16_any} ${mma_registers}
  "if (exists(i) && first != 0)" "if (exists(i) && first > 99)" "")
emulator_fault(mma_piece_past_the_end ${bf16_any} ${mma_registers}
  "(steps - 1) * step_bytes + (first" "(steps - 2) * step_bytes + (first" "allocation")
emulator_fault(mma_words_past_the_end ${bf16_any} ${mma_registers}
  "if (from + 4 <= end) return" "if (from < end) return" "allocation")
emulator_fault(mma_chunk_at_the_end_forgotten ${bf16_any} ${mma_registers}
  "if (i == j) pieces[j] = loaded;" "if (j == 0) pieces[j] = loaded;" "")
emulator_fault(mma_cut_chunk_taken_whole ${s8_any} ${mma_registers}
  "elements >= Tile::kChunkElements && piece" "elements >= 1 && piece" "")
emulator_fault(mma_barrier_of_two_stages_removed ${bf16_any} ${mma_gemm}
  "          __syncthreads();\n          reading = Cfg" "          reading = Cfg"
  "no barrier|nothing wrote")
emulator_fault(mma_alignment_of_c_not_checked ${bf16_any} ${mma_gemm}
  "(args.ldc * sizeof(Out))) & 15) == 0" "(args.ldc * sizeof(Out) * 0)) & 15) == 0" "not aligned")
emulator_fault(mma_swizzle_of_later_lines_forgotten ${tf32_by4} ${mma_async}
  "return (target ^ static_cast<uint32_t>(swizzle))" "return (target ^ static_cast<uint32_t>(0 * swizzle))" "")
emulator_fault(mma_pieces_of_a_chunk_in_one_place ${bf16_by4} ${mma_async}
  "static_cast<uint32_t>(piece * kPieceBytes % kChunkBytes)" "static_cast<uint32_t>(0 * piece)" "no barrier in between")
emulator_fault(mma_rows_of_c_not_checked ${bf16_mma} ${mma_epilogue}
  "row + kElements <= target.rows_left" "row < target.rows_left" "allocation")

# ---- mma.sync, operands of the next tile on their way in registers -------------------------------

set(mma_batch kernels/common/mma_batch.cuh)
set(bf16_batch ampere_batch_bf16_32x64x32)
set(bf16_batch_deep ampere_batch_bf16_32x64x64)
emulator_fault(mma_batch_barrier_removed ${bf16_batch} ${mma_batch}
  "__syncthreads();\n      feed.fetch();" "feed.fetch();" "no barrier in between|nothing wrote")
emulator_fault(mma_batch_stage_in_use_stored_over ${bf16_batch} ${mma_batch}
  "stage = Cfg::kStageBytes - stage;" "" "no barrier in between")
emulator_fault(mma_batch_sums_over_the_next_k_tile ${bf16_batch} ${mma_batch}
  "kStageAreaOffset = Base::kRingBytes" "kStageAreaOffset = 0 * Base::kRingBytes" "no barrier in between")
emulator_fault(mma_batch_columns_loaded_too_early ${bf16_batch} ${mma_batch}
  "__syncwarp();  // all lanes' stores of these" "// all lanes' stores of these" "no barrier in between|nothing wrote")
emulator_fault(mma_batch_tile_ahead_not_left ${bf16_batch} ${mma_batch}
  "      walk_.advance();\n" "" "")
emulator_fault(mma_batch_k_tail_not_zeroed ${bf16_batch} ${mma_batch}
  "head_of(chunk, valid_k - " "head_of(chunk, valid_k + 64 - " "")
emulator_fault(mma_batch_f64_shift_dropped ampere_batch_f64_32x32x16 ${mma_registers}
  "(first & 8) != 0" "(first & 8) > 99" "")
emulator_fault(mma_batch_f64_k_tail_not_zeroed ampere_batch_f64_32x32x16 ${mma_batch}
  "head_of(chunk, valid_k - " "head_of(chunk, valid_k + 64 - " "")
emulator_fault(mma_batch_shifted_like_the_next_tile ${bf16_batch} ${mma_batch}
  "chunk_of(pieces_[i], first_)" "chunk_of(pieces_[i], Feed::misaligned(source_))" "")
emulator_fault(mma_batch_second_piece_dropped ${bf16_batch} ${mma_batch}
  "if (i < inside && high)" "if (i < inside && steps > 99)" "")
emulator_fault(mma_batch_lines_not_checked ${bf16_batch_deep} ${mma_batch}
  "steps += i * kLinesOfStep < lines ? 1 : 0;" "steps += 1;" "")
emulator_fault(mma_batch_piece_past_the_end ${bf16_batch} ${mma_batch}
  "piece + (steps - 1) * step_bytes + reach > end_" "piece + (steps - 1) * step_bytes > end_" "allocation")
emulator_fault(mma_batch_step_at_the_end_loaded_whole ${bf16_batch_deep} ${mma_batch}
  "before += i < steps && piece <= from ? 1 : 0;" "before += i < steps && piece <= from + 16 ? 1 : 0;" "allocation")
emulator_fault(mma_batch_end_of_one_matrix_more ${bf16_batch} ${mma_batch}
  "stride < 0 ? 0 : args_.batch_count - 1" "stride < 0 ? 0 : args_.batch_count" "allocation")
emulator_fault(mma_batch_chunk_at_the_end_forgotten ${bf16_batch_deep} ${mma_batch}
  "if (i == j) pieces_[j] = loaded;" "if (j == 0) pieces_[j] = loaded;" "")
emulator_fault(mma_batch_columns_not_checked ${bf16_batch} ${mma_batch}
  "i * step < columns) {" "i * step <= columns) {" "allocation")
emulator_fault(mma_batch_c_not_read ${bf16_batch} ${mma_batch}
  "if (!kPlain && !is_zero" "if (kPlain && !is_zero" "")

# ---- tensor cores by mma.sync: turing ---------------------------------------------------------

set(mma_aligned kernels/common/mma_feed_aligned.cuh)
set(f16_turing turing_f16_f16_64x64x32)
set(f16_turing_any turing_f16_any_f16_64x64x32)
set(s8_turing turing_s8_s32_64x64x64)
emulator_fault(turing_first_barrier_removed ${f16_turing} ${mma_gemm}
  "__syncthreads();  // all threads' stores of the first k-tile" "// all threads' stores of the first k-tile"
  "no barrier|nothing wrote")
emulator_fault(turing_barrier_of_the_stages_removed ${f16_turing} ${mma_gemm}
  "          __syncthreads();\n          reading = Cfg" "          reading = Cfg"
  "no barrier|nothing wrote")
emulator_fault(turing_barrier_before_the_epilogue_removed ${f16_turing_any} ${mma_gemm}
  "__syncthreads();  // all threads' loads before anything over them" "" "no barrier")
emulator_fault(turing_stored_into_the_stage_in_use ${s8_turing} ${mma_gemm}
  "put(feed_a, feed_b, smem, Cfg::kStageBytes - reading);" "put(feed_a, feed_b, smem, reading);" "no barrier|nothing wrote")
emulator_fault(turing_next_k_tile_not_loaded ${f16_turing} ${mma_gemm}
  "    feed_b.fetch();" "" "")
emulator_fault(turing_one_k_tile_too_many ${f16_turing} ${mma_gemm}
  "if (tile + 2 < tiles)" "if (tile + 1 < tiles)" "allocation")
emulator_fault(turing_second_half_of_k_forgotten ${f16_turing} ${mma_types}
  "{b[2 * half + pass]};\n    ptx::mma_m16n8k8_f16(" "{b[2 * half]};\n    ptx::mma_m16n8k8_f16(" "")
emulator_fault(turing_upper_rows_forgotten ${f16_turing} ${mma_types}
  "a[2 * pass + 1]};\n    const uint32_t eight_k_of_b[1] = {b[2 * half + pass]};\n    ptx::mma_m16n8k8_f16("
  "a[2 * pass]};\n    const uint32_t eight_k_of_b[1] = {b[2 * half + pass]};\n    ptx::mma_m16n8k8_f16(" "")
emulator_fault(turing_f16_sums_upper_rows_forgotten turing_f16_f16sum_f16_128x128x32 ${mma_types}
  "a[2 * pass + 1]};\n    const uint32_t eight_k_of_b[1] = {b[2 * half + pass]};\n    ptx::mma_m16n8k8_f16_sums("
  "a[2 * pass]};\n    const uint32_t eight_k_of_b[1] = {b[2 * half + pass]};\n    ptx::mma_m16n8k8_f16_sums(" "")
emulator_fault(turing_f16_sums_of_the_last_k_tile_forgotten turing_f16_f16sum_f16_128x128x32 ${mma_gemm}
  "    step_sums.finish();\n    __syncthreads();" "    __syncthreads();" "")
emulator_fault(turing_rows_of_bytes_swapped ${s8_turing} ${mma_types}
  "{a[2 * pass + i]}" "{a[2 * pass + 1 - i]}" "")
emulator_fault(turing_bytes_of_pairs_swapped ${s8_turing} ${mma_tile}
  "permute_bytes<0x6420>" "permute_bytes<0x6240>" "")
emulator_fault(turing_row_predicate_dropped ${f16_turing} ${mma_aligned}
  "if (valid > (Tile::kRowsContiguous ? 0 : i * kLinesOfStep)) {" "if (valid > -9999) {" "allocation")
emulator_fault(turing_chunk_one_element_off ${f16_turing} ${mma_aligned}
  "line * operand.ld + along);\n    step_bytes" "line * operand.ld + along + 1);\n    step_bytes" "not aligned")
emulator_fault(turing_cut_chunk_loaded_whole ${s8_turing} ${mma_aligned}
  "if (line < valid_lines && valid_along >= Tile::kChunkElements) {" "if (line < valid_lines && valid_along > 0) {"
  "allocation|wrong")
emulator_fault(turing_cut_chunk_forgotten ${f16_turing} ${mma_aligned}
  "to[j] = line_start[line * operand.ld + j];" "to[j] = Element{};" "")

# ---- parts of k as the blocks of a cluster ----------------------------------------------------
set(cluster_sum kernels/common/cluster_sum.cuh)
set(hgemm_two hgemm_wgmma_bf16_bf16_128x128x64)
emulator_fault(cluster_sums_read_too_early ${hgemm} ${cluster_sum}
  "  // All blocks' stores before the first one's loads.\n  ptx::cluster_arrive();\n  ptx::cluster_wait();\n" ""
  "no barrier in between|nothing wrote|may still write")
emulator_fault(cluster_blocks_end_too_early ${hgemm} ${cluster_sum}
  "  // The first one's loads before any block's end.\n  ptx::cluster_arrive();\n  ptx::cluster_wait();\n" ""
  "which has ended|no barrier in between")
emulator_fault(cluster_sums_over_the_ring_in_use ${hgemm_two} ${cluster_sum}
  "group.any(false);" "" "may still read|no barrier")
emulator_fault(cluster_part_forgotten ${hgemm} ${cluster_sum}
  "other < parts" "other < parts - 1" "")
emulator_fault(cluster_parts_taken_as_one ${hgemm} kernels/common/tile_order.cuh
  "part = ptx::cluster_rank();" "part = 0;" "")

# ---- neighbours, and several units, in a cluster ----------------------------------------------
emulator_fault(neighbours_in_one_tile ${hgemm_two} kernels/common/tile_order.cuh
  "order.log2_beside_n) + rank_n" "order.log2_beside_n)" "")
emulator_fault(units_begin_at_the_cluster_s_first_block hgemm_wgmma_bf16_bf16_pair_128x64x64 kernels/common/tile_order.cuh
  "return ptx::cluster_rank() / kShape.cluster() * kShape.cluster();" "return 0;" "no barrier in between|wrong")
emulator_fault(units_of_a_cluster_taken_as_one hgemm_wgmma_bf16_bf16_pair_128x64x64 kernels/common/tile_order.cuh
  "blockIdx.x / kShape.cluster() : ptx::cluster_index();" "ptx::cluster_index() : ptx::cluster_index();" "")

# ---- operands repacked ahead of a product -----------------------------------------------------
set(pack kernels/pack/pack_operands.cuh)
set(pack_1 pack_operands_1B)
set(pack_2 pack_operands_2B)
set(pack_4 pack_operands_4B)
set(pack_8 pack_operands_8B)
emulator_fault(pack_grid_ahead_not_waited_for ${pack_2} ${pack}
  "begin_grid(args, args.operands[0].rows);" "" "reads global memory, and has not waited for the grid ahead")
emulator_fault(pack_reads_without_alpha ${pack_2} ${pack}
  "if (!operands_are_read(args)) return;" "" "allocation")
emulator_fault(pack_least_integer_taken_for_zero ${pack_1} ${pack}
  "(bits & args.alpha_bits) != 0" "(bits & 0x7fffffffu) != 0" "is wrong")
emulator_fault(pack_shift_by_words_wrong ${pack_4} ${pack}
  "(shift & 4) != 0 ? words[i + 1]" "(shift & 4) != 0 ? words[i + 2]" "is wrong")
emulator_fault(pack_shift_by_bytes_wrong ${pack_1} ${pack}
  "8 * (shift & 3)" "8 * (shift & 2)" "is wrong")
emulator_fault(pack_second_word_dropped ${pack_2} ${pack}
  "whole && shift != 0" "whole && shift > 14" "is wrong")
emulator_fault(pack_reads_past_the_matrix ${pack_2} ${pack}
  " && operand.from_elements - at >= behind" "" "allocation")
emulator_fault(pack_reads_ahead_of_the_matrix ${pack_2} ${pack}
  "at >= before && " "" "allocation")
emulator_fault(pack_elements_past_the_matrix ${pack_1} ${pack}
  "if (i >= left) break;" "if (i > left) break;" "allocation")
emulator_fault(pack_parts_ahead_of_the_matrix ${pack_8} ${pack}
  "(shift + Cfg::kBytes - 1) / Cfg::kBytes" "shift / Cfg::kBytes" "allocation")
emulator_fault(pack_imaginary_parts_of_alpha_forgotten ${pack_8} ${pack}
  "bits |= parts[1];" "" "is wrong")
emulator_fault(pack_conjugation_forgotten ${pack_8} ${pack}
  " ^ imaginary_flips" "" "is wrong")
emulator_fault(pack_lines_at_once_taken_as_one ${pack_8} ${pack}
  "first + threadIdx.x / kThreadsOfLine" "first" "is wrong")
emulator_fault(pack_batch_stride_ignored ${pack_2} ${pack}
  "static_cast<const T*>(operand.from) + matrix * operand.from_stride"
  "static_cast<const T*>(operand.from) + 0 * matrix * operand.from_stride"
  "is wrong")
set(pack_pointers pack_operands_pointers_2B)
emulator_fault(pack_pointer_of_another_matrix ${pack_pointers} ${pack}
  "(operand.from)[matrix]" "(operand.from)[0 * matrix]" "is wrong")
emulator_fault(pack_pointers_to_one_matrix ${pack_pointers} ${pack}
  "(operand.to) + i * operand.to_bytes" "(operand.to) + 0 * i * operand.to_bytes" "is wrong")
emulator_fault(pack_barrier_after_chunks_removed ${pack_2} ${pack}
  "__syncthreads();  // all threads' chunks" "// all threads' chunks" "no barrier in between|nothing wrote")
emulator_fault(pack_barrier_after_words_removed ${pack_2} ${pack}
  "__syncthreads();  // all threads' words" "// all threads' words" "no barrier in between")
emulator_fault(pack_rows_past_the_matrix_stored ${pack_4} ${pack}
  "if (first_row + i >= operand.rows) break;" "" "allocation|is wrong")
emulator_fault(pack_columns_past_the_matrix_stored ${pack_4} ${pack}
  "if (column >= operand.columns) return;" "" "allocation|is wrong")
emulator_fault(pack_elements_of_a_word_swapped ${pack_1} ${pack}
  "gather_elements<Cfg>(words, i," "gather_elements<Cfg>(words, i ^ 1," "is wrong")
set(split kernels/pack/split_terms.cuh)
set(pack_terms pack_operands_terms)
emulator_fault(split_barrier_after_numbers_removed ${pack_terms} ${split}
  "__syncthreads();  // all threads' numbers" "// all threads' numbers" "no barrier in between|nothing wrote")
emulator_fault(split_rows_past_the_matrix_stored ${pack_terms} ${split}
  "first_row + row >= rows || " "" "allocation|is wrong")
emulator_fault(split_reads_past_the_matrix ${pack_terms} ${split}
  "along_at < operand.rows && " "" "allocation|is wrong")
emulator_fault(split_runs_that_are_not_whole ${pack_terms} ${split}
  "operand.from_stride | operand.rows;" "operand.from_stride;" "allocation|is wrong")
emulator_fault(split_infinities_in_finite_terms ${pack_terms} ${split}
  "(is_nan ? kQuiet : 0u), 0, 0, 0}};" "(is_nan ? kQuiet : 0u), bits, 0, 0}};" "is wrong")
emulator_fault(split_largest_become_infinities ${pack_terms} ${split}
  "if ((first & kInfinity) == kInfinity) first = bits & kUpperHalf;" "" "is wrong")
emulator_fault(split_ties_up ${pack_terms} ${split}
  "0x7fffu + (bits >> 16 & 1)" "0x8000u" "is wrong")
emulator_fault(split_offset_truncated ${pack_terms} ${split}
  "from += kAtOnce * operand.from_ld;" "from += static_cast<int>(kAtOnce * operand.from_ld);" "allocation|is wrong")
emulator_fault(pack_offset_truncated ${pack_1} ${pack}
  "matrix[at + i]" "matrix[static_cast<int>(at + i)]" "allocation|is wrong")

# ---- batches of pointers ----------------------------------------------------------------------
set(place kernels/common/matrix_place.cuh)
set(hgemm_p hgemm_wgmma_pointers_bf16_bf16_64x64x64)
set(hgemm_p_wide hgemm_wgmma_pointers_bf16_bf16_128x128x64)
set(hgemm_p_pair hgemm_wgmma_pointers_bf16_bf16_pair_256x128x64)
set(tgemm_p gemm_wgmma_pointers_tf32_f32_64x64x32)
set(bgemm_p blackwell_bf16_bf16_pointers_64x64x64)
emulator_fault(pointers_of_another_map ${hgemm_p} ${loader}
  "place_in_memory(matrix_b(), args.b.base)" "place_in_memory(matrix_b(), args.a.base)" "wrong|allocation")
emulator_fault(pointers_all_taken_for_aligned ${hgemm_p} ${place}
  "return address % kMemoryMapStepBytes == 0;" "return true;" "wrong|allocation")
emulator_fault(pointers_of_c_taken_for_aligned ${hgemm_p_pair} ${place}
  "&& begins_for_tma(reinterpret_cast<uintptr_t>(matrix));" ";" "wrong|allocation")
emulator_fault(pointers_of_the_first_matrix ${bgemm_p} ${place}
  "static_cast<const void* const*>(args.c)[batch]" "static_cast<const void* const*>(args.c)[0]" "wrong|race|also writes")
emulator_fault(pointers_of_b_not_looked_at ${hgemm_p} ${loader}
  "reinterpret_cast<uintptr_t>(matrix_b()))" "0)" "wrong|allocation")
emulator_fault(pointers_copied_rows_past_the_last ${hgemm_p} ${loader}
  "across < (along_rows ? k_end : rows) ?" "true ?" "wrong|allocation")
emulator_fault(pointers_copied_columns_past_the_last ${hgemm_p} ${loader}
  "if (i < left) word" "word" "wrong|allocation")
emulator_fault(pointers_copied_blocks_overlap ${hgemm_p_wide} ${loader}
  "first + line / kTileK * kBlock" "first" "wrong")
emulator_fault(pointers_copied_into_a_full_stage ${hgemm_p} ${loader}
  "if (leads) ptx::mbarrier_wait(ring.empty(at.stage), at.parity ^ 1);" "" "may still write|no barrier")
emulator_fault(pointers_copied_before_the_wait_of_one ${hgemm_p} ${loader}
  "__syncwarp();  // the first lane's wait" "// the first lane's wait" "may still write|may still read|no barrier in between")
emulator_fault(pointers_copied_without_a_fence ${hgemm_p} ${loader}
  "ptx::fence_async_shared();" "" "no fence_async_shared")
emulator_fault(pointers_copied_and_not_all_lanes_awaited ${hgemm_p} ${loader}
  "__syncwarp();  // all lanes' stores" "// all lanes' stores" "no barrier in between|no fence_async_shared|nothing wrote")
emulator_fault(pointers_copied_and_not_rounded ${tgemm_p} ${loader}
  "word = ptx::round_to_tf32(word);" "{}" "wrong")
emulator_fault(pointers_copied_words_of_other_bytes ${hgemm_p} ${loader}
  "<< i * kBytes % 4 * 8" "<< (kElements - 1 - i) * kBytes % 4 * 8" "wrong")
emulator_fault(pointers_no_group_of_their_own ${hgemm_p_pair} kernels/hopper/store_tile.cuh
  "if (kShape.by_pointers && is_elected()) ptx::tma_store_commit();" "" "may still read")

# ---- parts of k added up behind a product -----------------------------------------------------
set(sum kernels/sum/sum_parts.cuh)
set(sum_f32 sum_parts_f32_f32)
set(sum_bf16 sum_parts_f32_bf16)
emulator_fault(sum_grid_ahead_not_waited_for ${sum_f32} ${sum}
  "begin_grid(args, args.m);" "" "reads global memory, and has not waited for the grid ahead")
emulator_fault(sum_last_part_forgotten ${sum_f32} ${sum}
  "part + i < last)" "part + i + 1 < last)" "is wrong")
emulator_fault(sum_part_of_the_next_group_added ${sum_bf16} ${sum}
  "part + i < last)" "part + i <= last)" "allocation|is wrong")
emulator_fault(sum_later_loads_forgotten ${sum_f32} ${sum}
  "part += kSumsInFlight) {\n    uint4" "part += 1 << 20) {\n    uint4" "is wrong")
emulator_fault(sum_later_parts_of_a_cut_run_forgotten ${sum_f32} ${sum}
  "part += kSumsInFlight) {\n      Sums" "part += 1 << 20) {\n      Sums" "is wrong")
emulator_fault(sum_barrier_after_sums_removed ${sum_f32} ${sum}
  "__syncthreads();  // all groups' sums" "// all groups' sums" "no barrier in between|nothing wrote")
emulator_fault(sum_barrier_after_loads_removed ${sum_f32} ${sum}
  "__syncthreads();  // the first group's loads" "// the first group's loads" "no barrier in between")
emulator_fault(sum_reads_past_the_parts ${sum_bf16} ${sum}
  "exists ? run : 0" "run" "allocation")
emulator_fault(sum_run_cut_by_the_last_row_stored_whole ${sum_bf16} ${sum}
  " || row + Cfg::kRun > args.m" "" "allocation|is wrong")
emulator_fault(sum_c_taken_for_aligned ${sum_bf16} ${sum}
  "args.c_in_runs == 0 || " "" "aligned|alignment")
emulator_fault(sum_beta_ignored ${sum_f32} ${sum}
  "load_scalar<Sum>(args.beta)," "Sum(0)," "is wrong")
emulator_fault(sum_of_no_product_added ${sum_f32} ${sum}
  "!is_zero(load_scalar<Sum>(args.alpha))" "true" "is wrong")
emulator_fault(sum_imaginary_part_of_a_cut_run_lost sum_parts_c32_c32 ${sum}
  "__ldcg(&from->y)" "Real(0)" "is wrong")
emulator_fault(sum_imaginary_part_lost sum_parts_c64_c64 kernels/common/arithmetic.cuh
  "a.y + b.y" "a.y" "is wrong")

# ---- what is done ahead of rounding -----------------------------------------------------------
set(epilogue kernels/common/epilogue.cuh)
emulator_fault(epilogue_bias_of_the_first_batch ${f32} ${epilogue}
  "bias + batch * arg.stride + first_row" "bias + first_row" "wrong")
emulator_fault(epilogue_relu_forgotten ${hgemm} ${epilogue}
  "activation == Activation::kRelu ?" "activation == Activation::kGelu ?" "wrong")
emulator_fault(epilogue_gelu_forgotten ${hgemm} ${hopper_store}
  "if constexpr (kIsGelu) results[i] = gelu(results[i]);" "" "wrong")
emulator_fault(epilogue_bias_of_the_other_row ${hgemm_pair} ${hopper_store}
  "rows_are_m ? i / 2 % 2 :" "rows_are_m ? i % 2 :" "wrong")
emulator_fault(epilogue_bias_of_the_pair hgemm_wgmma_bf16_bf16_80x64x64 ${hopper_store}
  "i / 4 * 2 + i % 2;" "i / 4 * 2;" "wrong")
emulator_fault(epilogue_bias_in_order_of_registers ${sgemm} ${simt_store}
  "return place_in_registers<Cfg>(i % Cfg::kAccM);" "return i % Cfg::kAccM;" "wrong")
emulator_fault(epilogue_bias_of_the_batch_tile ${sgemm_batch} ${simt_batch}
  "epilogue_of_batch<float>(args.epilogue, batch, first_m + row)"
  "epilogue_of_batch<float>(args.epilogue, batch, first_m)" "wrong")
emulator_fault(epilogue_bias_of_the_first_warp ${bf16_mma} ${mma_gemm}
  "epilogue_of_batch<Out>(args.epilogue, batch, warp_m)"
  "epilogue_of_batch<Out>(args.epilogue, batch, first_m)" "wrong")
emulator_fault(mma_old_c_of_the_other_octet ampere_f64_sm90_f64_64x64x16 kernels/common/mma_epilogue.cuh
  "results[octet / 2], octet % 2 * 2, finish" "results[octet / 2], 2 - octet % 2 * 2, finish" "")
emulator_fault(epilogue_forgotten_on_the_quick_way ${bf16_mma} ${mma_epilogue}
  "direct = finish.has_product && !target.epilogue.any() &&" "direct = finish.has_product &&" "wrong")
emulator_fault(epilogue_bias_of_one_row_of_a_pair ${bgemm} ${blackwell_store}
  "return s / 4 * 2 + s % 2;" "return s / 4 * 2;" "wrong")
emulator_fault(epilogue_bias_along_columns ${dot_rows} ${gemv_frame}
  "finish, epilogue, Cfg::kSwapped ? col : row)" "finish, epilogue, row)" "wrong|allocation")
emulator_fault(epilogue_bias_of_the_first_rows ${sum_f32} ${sum}
  "epilogue_of_batch<Out>(args.epilogue, 0, row)" "epilogue_of_batch<Out>(args.epilogue, 0, 0)" "is wrong")
