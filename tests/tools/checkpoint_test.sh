#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs of frond with a checkpoint are ended at drawn moments, in all ways there are, and resumed by other numbers of threads and
# processes: checkpoint_test.sh FROND [MPIEXEC]. FROND_CHECKPOINT_SEED=s repeats a run, FROND_CHECKPOINT_STOPS=n asks for more.
set -euo pipefail
frond=$(realpath "$1")
mpiexec=${2-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
RANDOM=${FROND_CHECKPOINT_SEED:-$$}
echo "seed: ${FROND_CHECKPOINT_SEED:-$$}"

die() { echo "error: $*" >&2; cat out.txt resumed.txt 2>/dev/null >&2 || true; exit 1; }

# run PROCESSES ARGUMENTS...
run() {
  local processes=$1
  shift
  if [ "$processes" -gt 1 ]; then "$mpiexec" -n "$processes" "$frond" "$@"; else "$frond" "$@"; fi
}

"$frond" generate elasticity3d 14 -o elasticity.mtx >/dev/null
"$frond" generate kkt3d 12 -o kkt.mtx >/dev/null
"$frond" generate convection3d 18 -o convection.mtx >/dev/null
for name in elasticity kkt convection; do
  "$frond" solve $name.mtx --threads 2 --out $name.x >/dev/null
done

resumed=0
stops=${FROND_CHECKPOINT_STOPS:-$([ "${FROND_ALL_TESTS-}" ] && echo 12 || echo 5)}
for ((stop = 0; stop < stops || (resumed == 0 && stop < 40); ++stop)); do
  names=(elasticity kkt convection)
  name=${names[RANDOM % 3]}
  processes=1 others=1
  if [ -n "$mpiexec" ]; then processes=$((1 + RANDOM % 3)) others=$((1 + RANDOM % 4)); fi
  way=$((RANDOM % 4)) delay=0.$((RANDOM % 7))$((RANDOM % 10))
  what="$name on $processes, ended by $way after $delay s, resumed on $others"
  rm -rf checkpoint out.txt resumed.txt x.mtx
  listening=yes
  if [ $way = 3 ]; then
    code=0
    run $processes solve $name.mtx --checkpoint "$folder/checkpoint" --set checkpoint-every=0.1s --time-limit "$delay" >out.txt 2>&1 || code=$?
  else
    run $processes solve $name.mtx --checkpoint "$folder/checkpoint" --set checkpoint-every=0.1s >out.txt 2>&1 &
    job=$!
    sleep "$delay"
    if [ -d checkpoint ]; then listening=yes; else listening=no; fi
    case $way in
      0) pkill -9 -f "solve $name.mtx --checkpoint $folder/" || true ;;
      1)
        signals=(TERM INT HUP)
        pkill -${signals[RANDOM % 3]} -n -f "$frond solve $name.mtx --checkpoint $folder/" || true
        ;;
      2) "$frond" checkpoint checkpoint --stop >/dev/null 2>&1 || true ;;
    esac
    code=0
    wait $job 2>/dev/null || code=$?
  fi
  case $way,$code,$listening in
    *,0,* | [123],8,* | 0,137,*) ;;
    1,*,yes) grep -q '^verdict *solved' out.txt || die "$what: exit code $code" ;;  # it came when all was done
    1,*,no) ;;  # a signal that comes before anybody listens ends the process, or its launcher with a code of its own
    *) die "$what: exit code $code" ;;
  esac
  [ -d checkpoint ] || continue  # killed before it had begun
  run $others solve $name.mtx --resume checkpoint --out x.mtx >resumed.txt 2>&1 || die "$what: not resumed"
  grep -q '^verdict *solved' resumed.txt || die "$what: not solved"
  if [ $processes = 1 ] && [ $others = 1 ]; then
    cmp -s $name.x x.mtx || die "$what: other bits"
  fi
  "$frond" resume-info checkpoint >out.txt 2>&1 || die "$what: not shown"
  grep -Eq 'fronts? found' resumed.txt && resumed=$((resumed + 1))
done
echo "resumed from fronts: $resumed"
[ "$resumed" -gt 0 ]
