#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds and runs a consumer with what pkg-config says: pkg_config_test.sh COMPILER PKG_CONFIG_FOLDER PACKAGE CONSUMER_SOURCE [LAUNCHER...]
set -euo pipefail
compiler=$1 package=$3 consumer=$4
program=$(mktemp)
trap 'rm -f "$program"' EXIT
export PKG_CONFIG_PATH="$2"
flags=$(pkg-config --cflags --libs "$package")
# The flags are several words.
# shellcheck disable=SC2086
"$compiler" -std=c++20 "$consumer" $flags -o "$program"
"${@:5}" "$program"
