#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# aarch64_test.sh SOURCE_DIR BUILD_DIR: cross-compiles the drop-in for 64-bit Arm and runs its
# tests under qemu-user. Exit 77 (skipped) where a tool is missing, with its name.
set -eu
source_dir=$1
build_dir=$2

skip() {
  echo "SKIPPED: $1"
  exit 77
}
command -v aarch64-linux-gnu-g++ >/dev/null || skip "no aarch64-linux-gnu-g++ (g++-aarch64-linux-gnu)"
command -v qemu-aarch64 >/dev/null || command -v qemu-aarch64-static >/dev/null ||
  skip "no qemu-aarch64 (qemu-user)"
gtest=/usr/src/googletest
[ -f "$gtest/CMakeLists.txt" ] || skip "no GoogleTest source in $gtest (googletest)"

toolchain=$source_dir/cmake/toolchain-aarch64.cmake
if [ ! -d "$build_dir/gtest/lib/cmake/GTest" ]; then
  cmake -S "$gtest" -B "$build_dir/gtest-build" --toolchain "$toolchain" -DBUILD_GMOCK=OFF \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$build_dir/gtest" -DCMAKE_INSTALL_LIBDIR=lib
  cmake --build "$build_dir/gtest-build"
  cmake --install "$build_dir/gtest-build"
fi
cmake -S "$source_dir" -B "$build_dir" --toolchain "$toolchain" -DMYBLAS_CUDA=OFF \
  -DMYBLAS_BUILD_TESTS=ON -DMYBLAS_BUILD_BENCH=OFF -DMYBLAS_BUILD_EXAMPLES=OFF \
  -DGTest_DIR="$build_dir/gtest/lib/cmake/GTest"
cmake --build "$build_dir" --target dropin_forward_test dropin_state_test \
  dropin_shadow_test dropin_lt_test dropin_lt_threads_test
cd "$build_dir"
ctest --output-on-failure --no-tests=error \
  -R '^(dropin\.(forward|state|shadow|lt|lt_threads)_test|abi\.lib.*cublas.*)$'
