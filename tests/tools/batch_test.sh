#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# frond batch: killed at drawn moments and started again, no system is lost or there twice; what is wrong with one is said of it: batch_test.sh FROND [KILLS]
set -euo pipefail
frond=$1
kills=${2-20}
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
seed=${FROND_BATCH_SEED-$RANDOM}
RANDOM=$seed
echo "FROND_BATCH_SEED=$seed"
cd "$scratch"

# expect CODE ARGUMENTS...: frond batch ends so, with its output in out.
expect() {
  local code=0 wanted=$1
  shift
  "$frond" batch "$@" > out 2> err || code=$?
  [ "$code" = "$wanted" ] || { cat out err; fail "frond batch $*: exit code $code"; }
}

for kind in laplacian2d9 helmholtz3d elasticity3d; do "$frond" generate $kind 10 -o $kind.mtx > /dev/null; done
for k in $(seq 40); do printf 'laplacian2d9.mtx\nhelmholtz3d.mtx\nelasticity3d.mtx\n'; done > list
head -n 9 list > part
expect 0 part --results results --out x
for k in $(seq "$kills"); do
  "$frond" batch list --results results --out x > /dev/null 2>&1 &
  run=$!
  sleep "0.0$((RANDOM % 90 + 10))"
  kill -9 $run 2> /dev/null || true
  wait $run 2> /dev/null || true
done
# So that the last run has something to do, whatever the machine.
grep -v '"system":120,' results > fewer && mv fewer results
expect 0 list --results results --out x
[ "$(grep -c '"verdict":"solved"' results)" = 120 ] || fail "not a result for each of 120 systems"
[ "$(sed -n 's/^{"system":\([0-9]*\),.*/\1/p' results | sort -u | wc -l)" = 120 ] || fail "results for one system twice"
# What was killed while it wrote may have left a piece, but under another name.
[ "$(ls x | grep -c '\.x\.mtx$')" = 120 ] || fail "not a solution for each system"
grep -q '^solved *120$' out || fail "the table does not have them all"
grep -q 'have results from before' out || fail "nothing was found again"

printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n1 2 1\n' > singular.mtx
echo 'no matrix' > unreadable.mtx
printf 'laplacian2d9.mtx\nsingular.mtx\nunreadable.mtx\nnowhere.mtx\nelasticity3d.mtx\n' > mixed
expect 3 mixed --workers 2 --memory-limit 3MB
for line in 'solved *1' 'singular *1' 'unreadable *2' 'too large *1'; do grep -q "^$line\$" out || { cat out; fail "no line $line"; }; done
grep -q 'elasticity3d.mtx: the factorization needs at least' out || fail "not said how large is too large"
expect 3 mixed --same-pattern
grep -q '^refused' out || { cat out; fail "another pattern is not refused"; }

# Right-hand sides, and options.
"$frond" solve laplacian2d9.mtx --out b.mtx > /dev/null
printf 'laplacian2d9.mtx b.mtx\n' > with_rhs
expect 0 with_rhs --out with_rhs.x --chunks gss --threads 2 --precision mixed
[ -s with_rhs.x/1-laplacian2d9.x.mtx ] || fail "no solution"
expect 2 nowhere
expect 2 list --results no/such/folder/results
expect 2 list --chunks awf
expect 2 list --out /dev/null/x
if mpiexec=$(command -v mpiexec.mpich); then
  ! "$mpiexec" -n 2 "$frond" batch list > out 2> err || fail "several processes are not refused"
fi
exit $((failures > 0))
