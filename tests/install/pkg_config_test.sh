#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds and runs examples with what pkg-config says: pkg_config_test.sh COMPILER PREFIX_LIBRARIES PACKAGE LAUNCHER EXAMPLE...
# LAUNCHER: the words before a program, or "".
set -euo pipefail
compiler=$1 libraries=$2 package=$3 launcher=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PKG_CONFIG_PATH="$libraries/pkgconfig"
export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
flags=$(pkg-config --cflags --libs "$package")
for example in "${@:5}"; do
  # The flags and the launcher are several words.
  # shellcheck disable=SC2086
  "$compiler" -std=c++20 -isystem /usr/include/eigen3 "$example" $flags -o "$folder/example"
  # shellcheck disable=SC2086
  $launcher "$folder/example"
done
