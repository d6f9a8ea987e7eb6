#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# install_test.sh STEP BUILD SOURCE PREFIX [CMAKE]: what a user does with an installed myblas.
#   install       cmake --install into PREFIX, and the files are where they belong
#   pkg-config    build the examples by pkg-config from a moved copy of PREFIX, run them on the CPU
#   find-package  the same through find_package
#   cpack         build the packages and look at what is in them
# Exit 77: a tool is missing.
set -euo pipefail
step=$1 build=$2 source=$3 prefix=$4 cmake=${5:-cmake}
export MYBLAS_BACKEND=cpu MYBLAS_CUBLAS=off

fail() { echo "install_test: $*" >&2; exit 1; }
need() { command -v "$1" >/dev/null || { echo "install_test: skipped, no $1"; exit 77; }; }

expect_files() {
  local root=$1 file
  shift
  for file in "$@"; do [ -e "$root/$file" ] || fail "$file is missing under $root"; done
}

files_of_install=(
  include/myblas.h include/myblas/compat/cublas_v2.h include/myblas/compat/cublas_api.h
  include/myblas/compat/myblas_cublas_typed.inc
  lib/libmyblas.so lib/libmyblas.so.1 lib/libmyblas_cublas.so lib/libmyblas_cublas.so.1
  lib/myblas/libcublas.so lib/myblas/libcublas.so.12 lib/myblas/libcublas.so.13
  lib/myblas/libcublasLt.so.12 lib/myblas/libcublasLt.so.13
  lib/pkgconfig/myblas.pc lib/pkgconfig/myblas-cublas.pc lib/cmake/myblas/myblasConfig.cmake
)

case $step in
  install)
    rm -rf "$prefix"
    "$cmake" --install "$build" --prefix "$prefix" >/dev/null
    libdir=$(dirname "$(find "$prefix" -name libmyblas.so.1)")
    [ "$libdir" = "$prefix/lib" ] || fail "libraries are in $libdir; configure with lib as LIBDIR"
    expect_files "$prefix" "${files_of_install[@]}"
    ;;
  pkg-config)
    need pkg-config
    moved=$prefix-moved
    rm -rf "$moved"
    cp -a "$prefix" "$moved"
    export PKG_CONFIG_PATH=$moved/lib/pkgconfig LD_LIBRARY_PATH=$moved/lib
    for pair in gemm:myblas cublas_cpu_app:myblas-cublas; do
      program=${pair%%:*} package=${pair#*:}
      read -ra flags <<<"$(pkg-config --cflags --libs "$package")"
      [[ "${flags[*]}" == *"$moved"* ]] || fail "$package.pc does not follow the moved folder"
      cc -std=c99 -Wall -Wextra -Werror "$source/examples/$program.c" -o "$moved/$program" \
        "${flags[@]}" -ldl -lm
      "$moved/$program"
    done
    libraries=$(ldd "$moved/cublas_cpu_app")
    [[ $libraries == *"$moved/lib/libmyblas_cublas.so.1"* ]] ||
      fail "cublas_cpu_app is not linked with libmyblas_cublas.so.1"
    rm -rf "$moved"
    ;;
  find-package)
    consumer=$prefix-consumer
    rm -rf "$consumer"
    "$cmake" -S "$source/tests/compat/packaging/consumer" -B "$consumer" \
      -DCMAKE_PREFIX_PATH="$prefix" -DEXAMPLES="$source/examples" -DCMAKE_BUILD_TYPE=Release >/dev/null
    "$cmake" --build "$consumer"
    "$consumer/native"
    "$consumer/cublas"
    rm -rf "$consumer"
    ;;
  cpack)
    packages=$prefix-packages
    rm -rf "$packages"
    generators=TGZ
    if command -v dpkg-deb >/dev/null; then generators="DEB;TGZ"; fi
    cpack=$(dirname "$(command -v "$cmake")")/cpack
    (cd "$build" && "$cpack" -G "$generators" -B "$packages" >/dev/null)
    archive=$(find "$packages" -maxdepth 1 -name '*.tar.gz')
    [ -n "$archive" ] || fail "no .tar.gz"
    mkdir "$packages/unpacked"
    tar -xzf "$archive" -C "$packages/unpacked" --strip-components=1
    expect_files "$packages/unpacked" "${files_of_install[@]}"
    if [ "$generators" != TGZ ]; then
      package=$(find "$packages" -maxdepth 1 -name 'myblas_*.deb')
      [ -n "$package" ] || fail "no .deb"
      dpkg-deb --field "$package"
      [ "$(dpkg-deb --field "$package" Package)" = myblas ] || fail "wrong package name"
      [[ "$(dpkg-deb --field "$package" Recommends)" == *libopenblas0* ]] ||
        fail "the package does not recommend libopenblas0"
      mkdir "$packages/root"
      dpkg-deb --extract "$package" "$packages/root"
      expect_files "$packages/root/usr" "${files_of_install[@]}"
    fi
    rm -rf "$packages"
    ;;
  *) fail "unknown step $step" ;;
esac
