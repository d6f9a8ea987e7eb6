# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2034 # the package lists are the callers'
# setup.sh: sourced by the other scripts: what they print with, what they need installed, and how
# they build. Sets root (the repository), has_gpu and cuda_flags, and uses a CUDA that demo.sh
# --with-cuda has fetched where there is no other fit one.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cuda_flags=()

say() { printf '\n== %s\n' "$*"; }
die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

if command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep '^GPU' >/dev/null; then
  has_gpu=1
else
  has_gpu=0
fi
export has_gpu

# What each Debian package is wanted for: a command, a file, or (lib:) a library of the loader.
declare -A provides=(
  [cmake]=cmake [ninja-build]=ninja [g++]=g++ [pkg-config]=pkg-config [python3]=python3
  [libopenblas0-pthread]=lib:libopenblas.so.0
  [libgtest-dev]=/usr/include/gtest/gtest.h
  [nlohmann-json3-dev]=/usr/include/nlohmann/json.hpp
  [libcli11-dev]=/usr/include/CLI/CLI.hpp
  [clang-format-14]=clang-format-14 [shellcheck]=shellcheck
  [gcc-aarch64-linux-gnu]=aarch64-linux-gnu-gcc [g++-aarch64-linux-gnu]=aarch64-linux-gnu-g++
  [qemu-user]=qemu-aarch64 [python3-pip]=pip3
)
build_packages=(cmake ninja-build g++ libopenblas0-pthread nlohmann-json3-dev libcli11-dev)
test_packages=("${build_packages[@]}" libgtest-dev pkg-config python3 clang-format-14 shellcheck
  gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user)

is_there() {
  local what=${provides[$1]}
  case $what in
    /*) [ -e "$what" ] ;;
    lib:*) /sbin/ldconfig -p | grep -F "${what#lib:}" >/dev/null ;;
    *) command -v "$what" >/dev/null ;;
  esac
}

# install_packages PACKAGE...: those that are missing, through apt-get. No network when none is.
install_packages() {
  local missing=() package as_root=()
  for package in "$@"; do is_there "$package" || missing+=("$package"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null || die "missing, and no apt-get to install them: ${missing[*]}"
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "missing, and neither root nor sudo: ${missing[*]}"
    as_root=(sudo)
  fi
  say "Installing ${missing[*]}"
  "${as_root[@]}" apt-get -qq update
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq install --no-install-recommends "${missing[@]}" >/dev/null
  for package in "${missing[@]}"; do
    is_there "$package" || die "$package is installed, but ${provides[$package]} is not there"
  done
}

# The nvcc that CMake would find; nothing where there is none.
find_nvcc() {
  local candidate
  for candidate in "${CUDA_HOME:-}/bin/nvcc" "${CUDA_PATH:-}/bin/nvcc" \
    "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc; do
    if [ -x "$candidate" ]; then
      echo "$candidate"
      return
    fi
  done
}

# Whether there is an nvcc that can build the kernels.
has_fit_nvcc() {
  local nvcc release
  nvcc=$(find_nvcc)
  [ -n "$nvcc" ] || return 1
  release=$("$nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
  [ "$(printf '%s\n' 12.8 "$release" | sort -V | sed -n 1p)" = 12.8 ]
}

# use_toolkit DIRECTORY: the CUDA of NVIDIA's wheels in that directory.
use_toolkit() {
  local toolkit=$1/nvidia/cu13 library
  # The wheels have the libraries without the names that a linker looks for.
  ln -sfn lib "$toolkit/lib64"
  for library in cudart cublas cublasLt; do
    if [ ! -e "$toolkit/lib/lib$library.so" ]; then
      ln -s "lib$library.so.13" "$toolkit/lib/lib$library.so"
    fi
  done
  # -U: a build folder may remember an older nvcc.
  cuda_flags=("-DCUDAToolkit_ROOT=$toolkit" -UMYBLAS_NVCC -UMYBLAS_CUDA_INCLUDE_DIR)
  export PATH="$toolkit/bin:$PATH" CUDA_HOME=$toolkit
}

# install_cuda: nvcc, cudart and cuBLAS from NVIDIA's wheels, about 1 GB, into build-cuda, unless
# there is a fit nvcc. Only on the user's word; the other scripts find it there.
install_cuda() {
  if has_fit_nvcc; then return 0; fi
  install_packages python3 python3-pip
  say "Installing CUDA 13.0 into $cuda_directory"
  python3 -m pip install --quiet --target "$cuda_directory" "nvidia-cuda-nvcc==13.0.*" \
    "nvidia-cuda-crt==13.0.*" "nvidia-nvvm==13.0.*" "nvidia-cuda-runtime==13.0.*" \
    "nvidia-cuda-cccl==13.0.*" "nvidia-cublas==13.1.*"
  use_toolkit "$cuda_directory"
}

cuda_directory=$root/build-cuda
if [ -x "$cuda_directory/nvidia/cu13/bin/nvcc" ] && ! has_fit_nvcc; then
  use_toolkit "$cuda_directory"
fi

# check_preload_path DIRECTORY: whether LD_PRELOAD can name a library in it.
check_preload_path() {
  case $1 in
    *[' :']*) die "LD_PRELOAD takes no path with a space or a colon: $1; give another --build" ;;
  esac
}

# The cuBLAS of Python's wheels, for a machine whose toolkit has none.
wheel_cublas() {
  python3 - <<'PYTHON' 2>/dev/null || true
import pathlib
import nvidia
for place in nvidia.__path__:
    for library in sorted(pathlib.Path(place).glob("*/lib/libcublas.so.1[23]")):
        print(library.parent)
        raise SystemExit
PYTHON
}

# configure_and_build BUILD OPTION...: CMake and ninja. For machines that reach no registry, what
# is missing there (header-only libraries in include/, CMake packages) may lie in the ignored folder
# third_party_carry.
configure_and_build() {
  local build=$1
  shift
  if [ -d "$root/third_party_carry" ]; then
    set -- "$@" "-DMYBLAS_THIRD_PARTY_DIR=$root/third_party_carry" \
      "-DCMAKE_PREFIX_PATH=$root/third_party_carry"
  fi
  # Joined by &&: callers that note failures switch errexit off.
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    ${cuda_flags[@]+"${cuda_flags[@]}"} "$@" && cmake --build "$build"
}

# print_usage: the comment block at the top of the calling script.
print_usage() { awk 'NR > 2 && !/^#/ { exit } NR > 2 { sub(/^# ?/, ""); print }' "$0"; }
