#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Processes leave runs of frond at drawn moments, as users ask by frond drain: drain_test.sh FROND MPIEXEC.
# FROND_DRAIN_SEED=s repeats a run, FROND_DRAIN_RUNS=n asks for more.
set -euo pipefail
frond=$(realpath "$1")
mpiexec=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
RANDOM=${FROND_DRAIN_SEED:-$$}
echo "seed: ${FROND_DRAIN_SEED:-$$}"

die() { echo "error: $*" >&2; cat out.txt drain.txt resumed.txt 2>/dev/null >&2 || true; exit 1; }

"$frond" generate elasticity3d 20 -o elasticity.mtx >/dev/null
"$frond" generate kkt3d 18 -o kkt.mtx >/dev/null
"$frond" generate convection3d 26 -o convection.mtx >/dev/null

left=0
# Fast machines may be done before anybody is asked to leave.
runs=${FROND_DRAIN_RUNS:-$([ "${FROND_ALL_TESTS-}" ] && echo 6 || echo 2)}
for ((run = 0; run < runs || (left == 0 && run < 40); ++run)); do
  names=(elasticity kkt convection)
  name=${names[RANDOM % 3]}
  processes=$((2 + RANDOM % 3))
  rank=$((RANDOM % processes))
  delay=0.$((RANDOM % 5))$((RANDOM % 10))
  stops=$((RANDOM % 3 == 0))
  what="rank $rank of $processes leaves $name after $delay s"
  rm -rf checkpoint out.txt drain.txt resumed.txt run.json
  "$mpiexec" -n $processes "$frond" solve $name.mtx --checkpoint "$folder/checkpoint" --set checkpoint-every=0.1s --json run.json \
    >out.txt 2>&1 &
  job=$!
  for ((wait = 0; wait < 300; ++wait)); do
    compgen -G 'checkpoint/*/about' >/dev/null && break
    sleep 0.01
  done
  sleep "$delay"
  way=()
  if [ $((RANDOM % 2)) = 1 ]; then way=(--through-files); fi
  "$frond" drain checkpoint $rank "${way[@]}" >drain.txt 2>&1 || grep -q 'no process is at work' drain.txt || die "$what: not asked"
  if [ $stops = 1 ]; then "$frond" checkpoint checkpoint --stop >/dev/null 2>&1 || true; fi
  code=0
  wait $job || code=$?
  case $stops,$code in
    *,0) grep -q '^verdict *solved' out.txt || die "$what: not solved" ;;
    1,8) ;;
    *) die "$what: exit code $code" ;;
  esac
  if grep -q "^left *$rank:" out.txt; then
    left=$((left + 1))
    grep -q "^frond: rank $rank has left" out.txt || die "$what: not reported"
    compgen -G 'checkpoint/move-*' >/dev/null && die "$what: files are left"
  fi
  # What one process has handed to another is in the checkpoint as before.
  "$frond" solve $name.mtx --resume checkpoint >resumed.txt 2>&1 || die "$what: not resumed"
  grep -q '^verdict *solved' resumed.txt || die "$what: resumed, and not solved"
done
echo "left: $left"
[ "$left" -gt 0 ] || die "nobody has left"

"$frond" drain checkpoint 0 >drain.txt 2>&1 && die 'a run that is over was asked'
grep -q 'no process is at work' drain.txt || die 'the reason is missing'
"$mpiexec" -n 2 "$frond" solve kkt.mtx --checkpoint other >out.txt 2>&1 &
job=$!
for ((wait = 0; wait < 300; ++wait)); do
  [ -f other/system ] && break
  sleep 0.01
done
"$frond" drain other 7 >drain.txt || true
wait $job || die 'a rank that is none ended the run'
