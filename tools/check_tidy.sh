#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs clang-tidy with the rules of .clang-tidy over every source that was compiled in a build folder: tools/check_tidy.sh BUILD_FOLDER
# (clang does not know every warning option that GCC is given)
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")/.."
sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$build/compile_commands.json" | sort -u |
  xargs --max-procs="$(nproc)" --max-args=1 clang-tidy-14 -p "$build" --quiet --warnings-as-errors='*' --extra-arg=-Wno-unknown-warning-option
