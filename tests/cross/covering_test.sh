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
# Any two values of two parameters have met, of which there are so many.
pairs=$(cut -f 1-6 "$table" | awk -F '\t' 'NR > 1 {
  for (k = 1; k <= 6; ++k) {
    values[k] += !((k, $k) in is_known)
    is_known[k, $k] = 1
    for (l = 1; l < k; ++l) { met[k, l] += !((k, $k, l, $l) in have_met); have_met[k, $k, l, $l] = 1 }
  }
}
END { for (k = 1; k <= 6; ++k) { printf "%d ", values[k]; for (l = 1; l < k; ++l) missing += values[k] * values[l] - met[k, l] }
  print "values, " missing + 0 " pairs missing" }')
[ "$pairs" = '4 4 4 2 2 4 values, 0 pairs missing' ] || fail "$pairs"
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
field 10 1e-3 'NO GOOD: x differs by 1e-3'
field 10 inf 'NO GOOD: x differs by inf'
field 11 2.0e+00 'NO GOOD: the determinant differs by 2.0e+00'
field 12 1,2,3 'NO GOOD: inertia 1,2,3'
field 14 1 'NO GOOD: 1 delayed pivots'
damage 's/\(\t[0-9]*\)\{2\}\(\(\t[0-9]*\)\{2\}\t[0-9.]*\tsolved\)$/\t0\t0\2/' 'NO GOOD: no slaves were ever chosen by ranks 4'
damage 's/\t[0-9]*\(\t[0-9.]*\tsolved\)$/\t0\1/' 'NO GOOD: no tasks were ever taken'

# Lines that are missing are run, and so is the one during which somebody stopped the script.
head -n -3 "$scratch/good.tsv" >"$table"
printf '%s' "$(tail -n 3 "$scratch/good.tsv" | head -n 1 | cut -f 1-6)" >>"$table"
succeeds '16 runs expected, 0 no good' "$root/tests/cross/run.sh" covering "$cross_test" "$table"
[ "$(cut -f 1-6 "$table")" = "$(cut -f 1-6 "$scratch/good.tsv")" ] || fail "other lines than before: $(cat "$table")"
exit $((failures > 0))
