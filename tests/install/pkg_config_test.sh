#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds and runs a consumer with what pkg-config says: pkg_config_test.sh COMPILER CONSUMER_SOURCE PKG_CONFIG_FOLDER
set -euo pipefail
program=$(mktemp)
trap 'rm -f "$program"' EXIT
export PKG_CONFIG_PATH="$3"
flags=$(pkg-config --cflags --libs frond)
# The flags are several words.
# shellcheck disable=SC2086
"$1" -std=c++20 "$2" $flags -o "$program"
"$program"
