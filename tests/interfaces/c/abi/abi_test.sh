#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Whether programs that were compiled with an earlier header go on working: abi_test.sh HEADER BASELINE [FLAG...]
# The flags are those of abi_of_header.sh; with them HEADER is one that includes frond.h, whose functions count, too.
# Functions may be added, which BASELINE gets with a release; nothing may change or go while the library keeps its name.
set -euo pipefail
header=$1 baseline=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
compare() { abidiff --no-added-syms "$baseline" "$folder/now.abi"; }
here=$(dirname "$0")
bash "$here/abi_of_header.sh" "$header" "$folder/now.abi" "$@"
number=$(grep -c "<function-decl.*elf-symbol-id='frond_" "$folder/now.abi")
of_frond_h=
[ "$#" -eq 0 ] || of_frond_h=$here/../../../../interfaces/c/include/frond.h
[ "$number" -eq "$(cat "$header" $of_frond_h | grep -c '^FROND_C_API .*(')" ] || { echo "of the functions of $header, $number were found" >&2; exit 1; }
compare || {
  echo "programs of C that were built before would break: undo that, or raise the major version and write the baseline anew by" \
    "bash $here/abi_of_header.sh $header $baseline $*" >&2
  exit 1
}
[ "$#" -eq 0 ] || exit 0

# The comparison itself: each of these changes has to be found.
is_found() {
  sed "$1" "$header" > "$folder/frond_changed.h"
  ! cmp -s "$header" "$folder/frond_changed.h" || { echo "the change $1 changes nothing" >&2; exit 1; }
  bash "$here/abi_of_header.sh" "$folder/frond_changed.h" "$folder/now.abi"
  ! compare > /dev/null || { echo "the change $1 is not found" >&2; exit 1; }
}
is_found 's/frond_set_values(frond_solver\* solver, int64_t num_entries/frond_set_values(frond_solver* solver, int32_t num_entries/'
is_found 's/^FROND_C_API frond_status frond_analyze/frond_status frond_analyze/'
is_found 's/FROND_SINGULAR = 2/FROND_SINGULAR = 9/'
