#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Writes what a compiler of C makes of the functions and types of a header: abi_of_header.sh HEADER ABI [FLAG...]
# The flags are those with which the compiler finds what the header includes.
# libabigail reads types from debug information, which the library has none of. So each function of the header is given a body of no
# use, in a library of its own; that the real one has the same functions is for the test of exported symbols to see to.
set -euo pipefail
header=$1 abi=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$header" "$folder/header.h"
{
  printf '#include "header.h"\n'
  cc -E -P "$@" "$folder/header.h" | tr '\n' ' ' | tr ';' '\n' |
    sed -n 's/^.*__attribute__((visibility("default"))) *\(.*frond_[a-z0-9_]*(.*)\) *$/\1 { __builtin_trap(); }/p'
} > "$folder/bodies.c"
cc -g -shared -fPIC -Wno-unused-parameter "$@" -Wl,-soname,libfrond.so.0 -o "$folder/libfrond.so" "$folder/bodies.c"
abidw --no-comp-dir-path --no-show-locs --no-corpus-path --out-file "$abi" "$folder/libfrond.so"
