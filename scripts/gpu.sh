#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# gpu.sh [--quick] [--no-bench] [--families] [--only STEP,...] [--build DIR] [--out DIR]
#
# Builds for the GPU at hand, runs the GPU tests, a sample of them under compute-sanitizer, the
# example programs and frameworks under the preload, and the bench on bench/shapes/public.txt. A
# step that fails does not stop the next; a table of all steps comes last, and the exit status is 0
# if none failed. Installs nothing. MYBLAS_GIT_COMMIT names the source in the results where git
# does not know it.
#
#   --quick      fewer repetitions in the bench, no ceilings
#   --no-bench   no bench
#   --families   then also the tables of other chips, forced on this GPU: right, and how fast on
#                bench/shapes/families.txt (forced_sm_*.csv); builds sm_75's code too
#   --only LIST  only these steps: build tests sanitizers repeats cublas_app torch cupy jax bench
#                families (build is needed once; the build tree is kept)
#   --build DIR  build there (default: build-gpu); its logs/ holds each step's output
#   --out DIR    results of the bench (default: bench/results/<gpu>)

# shellcheck disable=SC2317 # the steps' functions are called by name
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

quick=0 only=build,tests,sanitizers,repeats,cublas_app,torch,cupy,jax,bench build=$root/build-gpu out=''
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=1 ;;
    --no-bench) only=${only/,bench/} ;;
    --families) only=$only,families ;;
    --only) only=${2:?--only needs a list of steps}; shift ;;
    --build) build=${2:?--build needs a folder}; shift ;;
    --out) out=${2:?--out needs a folder}; shift ;;
    -h | --help) print_usage; exit 0 ;;
    *) die "unknown option $1; see --help" ;;
  esac
  shift
done
[ "$has_gpu" = 1 ] || die "nvidia-smi finds no GPU"
check_preload_path "$build"
if [[ ",$only," == *,build,* ]] && ! has_fit_nvcc; then
  die "no nvcc 12.8 or newer; scripts/demo.sh --with-cuda fetches one"
fi
gpu_name=$(nvidia-smi --query-gpu=name --format=csv,noheader | sed -n 1p)
gpu_label=$(tr '[:upper:] ' '[:lower:]-' <<<"${gpu_name#NVIDIA }" | tr -cd 'a-z0-9-')
out=${out:-$root/bench/results/$gpu_label}
logs=$build/logs
mkdir -p "$logs" "$out"
programs=$build/bin/examples
preload=$build/lib/libmyblas_cublas.so.1

names=() verdicts=() seconds=() remarks=()
wanted() { [[ ",$only," == *",$1,"* ]]; }

# record NAME VERDICT SECONDS REMARK
record() { names+=("$1") verdicts+=("$2") seconds+=("$3") remarks+=("$4"); }

# step NAME REMARK_PATTERN COMMAND...: run it, keep its output, note how it went. The remark is the
# last line of the output that matches.
step() {
  local name=$1 pattern=$2 start=$SECONDS verdict=PASS remark status=0
  shift 2
  say "$name"
  "$@" 2>&1 | tee "$logs/$name.log" || status=$?
  [ "$status" = 0 ] || verdict=FAIL
  [ "$status" != 77 ] || verdict=skipped
  remark=$(grep -E "$pattern" "$logs/$name.log" | tail -n 1 || true)
  record "$name" "$verdict" $((SECONDS - start)) "${remark:0:90}"
}

# The emulator's own tests run on the CPU (scripts/test.sh): one small family is enough here.
build_all() {
  local archs=native
  if wanted families; then archs='native;75'; fi
  configure_and_build "$build" -DMYBLAS_CUDA=ON "-DMYBLAS_ARCHS=$archs" -DMYBLAS_BUILD_TESTS=ON \
    -DMYBLAS_BUILD_BENCH=ON -DMYBLAS_EMULATOR_FAMILIES=reference "-DMYBLAS_GIT_COMMIT=${MYBLAS_GIT_COMMIT:-}" \
    "-DMYBLAS_CUBLAS_HINT=$(wheel_cublas)" || return 1
  if [ -x "$build/bin/myblas-info" ]; then "$build/bin/myblas-info"; fi
}

run_tests() {
  local status=0 skipped
  MYBLAS_TEST_REQUIRE_GPU=1 ctest --test-dir "$build" -L gpu --output-on-failure --output-junit "$logs/tests.xml" |
    tee "$logs/ctest.log" || status=$?
  skipped=$(grep -c 'Skipped  *[0-9]' "$logs/ctest.log" || true)
  if [ "$skipped" != 0 ]; then echo "$skipped tests were skipped, on a machine with a GPU"; fi
  return "$status"
}

# Each tool of compute-sanitizer over a sample. racecheck slows kernels a hundredfold: fewer suites.
run_sanitizers() {
  local status=0 tool suites
  for tool in memcheck initcheck synccheck racecheck; do
    suites='RandomTest.*:EntryPointsTest.*:GroupedTest.*:IntrospectionTest.*'
    [ "$tool" != racecheck ] || suites='GroupedTest.*:IntrospectionTest.*'
    echo "-- $tool"
    MYBLAS_BACKEND=cuda MYBLAS_TEST_RANDOM=25 MYBLAS_TEST_EXACT_ALLOCATIONS=1 timeout 300 \
      compute-sanitizer --tool "$tool" --error-exitcode 9 "$build/bin/myblas_gemm_tests" \
      --gtest_brief=1 --gtest_filter="$suites" || status=1
  done
  if [ "$status" = 0 ]; then echo "4 tools, 0 errors"; fi
  return "$status"
}

# Each row on large products again and again, stored and added to C.
run_repeats() {
  local target beta status=0
  target=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | sed -n 1p | tr -d .)
  for beta in 0 -1; do
    python3 "$root/scripts/repeat_rows.py" --programs "$build/bin" --library "$build/lib/libmyblas.so" \
      --target "$target" --beta "$beta" || status=$?
  done
  return "$status"
}

run_cublas_app() {
  local results=$build/cublas_app_results.bin status=0
  if [ -x "$programs/cublas_app" ]; then
    echo "-- by cuBLAS"
    "$programs/cublas_app" --forward --save "$results" || return 1
    echo "-- under LD_PRELOAD"
    rm -f "$logs/cublas_app_calls.log"
    MYBLAS_LOG=$logs/cublas_app_calls.log LD_PRELOAD=$preload "$programs/cublas_app" --forward \
      --against "$results" || status=1
    sort "$logs/cublas_app_calls.log" | uniq -c || status=1
    grep -E 'Sgemm .* -> ' "$logs/cublas_app_calls.log" | grep -v forwarded >/dev/null || {
      echo "Sgemm was not served by myblas"
      status=1
    }
  else
    echo "no cuBLAS to build examples/cublas_app against"
    status=1
  fi
  echo "-- linked with myblas, no cuBLAS"
  MYBLAS_CUBLAS=off "$programs/cublas_app_on_myblas" || status=1
  return "$status"
}

has_module() {
  python3 -c "import importlib.util as u; raise SystemExit(u.find_spec('$1') is None)"
}

# framework NAME MODULE SCRIPT ARGUMENT...
framework() {
  local name=$1 module=$2 script=$3
  shift 3
  if has_module "$module"; then
    step "$name" '^served by' timeout 300 python3 "$root/examples/$script" --build "$build" \
      --keep-log "$logs/$name.calls.log" "$@"
  else
    record "$name" skipped 0 "no Python module $module"
  fi
}

run_bench() {
  local options=(--shapes "$root/bench/shapes/public.txt" --csv "$out/public.csv"
    --json "$out/public.json")
  if [ "$quick" = 1 ]; then
    options+=(--repeat 3 --case-seconds 0.1)
  else
    options+=(--ceilings --host-costs --dropin "$build/lib/myblas/libcublas.so.13")
  fi
  if has_module matplotlib; then options+=(--plot "$out/public.png"); fi
  "$build/bin/myblas-bench" "${options[@]}"
}

# The families of chips that are not at hand: products of every kind, then the large ones timed.
run_families() {
  local status=0 target filter
  for target in sm_75 sm_80 sm_89 sm_120; do
    echo "-- $target"
    filter=.
    [ "$target" != sm_75 ] || filter='(^|-)f16'  # what Turing's tensor cores take
    MYBLAS_BACKEND=cuda MYBLAS_TARGET=$target "$build/bin/myblas_gemm_tests" --gtest_brief=1 \
      --gtest_filter='RandomTest.*:*SpecialValuesTest*:BatchedTest.*:EveryRowTest.*:TmaRowsTest.*' || status=1
    MYBLAS_TARGET=$target "$build/bin/myblas-bench" --shapes "$root/bench/shapes/families.txt" \
      --filter "$filter" --repeat 5 --case-seconds 0.2 --csv "$out/forced_$target.csv" || status=1
  done
  return "$status"
}

if wanted build; then step build '(targets|sm_)' build_all; fi
if [ ! -e "$preload" ]; then
  record everything FAIL 0 "not built: $preload is missing"
else
  if wanted tests; then step tests 'tests passed|No tests|were skipped' run_tests; fi
  if wanted sanitizers; then
    if command -v compute-sanitizer >/dev/null; then
      step sanitizers '(tools, 0 errors|ERROR SUMMARY)' run_sanitizers
    else
      record sanitizers skipped 0 "no compute-sanitizer"
    fi
  fi
  if wanted repeats; then step repeats '(rows reached|skipped)' run_repeats; fi
  if wanted cublas_app; then step cublas_app '^(compared|cublas_app: |no cuBLAS)' run_cublas_app; fi
  if wanted torch; then
    framework torch_block torch pytorch_preload.py --app block
    framework torch_block_blas torch pytorch_preload.py --app block --without-lt
    framework torch_graph torch pytorch_preload.py --app graph
    framework torch_solve torch pytorch_preload.py --app solve
    if [ "$(nvidia-smi -L | grep -c '^GPU')" -gt 1 ]; then
      framework torch_devices torch pytorch_preload.py --app devices
    fi
  fi
  if wanted cupy; then framework cupy cupy cupy_preload.py; fi
  if wanted jax; then framework jax jax jax_preload.py; fi
  if wanted bench; then step bench '^[0-9]+ cases, ' run_bench; fi
  if wanted families; then step families '^[0-9]+ cases, ' run_families; fi
fi

say "$gpu_name"
failed=0
printf '%-16s %-8s %6s  %s\n' step result seconds ''
for i in "${!names[@]}"; do
  printf '%-16s %-8s %6s  %s\n' "${names[i]}" "${verdicts[i]}" "${seconds[i]}" "${remarks[i]}"
  [ "${verdicts[i]}" != FAIL ] || failed=$((failed + 1))
done
if wanted bench; then echo "bench results: $out"; fi
echo "logs: $logs"
if [ $failed = 0 ]; then echo PASS; else echo "FAIL: $failed steps"; fi
exit $((failed > 0))
