#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs clang-tidy with the rules of .clang-tidy over every source that was compiled in a build folder: tools/scripts/check_tidy.sh BUILD_FOLDER
# (clang does not know every warning option that GCC is given, nor can it read GCC's precompiled headers)
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")/../.."
database=$(mktemp -d)
trap 'rm -r "$database"' EXIT
sed 's/ -include [^ ]*cmake_pch\.hxx//' "$build/compile_commands.json" > "$database/compile_commands.json"
sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$database/compile_commands.json" | grep -vE '(cmake_pch\.hxx\.cxx|\.f90)$' | sort -u |
  xargs --max-procs="$(nproc)" --max-args=1 clang-tidy-14 -p "$database" --quiet --warnings-as-errors='*' --extra-arg=-Wno-unknown-warning-option
