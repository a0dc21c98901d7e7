#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# frond batch --group: groups of processes come to what one process comes to, and a run that was ended goes on: batch_groups_test.sh FROND MPIEXEC
set -euo pipefail
frond=$1
mpiexec=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
cd "$scratch"

# expect CODE COMMAND...: the command ends so, with its output in out.
expect() {
  local code=0 wanted=$1
  shift
  "$@" > out 2> err || code=$?
  [ "$code" = "$wanted" ] || { cat out err; fail "$*: exit code $code instead of $wanted"; }
}
# in_processes P ARGUMENTS...: frond batch in P processes of MPI.
in_processes() {
  local number=$1
  shift
  "$mpiexec" -n "$number" "$frond" batch "$@"
}
# verdicts FILE: the number of each system in a file of results, with its verdict.
verdicts() { sed 's/^{"system":\([0-9]*\),.*"verdict":"\([^"]*\)".*/\1 \2/' "$1" | sort -n; }
# is_near FILE OTHER: the same numbers, but for rounding.
is_near() {
  paste -d ' ' "$1" "$2" | awk '
    NR == 2 && $1 != $3 { exit 1 }
    NR > 2 { for (i = 1; i <= NF / 2; ++i) { d = $i - $(i + NF / 2); if (d * d > 1e-18 * (1 + $i * $i)) exit 1 } }
    END { if (NR < 3) exit 1 }'
}

for kind in laplacian2d9 helmholtz3d elasticity3d; do "$frond" generate $kind 8 -o $kind.mtx > /dev/null; done
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n1 2 1\n' > singular.mtx
echo 'no matrix' > unreadable.mtx
"$frond" solve helmholtz3d.mtx --nrhs 2 --out b.mtx > /dev/null
for k in 1 2 3; do
  printf 'laplacian2d9.mtx\nsingular.mtx\nhelmholtz3d.mtx b.mtx\nunreadable.mtx\nelasticity3d.mtx\nlaplacian2d9.mtx b.mtx\nnowhere.mtx\n'
done > list
expect 3 "$frond" batch list --results alone --out alone.x
for sizes in '2 1' '4 2' ${FROND_ALL_TESTS:+'2 2' '4 4'}; do
  read -r processes group <<< "$sizes"
  rm -rf results x
  expect 3 in_processes "$processes" list --group "$group" --results results --out x
  diff <(verdicts alone) <(verdicts results) || fail "$processes processes in groups of $group come to other verdicts"
  [ "$(ls x)" = "$(ls alone.x)" ] || fail "not a solution for each system by $processes processes in groups of $group"
  for solution in alone.x/*; do
    is_near "$solution" "x/${solution#*/}" || fail "groups of $group: another $solution"
  done
done
expect 3 "$frond" batch list --processes 4 --group 2
grep -q '4 processes in groups of 2' out || { cat out; fail "--processes does not start groups"; }

# One pattern.
for k in $(seq 30); do echo laplacian2d9.mtx; done > same
expect 0 in_processes 4 same --group 2 --same-pattern
printf 'helmholtz3d.mtx\n' >> same
expect 3 in_processes 4 same --group 2 --same-pattern
grep -q '^refused *1$' out || { cat out; fail "another pattern is not refused"; }

# What is too large for a group is tried by all, and what is too large for all is said to be so.
"$frond" generate elasticity3d 14 -o large.mtx > /dev/null
printf 'laplacian2d9.mtx\nlarge.mtx\n' > sizes
expect 0 in_processes 4 sizes --group 2 --memory-limit 52MB
grep -q '^together *1 too large' out || { cat out; fail "not tried by all processes"; }
expect 3 in_processes 4 sizes --group 2 --memory-limit 400kB
grep -q '^too large *[12]$' out || { cat out; fail "not said to be too large"; }

# A signal keeps what is done, and another run goes on, by other groups.
for k in $(seq 20); do printf 'laplacian2d9.mtx\nhelmholtz3d.mtx\nelasticity3d.mtx\n'; done > long
"$mpiexec" -n 4 "$frond" batch long --group 2 --results begun > out 2> err &
run=$!
for k in $(seq 1000); do
  [ -s begun ] && [ "$(wc -l < begun)" -ge 5 ] && break
  sleep 0.01
done
kill $run
code=0
wait $run || code=$?
[ $code = 8 ] || { cat out err; fail "SIGTERM: exit code $code instead of 8"; }
[ "$(grep -c '"verdict":"solved"' begun)" -lt 60 ] || fail "SIGTERM ended nothing"
expect 0 in_processes 4 long --group 4 --results begun
grep -q 'with results from before' out || fail "a stopped run was begun again"
[ "$(verdicts begun | uniq | wc -l)" = 60 ] || fail "not a result for each system after a stop"

# What is no group.
expect 2 in_processes 4 list --group 3
grep -q -- '--group 3 with 4 processes: start 6 of them' err || { cat err; fail "no remedy for groups of 3"; }
expect 2 "$frond" batch list --group 2
grep -q -- '--group 2 with 1 process: start 2 of them' err || { cat err; fail "no remedy for a process alone"; }
expect 2 "$frond" batch list --processes 4 --group 2 --survive
expect 2 in_processes 4 list --group 2 --survive
expect 2 in_processes 2 list --group 2 --workers 2
expect 2 in_processes 2 nowhere --group 2
expect 10 in_processes 2 list --group 2 --results no/such/folder/results
exit $((failures > 0))
