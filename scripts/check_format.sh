#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# check_format.sh [--fix]
#
# Whether the sources are as clang-format-14 would have them, the scripts pass shellcheck, each file
# names its licence, and the pages' lines, but for tables, end within 120 columns. Tables (.inc) are
# laid out by hand. --fix formats the sources.
# A tool that is not installed is named and its check skipped.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

fix=0
case ${1:-} in
  --fix) fix=1 ;;
  -h | --help) print_usage; exit 0 ;;
  '') ;;
  *) die "unknown option $1; see --help" ;;
esac
cd "$root"

# The repository's files with the given endings; without git, all but the usual build trees'.
list() {
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    local file
    git ls-files --cached --others --exclude-standard -- "$@" | sort -u |
      while read -r file; do if [ -e "$file" ]; then echo "$file"; fi; done
    return
  fi
  local pattern arguments=()
  for pattern in "$@"; do arguments+=(-o -name "$pattern"); done
  find . \( -name .git -o -name 'build*' -type d \) -prune -o \
    -type f \( "${arguments[@]:1}" \) -print | sort
}

bad=0
mapfile -t sources < <(list '*.h' '*.c' '*.cpp' '*.cu' '*.cuh')
mapfile -t scripts < <(list '*.sh' '*run')
mapfile -t texts < <(list '*.h' '*.c' '*.cpp' '*.cu' '*.cuh' '*.S' '*.inc' '*.py' '*.sh' '*.cmake' \
  '*CMakeLists.txt' '*run')
mapfile -t pages < <(list '*.md')

if ! command -v clang-format-14 >/dev/null; then
  echo "check_format: no clang-format-14: layout not checked"
elif [ $fix = 1 ]; then
  clang-format-14 --style=file -i "${sources[@]}"
elif ! clang-format-14 --style=file --dry-run -Werror "${sources[@]}"; then
  bad=1
fi
if ! command -v shellcheck >/dev/null; then
  echo "check_format: no shellcheck: scripts not checked"
elif ! shellcheck "${scripts[@]}"; then
  bad=1
fi
for file in "${texts[@]}"; do
  if ! sed -n 1,3p "$file" | grep -F 'SPDX-License-Identifier: BSD-3-Clause' >/dev/null; then
    echo "$file: no SPDX line at the top"
    bad=1
  fi
done
for file in "${pages[@]}"; do
  if grep -HnE '^[^|].{120}' "$file" | cut -c1-100; then bad=1; fi
done
if [ $bad = 0 ]; then echo "check_format: ${#texts[@]} files, nothing to complain of"; fi
exit $bad
