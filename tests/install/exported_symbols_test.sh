#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Whether the shared library shows what the public headers declare and nothing else: exported_symbols_test.sh LIBRARY HEADERS C_HEADER...
# HEADERS is the folder of those of C++.
set -euo pipefail
library=$1 headers=$2
shift 2
# Names of functions and classes: the part after the last frond:: before arguments; of members, their class.
names=$(nm --dynamic --defined-only --demangle --without-symbol-versions "$library" | grep -v ' A FROND_' | sed -E 's/^[0-9a-f]+ [A-Za-z] //')
declared=$(cat "$headers"/*.hpp | tr -cs 'A-Za-z0-9_' '\n' | sort -u)
of_c=$(sed -n 's/^FROND_C_API .*[ *]\(frond_[a-z0-9_]*\)(.*/\1/p' "$@")
# [stripped name, tab, name] of all others.
others=$(grep -vxFf <(echo "$of_c") <<< "$names" || true)
stripped=$(sed -E 's/\[abi:[^]]*\]//g; s/^(vtable|typeinfo|typeinfo name|guard variable) for //; :a; s/<[^<>]*>//g; ta; s/\(.*//; s/^.* (frond::)/\1/' <<< "$others")
foreign=$(paste <(echo "$stripped") <(echo "$others") | awk -F '\t' '
  NR == FNR { declared[$1]; next }
  { word = $1; is_ours = sub(/^frond::/, "", word); sub(/[^A-Za-z0-9_].*/, "", word) }
  !is_ours || !(word in declared) { print $2 }' <(echo "$declared") -)
if [ -n "$foreign" ]; then
  printf 'not declared by a public header, but exported:\n%s\n' "$foreign" >&2
  exit 1
fi
missing=$(comm -13 <(sort <<< "$names") <(sort <<< "$of_c"))
[ -z "$missing" ] || { echo "declared by a header of C, but not exported: $missing" >&2; exit 1; }
# Functions of C keep their version while the library's name is the same, all else has that of the minor version.
mixed=$(nm --dynamic --defined-only --with-symbol-versions "$library" | grep -v ' A FROND_' |
  grep -vE ' frond_[a-z0-9_]*@@FROND_[0-9]+$| _Z[A-Za-z0-9_]*@@FROND_CXX_[0-9]+\.[0-9]+$' || true)
[ -z "$mixed" ] || { echo "exported with the version of the other language, or without one: $mixed" >&2; exit 1; }
count=$(wc -l <<< "$names")
[ "$count" -gt 50 ] || { echo "only $count symbols are exported" >&2; exit 1; }
