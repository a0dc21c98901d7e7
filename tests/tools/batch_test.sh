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
for k in $(seq 20); do printf 'laplacian2d9.mtx\nhelmholtz3d.mtx\nelasticity3d.mtx\n'; done > list
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
grep -v '"system":60,' results > fewer && mv fewer results
expect 0 list --results results --out x
[ "$(grep -c '"verdict":"solved"' results)" = 60 ] || fail "not a result for each of 60 systems"
[ "$(sed -n 's/^{"system":\([0-9]*\),.*/\1/p' results | sort -u | wc -l)" = 60 ] || fail "results for one system twice"
# What was killed while it wrote may have left a piece, but under another name.
[ "$(ls x | grep -c '\.x\.mtx$')" = 60 ] || fail "not a solution for each system"
grep -q '^solved *60$' out || fail "the table does not have them all"
grep -q 'with results from before' out || fail "nothing was found again"

printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n1 2 1\n' > singular.mtx
echo 'no matrix' > unreadable.mtx
printf 'laplacian2d9.mtx\nelasticity3d.mtx\nlaplacian2d9.mtx\n' > mixed_sizes
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
expect 10 list --results no/such/folder/results
expect 2 list --chunks awf
expect 10 list --out /dev/null/x
# What is too large for a part of the memory is tried alone.
expect 0 mixed_sizes --workers 2 --memory-limit 9MB
grep -q '^alone  *1 too large' out || { cat out; fail "not tried alone"; }

if [ ! -x "$(dirname "$frond")/frond-survivor" ]; then  # built without MPI
  ! "$frond" batch list --processes 2 > out 2> err || fail "several processes without MPI"
  exit $((failures > 0))
fi

# start ARGUMENTS...: frond batch in four processes, killed or not; $run, and once it has done five systems ${child[RANK]}.
start() {
  rm -f begun
  "$frond" batch list --processes 4 --results begun "$@" > out 2> err &
  run=$!
  for k in $(seq 1000); do
    [ -s begun ] && [ "$(wc -l < begun)" -ge 5 ] && break
    sleep 0.01
  done
  child=()
  for process in $(pgrep -P $run); do
    rank=$(tr '\0' '\n' < /proc/"$process"/environ | sed -n 's|^FROND_SURVIVOR=\([0-9]*\)/.*|\1|p')
    child[$rank]=$process
  done
}
# end CODE: the run ends so, and nothing is left of it.
end() {
  local code=0
  wait $run || code=$?
  [ $code = "$1" ] || { cat out err; fail "several processes: exit code $code instead of $1"; }
  for process in "${child[@]}"; do ! kill -0 "$process" 2> /dev/null || fail "process $process is left over"; done
}

expect 0 list --processes 3 --out several
[ "$(ls several | grep -c '\.x\.mtx$')" = 60 ] || fail "not a solution for each system"
for k in 1-laplacian2d9 60-elasticity3d; do cmp -s several/$k.x.mtx x/$k.x.mtx || fail "another solution of $k"; done
expect 0 mixed_sizes --processes 2 --memory-limit 9MB
grep -q '^alone  *1 too large' out || { cat out; fail "not tried alone by the first of several processes"; }
# One of two matrices of a pattern happens to be symmetric: both are as they are stored, unless asked to be looked at.
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 2\n1 2 1\n2 1 1\n2 2 4\n' > mirrored.mtx
sed 's/^2 1 1$/2 1 3/' mirrored.mtx > unlike.mtx
printf 'mirrored.mtx\nunlike.mtx\n' > pair
expect 0 pair --same-pattern
expect 0 pair --set symmetry=detect
# The general one has no place in an analysis of half of its entries, and gets its own; the symmetric one has none in that of all.
expect 0 pair --same-pattern --set symmetry=detect --workers 1
printf 'unlike.mtx\nmirrored.mtx\n' > other_way_round
expect 3 other_way_round --same-pattern --set symmetry=detect --workers 1
grep -q 'mirrored.mtx: the analysis is of a general pattern' out || { cat out; fail "not said why one is refused"; }
grep laplacian list > same
expect 0 same --processes 3 --same-pattern --chunks awf-d
expect 3 mixed --processes 2 --same-pattern
grep -q '^refused' out || { cat out; fail "another pattern is not refused by several processes"; }
expect 0 part --processes 100 --results few
expect 0 part --processes 3 --results few
grep -q '9 with results from before' out || fail "nothing was found again by several processes"

# All workers are lost, and nobody watches.
start
kill -9 "${child[@]:1}" 2> /dev/null
end 0
grep -q '^solved *60$' out || { cat out; fail "not all systems are solved after all workers were killed"; }
grep -q '^lost processes *3  of 4: 1, 2, 3$' out || { cat out; fail "the summary does not say who was lost"; }
[ "$(sed -n 's/^{"system":\([0-9]*\),.*/\1/p' begun | sort | uniq -d | wc -l)" = 0 ] || fail "a system has two results"
# The first one is lost: only --survive goes on.
start
kill -9 "${child[0]}"
end 6
grep -q 'process 0 is gone' err || { cat err; fail "not said who is gone"; }
start --survive
kill -9 "${child[0]}" "${child[2]}"
end 0
grep -q '^solved *60$' out || { cat out; fail "not all systems are solved without the first process"; }
# Without copies a loss ends the run.
start --reissue off
kill -9 "${child[2]}"
end 6
# A signal keeps what is done, and another run goes on.
start
kill $run
end 8
[ "$(grep -c '"verdict":"solved"' begun)" -lt 60 ] || fail "SIGTERM ended nothing"
expect 0 list --processes 2 --results begun
grep -q 'with results from before' out || fail "a stopped run was begun again"
[ "$(grep -c '"verdict":"solved"' begun)" = 60 ] || fail "not a result for each system after a stop"
expect 10 list --processes 2 --results no/such/folder/results
expect 2 nowhere --processes 2
expect 2 list --survive

if mpiexec=$(command -v mpiexec.mpich); then
  "$mpiexec" -n 3 "$frond" batch list --out mpi > out 2> err || { cat out err; fail "mpiexec"; }
  grep -q '^solved *60$' out || fail "not all systems are solved by mpiexec"
  ! "$mpiexec" -n 2 "$frond" batch nowhere > out 2> err || fail "a list that is not there"
  ! "$mpiexec" -n 2 "$frond" batch list --results no/such/folder/results > out 2> err || fail "results that cannot be written"
fi
exit $((failures > 0))
