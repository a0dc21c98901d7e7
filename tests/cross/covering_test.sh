#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs the covering selection of the cross test, and sees that its judge finds what is no good: covering_test.sh CROSS_TEST MPIEXEC
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
cross_test=$1
export MPIEXEC=$2
table=$scratch/table.tsv

succeeds '16 runs expected, 0 no good' "$root/tests/cross/run.sh" covering "$cross_test" "$table"
cat "$table"
cp "$table" "$scratch/good.tsv"
# damage SCRIPT TEXT: the judge says TEXT about the table as sed's SCRIPT leaves it.
damage() {
  sed "$1" "$scratch/good.tsv" >"$table"
  ! cmp -s "$table" "$scratch/good.tsv" || fail "$1 changes nothing"
  fails "$2" "$root/tests/cross/run.sh" covering "$cross_test" "$table"
}
# field NUMBER VALUE TEXT: the judge says TEXT about the kkt matrix on 4 ranks when that field has the VALUE.
field() { damage "/^kkt[^\t]*\t4\t/s/^\(\([^\t]*\t\)\{$(($1 - 1))\}\)[^\t]*/\1$2/" "$3"; }
damage '$s/solved$/singular/' 'NO GOOD: singular'
damage '$s/[0-9.]*e-[0-9]*/1.1e-13/' 'NO GOOD: backward error 1.1e-13'
field 9 1e-3 'NO GOOD: x differs by 1e-3'
field 9 inf 'NO GOOD: x differs by inf'
field 10 2.0e+00 'NO GOOD: the determinant differs by 2.0e+00'
field 11 1,2,3 'NO GOOD: inertia 1,2,3'
field 13 1 'NO GOOD: 1 delayed pivots'
damage 's/\(\t[0-9]*\)\{3\}\(\t[0-9.]*\tsolved\)$/\t0\t0\t0\2/' 'NO GOOD: no slaves were ever chosen by ranks 4'

# Lines that are missing are run, and so is the one during which somebody stopped the script.
head -n -3 "$scratch/good.tsv" >"$table"
printf '%s' "$(tail -n 3 "$scratch/good.tsv" | head -n 1 | cut -f 1-5)" >>"$table"
succeeds '16 runs expected, 0 no good' "$root/tests/cross/run.sh" covering "$cross_test" "$table"
[ "$(cut -f 1-5 "$table")" = "$(cut -f 1-5 "$scratch/good.tsv")" ] || fail "other lines than before: $(cat "$table")"
exit $((failures > 0))
