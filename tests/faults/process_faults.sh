#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# One of three processes of a solve meets a fault at a random moment: process_faults.sh FROND MPIEXEC FAULT TRIALS
#   killed    kill -9: the launcher ends the others, nothing is left after 10 s, the exit code is not 0
#   orphaned  kill -9, and nobody cleans up: the others name the silent rank, and are gone 10 s after the heartbeat limit
#   stopped   kill -STOP, and -CONT before the limit: the system is solved
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
frond=$1 mpiexec=$2 fault=$3 trials=$4
ranks=3
case $fault in
  killed) limit=30 ;;
  orphaned) limit=2 ;;
  stopped) limit=6 ;;
  *) fail "no such fault: $fault"; exit 1 ;;
esac

# With one proxy of the launcher per process, as on so many machines: a proxy kills all processes of its own when one of them dies,
# also under -disable-auto-cleanup.
launch=("$mpiexec" -n $ranks)
[ "$fault" = orphaned ] && launch=("$mpiexec" -disable-auto-cleanup -launcher fork -hosts localhost,127.0.0.1,127.0.0.2 -n $ranks)

# The processes of the solve that was started as $1.
processes() { for proxy in $(pgrep -P "$1"); do pgrep -P "$proxy"; done; }
alive() { for process in "$@"; do [ "$(ps -o stat= -p "$process" | cut -c1)" ] && echo "$process"; done; }
rank_of() { tr '\0' '\n' <"/proc/$1/environ" | sed -n 's/^PMI_RANK=//p'; }

start_solve() {
  "${launch[@]}" "$frond" solve "$scratch/A.mtx" --threads 1 --set heartbeat-limit="$limit" >"$scratch/output" 2>&1 &
  solve=$!
}
wait_until_gone() {  # SECONDS PROCESS...
  local deadline=$((SECONDS + $1))
  shift
  while [ -n "$(alive "$@")" ] && ((SECONDS < deadline)); do sleep 0.1; done
  [ -z "$(alive "$@")" ]
}

# Whether the solve said its verdict and ended with code 0: its victim had ended before the signal came (to signal one that has
# ended, but was not waited for, is no error), so nothing could miss it.
was_over() { [ "$1" = 0 ] && grep -q 'verdict *solved' "$scratch/output"; }

# Checks return 1 when the fault came too late.
check_killed() {  # VICTIM PROCESS...
  kill -9 "$1" 2>/dev/null || return 1
  wait_until_gone 10 "${@:2}" || fail "left after 10 s: $(alive "${@:2}")"
  wait $solve
  local code=$?
  ! was_over $code || return 1
  ((code != 0)) || fail "exit code 0 though a process was killed: $(cat "$scratch/output")"
  return 0
}
check_orphaned() {  # VICTIM PROCESS...
  local lost
  lost=$(rank_of "$1" 2>/dev/null)
  kill -9 "$1" 2>/dev/null || return 1
  wait_until_gone $((limit + 10)) "${@:2}" || fail "left 10 s after the limit: $(alive "${@:2}")"
  wait $solve
  local code=$?
  ! was_over $code || return 1
  ((code != 0)) || fail "exit code 0 though a process was killed: $(cat "$scratch/output")"
  ! grep -q 'verdict *solved' "$scratch/output" || return 1  # all was done: nobody misses it
  # The library below MPI ends a process whose partner is gone in the middle of a copy from memory to memory: others may then name
  # that one, and where it ends both of them nobody is left to name any.
  local named="rank $lost"
  ! grep -q 'process_vm_readv.*No such process' "$scratch/output" || named='rank [0-9]+'
  local ended
  ended=$(grep 'process_vm_readv.*No such process' "$scratch/output" | cut -d ']' -f 1 | sort -u | wc -l)
  ((ended >= ranks - 1)) || grep -qE "$named has given no sign of life" "$scratch/output" ||
    fail "nobody names rank $lost: $(cat "$scratch/output")"
  [ "$(grep -cE "$named has given no sign of life|process_vm_readv.*No such process" "$scratch/output")" -ge $((ranks - 1)) ] ||
    fail "not all survivors say why they leave: $(cat "$scratch/output")"
  return 0
}
check_stopped() {  # VICTIM PROCESS...
  kill -STOP "$1" 2>/dev/null || return 1
  sleep 1
  kill -CONT "$1"
  wait $solve || fail "exit code $? though a process was only stopped: $(cat "$scratch/output")"
  grep -q 'verdict *solved' "$scratch/output" || fail "not solved: $(cat "$scratch/output")"
  return 0
}

"$frond" generate laplacian3d7 40 -o "$scratch/A.mtx" >/dev/null || fail 'no matrix'
start_solve
begin=$(date +%s%N)
wait $solve || fail "not solved without any fault: $(cat "$scratch/output")"
milliseconds=$((($(date +%s%N) - begin) / 1000000))

met=0
for ((trial = 1; met < trials && trial <= 4 * trials; ++trial)); do
  start_solve
  moment=$((300 + RANDOM % (milliseconds > 400 ? milliseconds - 300 : 100)))  # MPI has started by then
  sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
  mapfile -t all < <(processes $solve)
  if [ ${#all[@]} -lt $ranks ]; then  # it was faster this time
    wait $solve
    continue
  fi
  before=$failures
  "check_$fault" "${all[RANDOM % ranks]}" "${all[@]}" && met=$((met + 1))
  ((failures == before)) || echo "trial $trial, after $moment ms" >&2
done
((met == trials)) || fail "only $met solves were not over before their fault"
echo "$fault: $met trials, failures: $failures"
exit $((failures > 0))
