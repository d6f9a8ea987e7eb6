#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test.sh [--no-install] [--build DIR] [--cmake OPTION]... [CTEST_ARGUMENT...]
#
# Installs what is missing, builds everything with warnings as errors (the kernels too where there
# is an nvcc, for every architecture), checks the sources' layout, and runs all tests. Without a
# GPU the tests that need one say that they were skipped. The last lines are ctest's summary.
#
#   --no-install    do not install Debian packages
#   --build DIR     build there (default: build-test)
#   --cmake OPTION  one more option of CMake's, for instance -DMYBLAS_ARCHS=90a
# What follows goes to ctest, for instance: -L cpu -R compat
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install=1 build=$root/build-test
options=(-DMYBLAS_CUDA=AUTO -DMYBLAS_WERROR=ON -DMYBLAS_BUILD_TESTS=ON)
while [ $# -gt 0 ]; do
  case $1 in
    --no-install) install=0 ;;
    --build) build=${2:?--build needs a folder}; shift ;;
    --cmake) options+=("${2:?--cmake needs an option}"); shift ;;
    -h | --help) print_usage; exit 0 ;;
    *) break ;;
  esac
  shift
done

if [ $install = 1 ]; then install_packages "${test_packages[@]}"; fi
say "Building in $build"
configure_and_build "$build" "${options[@]}"
say "Layout of the sources"
format=0
"$root/scripts/check_format.sh" || format=1
say "Tests"
tests=0
ctest --test-dir "$build" --output-on-failure --parallel "$(nproc)" "$@" || tests=$?
if [ $format != 0 ]; then die "the layout is not as check_format.sh wants it (see above)"; fi
exit $tests
