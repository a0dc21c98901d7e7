#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# frond solve --survive: processes are killed at drawn moments, and those who are left come to the answer: survive_test.sh FROND MPIEXEC [RUNS]
set -euo pipefail
frond=$1
mpiexec=$2
runs=${3-6}
folder=$(mktemp -d)
seed=${FROND_SURVIVE_SEED-$RANDOM}
RANDOM=$seed
echo "FROND_SURVIVE_SEED=$seed"
trap 'pkill -9 -f "$folder/" 2>/dev/null || true; rm -rf "$folder"' EXIT
die() { echo "FAILED: $*" >&2; exit 1; }

"$frond" generate kkt3d 16 -o "$folder/k.mtx" > /dev/null
"$frond" solve "$folder/k.mtx" --threads 1 > "$folder/alone"
inertia=$(grep '^inertia' "$folder/alone")

# start OPTIONS...: starts the processes in the background, as process $run, and waits until all have met.
start() {
  mkdir "$folder/arbiter"
  echo "of somebody else" > "$folder/arbiter/mine"
  "$frond" solve "$folder/k.mtx" --threads 1 --survive --arbiter "$folder/arbiter" --set heartbeat-limit=2 "$@" \
    > "$folder/out" 2> "$folder/err" &
  run=$!
}
met() { for _ in $(seq 1000); do [ "$(find "$folder/arbiter" -name 'address.*[0-9]' | wc -l)" = "$1" ] && return; sleep 0.01; done; die "they do not meet"; }
# own_folder PROCESS: that of its run.
own_folder() { tr '\0' '\n' < "/proc/$1/environ" 2>/dev/null | sed -n 's#^FROND_SURVIVOR=[0-9]*/[0-9]*/one/##p'; }
check() {
  local code=0
  wait "$run" || code=$?
  [ "$code" = "$1" ] || { cat "$folder/out" "$folder/err"; die "exit code $code"; }
  [ "$1" != 0 ] || grep -q '^verdict *solved' "$folder/out" || { cat "$folder/out"; die "no answer"; }
  [ "$1" != 0 ] || [ "$(grep -c '^inertia' "$folder/out")" = 1 ] || die "not one answer"
  [ "$1" != 0 ] || grep -qF "$inertia" "$folder/out" || die "another inertia"
  [ -z "$(pgrep -f "$folder/k.mtx" || true)" ] || die "processes are left"
  [ "$(ls "$folder/arbiter")" = mine ] || die "files are left, or gone"
  rm -rf "$folder/arbiter" "$folder/checkpoint"
}

for ((i = 0; i < runs; ++i)); do
  processes=$((2 + RANDOM % 3))
  options=(--processes $processes)
  ((i % 2)) && options+=(--checkpoint "$folder/checkpoint")
  start "${options[@]}"
  met $processes
  children=($(pgrep -P "$run"))
  first=$((RANDOM % processes))
  for ((k = 0; k < processes - 1; ++k)); do
    sleep "0.$((RANDOM % 4))$((RANDOM % 10))"
    kill -9 "${children[(first + k) % processes]}" 2>/dev/null || true
  done
  check 0
done

# From copies in memory: whoever is killed after the factorization costs none of it.
"$frond" solve "$folder/k.mtx" --threads 1 --survive=copies --processes 3 --set heartbeat-limit=2 --nrhs 50 --error-bounds all \
  --json "$folder/json" > "$folder/out" 2> "$folder/err" &
run=$!
for _ in $(seq 1000); do
  children=($(pgrep -P "$run" || true))
  [ ${#children[@]} = 3 ] && grep -qs 'in the solve' "$(own_folder "${children[0]}")/phase.0" && break
  sleep 0.01
done
kill -9 "${children[0]}" "${children[2]}"
code=0
wait "$run" || code=$?
[ "$code" = 0 ] && grep -qF "$inertia" "$folder/out" || { cat "$folder/out" "$folder/err"; die "with copies: exit code $code"; }
grep -Eq '^survival +copies: lost processes [02] \(in the solve\), [02] \(.*\); ([0-9]+) of \1 fronts not done again' "$folder/out" \
  || { cat "$folder/out"; die "with copies: something was done again"; }
grep -q '"protection": "copies"' "$folder/json" && grep -Eq '"attempts": [23]' "$folder/json" || die "JSON does not say what was lost"
code=0
"$frond" solve "$folder/k.mtx" --threads 1 --survive=copies --processes 2 --memory-limit 1MB 2> "$folder/err" > "$folder/out" || code=$?
[ "$code" = 4 ] && grep -q 'less [0-9]* bytes for copies' "$folder/err" || { cat "$folder/err"; die "copies are not counted: code $code"; }

# Nobody is left.
start --processes 2
met 2
kill -9 $(pgrep -P "$run")
check 6
grep -q 'all processes are gone' "$folder/err" || die "nothing is said when all are gone"

# One that does not answer for too long is given up, and ended.
start --processes 3
met 3
kill -STOP "$(pgrep -P "$run" | head -n 1)"
check 0
grep -q 'is gone; 2 go on' "$folder/err" || die "nobody was given up"

# A stop is an end like any other.
start --processes 3 --checkpoint "$folder/checkpoint"
met 3
kill -TERM "$run"
check 8
grep -q 'SIGTERM came' "$folder/err" && grep -q -- '--resume' "$folder/err" || die "a stop says nothing"

# Without a checkpoint it ends them all, as it does any program.
start --processes 2
met 2
kill -TERM "$run"
check 143

# Below a launcher, of whose children each outlives the process that it has started.
mkdir "$folder/arbiter"
echo "of somebody else" > "$folder/arbiter/mine"
"$mpiexec" -disable-auto-cleanup -n 3 "$frond" solve "$folder/k.mtx" --threads 1 --survive --arbiter "$folder/arbiter" \
  > "$folder/out" 2> "$folder/err" &
run=$!
for _ in $(seq 1000); do
  children=()
  for parent in $(pgrep -f "$folder/k.mtx"); do
    [ "$(ps -o comm= -p "$parent")" = frond ] && children+=($(pgrep -P "$parent" || true))
  done
  [ ${#children[@]} -ge 3 ] && break
  sleep 0.01
done
sleep 0.3
kill -9 "${children[@]:0:2}" 2>/dev/null || true
wait "$run" || true  # the launcher has a code of its own
grep -q '^verdict *solved' "$folder/out" && grep -qF "$inertia" "$folder/out" || { cat "$folder/out" "$folder/err"; die "below a launcher"; }
[ "$(ls "$folder/arbiter")" = mine ] || die "files are left, or gone, below a launcher"

# What fails on all is said once.
code=0
"$frond" solve "$folder/none.mtx" --processes 2 --survive 2> "$folder/err" > "$folder/out" || code=$?
[ "$code" = 2 ] && [ "$(grep -c 'none.mtx' "$folder/err")" = 1 ] || { cat "$folder/err"; die "a file that is not there: code $code"; }
for words in "--survive=files" "--survive=copies --once" "--survive=copies --arbiter $folder" "--survive=copies --checkpoint c"; do
  code=0
  "$frond" solve "$folder/k.mtx" --processes 2 $words 2> "$folder/err" > "$folder/out" || code=$?
  [ "$code" = 2 ] && grep -q -- '--survive=' "$folder/err" || { cat "$folder/err"; die "$words: code $code"; }
done
code=0
"$frond" solve "$folder/k.mtx" --survive 2> "$folder/err" || code=$?
[ "$code" = 2 ] && grep -q -- '--processes' "$folder/err" || die "a process alone"
