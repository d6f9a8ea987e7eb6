#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# demo.sh [--with-cuda] [--no-install] [--build DIR]
#
# Installs what is missing, builds myblas, and shows its main job.
#   With a GPU:    examples/cublas_app, built against cuBLAS, runs plain and then under LD_PRELOAD;
#                  the results are compared and the log says which kernel served each call.
#   Without one:   the same products through cuBLAS's interface on OpenBLAS, checked.
#
#   --with-cuda    fetch nvcc, cudart and cuBLAS (NVIDIA's wheels, 1 GB, into build-cuda) if there
#                  is no nvcc 12.8 or newer; test.sh and gpu.sh use them too
#   --no-install   do not install Debian packages
#   --build DIR    build there (default: build-demo)
# Exit status 0: every result is right.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

with_cuda=0 install=1 build=$root/build-demo
while [ $# -gt 0 ]; do
  case $1 in
    --with-cuda) with_cuda=1 ;;
    --no-install) install=0 ;;
    --build) build=${2:?--build needs a folder}; shift ;;
    -h | --help) print_usage; exit 0 ;;
    *) die "unknown option $1; see --help" ;;
  esac
  shift
done

if [ $install = 1 ]; then install_packages "${build_packages[@]}"; fi
if [ $with_cuda = 1 ]; then install_cuda; fi

options=(-DMYBLAS_BUILD_TESTS=OFF -DMYBLAS_BUILD_BENCH=OFF)
if [ "$has_gpu" = 1 ]; then
  has_fit_nvcc || die "a GPU, but no nvcc 12.8 or newer; --with-cuda fetches one"
  check_preload_path "$build"
  options+=(-DMYBLAS_CUDA=ON -DMYBLAS_ARCHS=native "-DMYBLAS_CUBLAS_HINT=$(wheel_cublas)")
else
  options+=(-DMYBLAS_CUDA=OFF)
fi
say "Building in $build"
configure_and_build "$build" "${options[@]}"

log=$build/demo.log
# How the calls of the last run were served: a line for each kind of call.
show_log() {
  say "How the calls were served (MYBLAS_LOG)"
  sort "$log" | uniq -c
}

rm -f "$log"
programs=$build/bin/examples
if [ "$has_gpu" = 0 ]; then
  say "No GPU: cuBLAS's calls on OpenBLAS (examples/cublas_cpu_app.c)"
  export MYBLAS_BACKEND=cpu MYBLAS_CUBLAS=off MYBLAS_LOG=$log
  "$programs/cublas_cpu_app"
  say "The same library through its own interface (examples/gemm.c)"
  "$programs/example_gemm"
  show_log
  exit 0
fi

[ -x "$programs/cublas_app_on_myblas" ] || die "no CUDA toolkit was found; try --with-cuda"
if [ -x "$programs/cublas_app" ]; then
  say "examples/cublas_app by cuBLAS"
  "$programs/cublas_app" --forward --save "$build/demo_results.bin"
  say "The same program under LD_PRELOAD=$build/lib/libmyblas_cublas.so.1"
  MYBLAS_LOG=$log LD_PRELOAD=$build/lib/libmyblas_cublas.so.1 "$programs/cublas_app" --forward \
    --against "$build/demo_results.bin"
  show_log
fi
say "The same source linked with myblas in place of cuBLAS"
MYBLAS_CUBLAS=off "$programs/cublas_app_on_myblas"
