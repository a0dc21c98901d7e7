#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests frond under a launcher, as its users meet it: mpiexec_test.sh FROND MPIEXEC
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
frond=$1 mpiexec=$2
. "$root/tests/scripts/launched.sh"
some="1 3 ${FROND_ALL_TESTS:+2 4}"

"$frond" generate laplacian3d7 10 -o "$scratch/A.mtx" >/dev/null || fail 'no matrix'
"$frond" generate laplacian3d7 20 -o "$scratch/L.mtx" >/dev/null || fail 'no matrix'
"$frond" generate convection3d 14 -o "$scratch/C.mtx" >/dev/null || fail 'no matrix'
"$frond" generate laplacian3d7 36 -o "$scratch/M.mtx" >/dev/null || fail 'no matrix'
"$frond" generate kkt3d 5 -o "$scratch/K.mtx" >/dev/null || fail 'no matrix'

for ranks in $some; do
  ends_with 0 $ranks solve "$scratch/A.mtx" --threads 1 --json "$scratch/run.json"
  prints_once 'verdict *solved'
  [ "$(number ranks)" = $ranks ] || fail "ranks: $(number ranks) instead of $ranks"
  [ "$(number verdict)" = '"solved"' ] || fail "verdict: $(number verdict)"
  ends_with 0 $ranks solve "$scratch/K.mtx" --nrhs 3 --out "$scratch/x.mtx" --json "$scratch/run.json"
  [ "$(sed -n 2p "$scratch/x.mtx")" ] || fail "no solution written by $ranks processes"
  determinant="$(number real | cut -c 1-8) * 2^$(number exponent)" one=${one:-$determinant}
  [ "$determinant" = "$one" ] || fail "determinant: $determinant in $ranks processes, $one in one"
done
"$frond" solve "$scratch/K.mtx" --factor-part upper "$scratch/y1.mtx" >/dev/null || fail 'no solve with a part of the factors'
printf '%%%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n' > "$scratch/x2.mtx"
"$frond" solve "$scratch/K.mtx" --schur 3,7-8 --expand "$scratch/x2.mtx" "$scratch/e1.mtx" >/dev/null || fail 'no expansion'
printf '%s\n' 3 7 8 | "$frond" solve "$scratch/K.mtx" --schur /dev/stdin --expand "$scratch/x2.mtx" "$scratch/e.mtx" >/dev/null ||
  fail 'a list from a pipe was refused'
cmp "$scratch/e1.mtx" "$scratch/e.mtx" || fail 'a list from a pipe is another one'
for ranks in 2 3; do
  ends_with 0 $ranks solve "$scratch/K.mtx" --factor-part upper "$scratch/y.mtx"
  ends_with 0 $ranks solve "$scratch/K.mtx" --schur 3,7-8 --expand "$scratch/x2.mtx" "$scratch/e.mtx"
  prints_once 'expansion *backward error'
  printf '%s\n' 3 7 8 | timeout 60 "$mpiexec" -n $ranks "$frond" solve "$scratch/K.mtx" --schur /dev/stdin \
    --expand "$scratch/x2.mtx" "$scratch/p.mtx" >/dev/null || fail "a list from a pipe was refused by $ranks processes"
  cmp "$scratch/e.mtx" "$scratch/p.mtx" || fail "a list from a pipe is another one in $ranks processes"
  for pair in y1:y e1:e; do
    paste -d ' ' "$scratch/${pair%:*}.mtx" "$scratch/${pair#*:}.mtx" |
      awk 'NR > 2 { d = $1 - $2; n++; if (d * d > 1e-20 * (1 + $1 * $1)) exit 1 } END { if (n != 500) exit 1 }' ||
      fail "$pair: $ranks processes found something else than one"
  done
done
for ranks in 1 3; do
  ends_with 0 $ranks solve "$scratch/K.mtx" --precision single --out "$scratch/x.mtx" --json "$scratch/run.json"
  prints_once 'factors *ldlt in single precision'
  [ "$(number precision) $(number positive)" = '"single" 375' ] || fail "$(number precision), $(number positive) in $ranks processes"
  [ "$(sed -n 2p "$scratch/x.mtx")" = '500 1' ] || fail "no solution in single precision written by $ranks processes"
done
ends_with 7 3 solve "$scratch/K.mtx" --time-limit 1e-9
prints_once '--time-limit: 1e-09 s were over in the analysis'
ends_with 7 3 solve "$scratch/M.mtx" --threads 1 --time-limit 0.3
prints_once '--time-limit: 0.3 s were over'
for ranks in $some; do
  ends_with 0 $ranks solve "$scratch/K.mtx" --only inertia,determinant --json "$scratch/run.json"
  prints_once 'verdict *not singular; inertia: 375 positive, 125 negative, 0 zero; determinant'
  told="$(number real | cut -c 1-8) * 2^$(number exponent)"
  [ "$told" = "$one" ] || fail "determinant: $told in $ranks processes without factors, $one with them"
  [ "$(number factor_bytes)" = 0 ] || fail "factors were kept by $ranks processes"
done
for ranks in $some; do
  ends_with 0 $ranks solve "$scratch/C.mtx" --threads 1 --nrhs 3 --json "$scratch/run.json"
  all=$(number factor_bytes)
  ends_with 0 $ranks solve "$scratch/C.mtx" --threads 1 --nrhs 3 --once --out "$scratch/x.mtx" --json "$scratch/run.json"
  prints_once 'verdict *solved'
  (($(number factor_bytes) < all * 7 / 10)) || fail "$(number factor_bytes) bytes of factors, $all without --once"
  [ "$(sed -n 2p "$scratch/x.mtx")" = '2744 3' ] || fail "no solution of right-hand sides that were eliminated by $ranks processes"
done
ends_with 0 2 solve "$scratch/A.mtx" --once
prints_once 'all factors were kept: the factor L of a symmetric method serves both sweeps'
"$frond" solve "$scratch/A.mtx" --inverse-diagonal "$scratch/d.mtx" >/dev/null || fail 'no diagonal of the inverse'
for ranks in 1 3; do
  ends_with 0 $ranks solve "$scratch/A.mtx" --inverse-diagonal "$scratch/d$ranks.mtx" --inverse-entries "$scratch/A.mtx" "$scratch/E.mtx"
  prints_once 'inverse *diagonal: 1000 entries'
  [ "$(cut -c 1-9 "$scratch/d.mtx")" = "$(cut -c 1-9 "$scratch/d$ranks.mtx")" ] || fail "another diagonal of the inverse in $ranks processes"
  [ "$(sed -n 2p "$scratch/E.mtx")" = '1000 1000 6400' ] || fail "entries of the inverse: $(sed -n 2p "$scratch/E.mtx")"
done
for exchange in naive increments local-increments snapshot partial-snapshot; do
  ends_with 0 3 solve "$scratch/L.mtx" --threads 1 --set load-exchange=$exchange --schedule memory --set load-thread=off --json "$scratch/run.json"
  [ "$(number load_exchange)" = "\"$exchange\"" ] || fail "load_exchange: $(number load_exchange)"
  [ "$(number load_thread)" = false ] || fail "load_thread: $(number load_thread)"
  (($(number dynamic_decisions) > 0)) || fail 'no dynamic decision'
done
# Factors of some processes serve any number of others, and one without a launcher.
ends_with 0 3 solve "$scratch/L.mtx" --threads 1 --save-factors "$scratch/L.factors" --json "$scratch/run.json"
determinant="$(number real | cut -c 1-8) * 2^$(number exponent)"
prints_once "saved to *$scratch/L.factors"
for ranks in $some; do
  ends_with 0 $ranks solve "$scratch/L.mtx" --threads 1 --load-factors "$scratch/L.factors" --json "$scratch/run.json"
  prints_once "loaded from *$scratch/L.factors"
  loaded="$(number real | cut -c 1-8) * 2^$(number exponent)"
  [ "$determinant" = "$loaded" ] || fail "determinant: $determinant saved, $loaded loaded"
  [ "$(number factor_seconds)" = 0.0 ] || fail "loading took $(number factor_seconds) s of factorizing"
done
"$frond" solve "$scratch/L.mtx" --load-factors "$scratch/L.factors" >/dev/null || fail 'one process cannot load the factors of three'
ends_with 2 2 solve "$scratch/A.mtx" --load-factors "$scratch/L.factors"
prints_once 'another matrix'
ends_with 10 2 solve "$scratch/A.mtx" --save-factors /dev/full
prints_once 'No space left on device'
# Other values with the analysis of C: diagonals and every other entry of its rows.
awk 'NR == FNR { if (!/^%/ && n++ && ($1 == $2 || ($1 + $2) % 2)) kept++; next }
  /^%/ { print; next } !m++ { print $1, $2, kept; next } $1 == $2 || ($1 + $2) % 2 { print $1, $2, $3 * (1 + $1 % 3 / 8) }' \
  "$scratch/C.mtx" "$scratch/C.mtx" >"$scratch/D.mtx"
"$frond" solve "$scratch/D.mtx" --json "$scratch/run.json" >/dev/null || fail 'no solve with an analysis of its own'
own="$(number real | cut -c 1-8) * 2^$(number exponent)"
for precision in full mixed single; do
  ends_with 0 2 solve "$scratch/D.mtx" --analysis-of "$scratch/C.mtx" --ordering dissection --precision $precision --json "$scratch/run.json"
  prints_once "analysis *of $scratch/C.mtx"
  prints_once 'verdict *solved'
  prints_once 'count as zeros: [1-9]'
  [ "$(number analysis_of) $(number ordering)" = "\"$scratch/C.mtx\" \"dissection\"" ] || fail "$(number analysis_of), $(number ordering)"
  told="$(number real | cut -c 1-8) * 2^$(number exponent)"
  [ $precision != full ] || [ "$told" = "$own" ] || fail "determinant: $told with the analysis of another matrix, $own with its own"
done
"$frond" generate helmholtz3d 5 -o "$scratch/H.mtx" >/dev/null || fail 'no matrix'
awk '/^%/ || !n++ { print; next } { print $1, $2, $3 * (1 + $1 % 3 / 8), $4 }' "$scratch/H.mtx" >"$scratch/G.mtx"
ends_with 0 2 solve "$scratch/G.mtx" --analysis-of "$scratch/H.mtx"
prints_once 'verdict *solved'
ends_with 0 2 solve "$scratch/D.mtx" --analysis-of "$scratch/C.mtx" --once
prints_once 'verdict *solved'
ends_with 0 2 solve "$scratch/D.mtx" --analysis-of "$scratch/C.mtx" --schur 3,7-8 --schur-out "$scratch/S.mtx"
prints_once 'verdict *solved'
ends_with 0 2 solve "$scratch/D.mtx" --analysis-of "$scratch/C.mtx" --only determinant --json "$scratch/run.json"
told="$(number real | cut -c 1-8) * 2^$(number exponent)"
[ "$told" = "$own" ] || fail "determinant: $told with the analysis of another matrix, without factors, $own with its own"
ends_with 2 2 solve "$scratch/C.mtx" --analysis-of "$scratch/D.mtx" --write-ordering "$scratch/order"
prints_once "$scratch/C.mtx with the analysis of $scratch/D.mtx: .*the entry in row"
[ ! -e "$scratch/order" ] || fail 'an order was written for a matrix that was refused'
printf '%%%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n' >"$scratch/Z1.mtx"
ends_with 2 2 solve "$scratch/C.mtx" --analysis-of "$scratch/Z1.mtx"
prints_once "$scratch/Z1.mtx is complex, but $scratch/C.mtx is real"
for level in multiple serialized funneled; do
  ends_with 0 2 solve "$scratch/A.mtx" --set mpi-threads=$level --set watchdog=10 --set load-period=100 --set heartbeat-limit=60 --set bind=off
done

ends_with 0 2 calibrate --quick -o "$scratch/machine.json"
prints_once 'measuring memory'
grep -q '"latency_seconds"' "$scratch/machine.json" || fail 'two processes did not measure their messages'
"$frond" simulate "$scratch/A.mtx" --ranks 4 --machine "$scratch/machine.json" >/dev/null 2>&1; code=$?
[ $code = 0 ] || [ ! -x "$(dirname "$frond")/frond-simulator" ] || fail "exit code $code of frond simulate --machine"

# Two processes keep to different processors, unless they are not to. What was seen last counts: MPI tries processors out when it starts.
kept_apart() {
  local solve lists last=
  "$mpiexec" -n 2 "$frond" solve "$scratch/M.mtx" --threads 1 "$@" >/dev/null 2>&1 &
  solve=$!
  while kill -0 $solve 2>/dev/null; do
    lists=$(for proxy in $(pgrep -P $solve); do
      for process in $(pgrep -P "$proxy"); do sed -n 's/^Cpus_allowed_list:\s*//p' "/proc/$process/status" 2>/dev/null; done
    done)
    [ "$(wc -w <<<"$lists")" = 2 ] && last=$lists
    sleep 0.02
  done
  wait $solve || fail "not solved: $*"
  [ "$last" ] || fail 'two processes were never seen'
  [ "$(sort -u <<<"$last" | wc -l)" = 2 ]
}
if [ "$(nproc)" -ge 2 ]; then
  kept_apart || fail 'two processes share their processors'
  ! kept_apart --set bind=off || fail 'processes are bound in spite of bind=off'
fi

# A campaign starts a launcher for each matrix.
mkdir "$scratch/labelled"
cp "$scratch/A.mtx" "$scratch/K.mtx" "$scratch/labelled"
printf 'file\tclass\nA.mtx\tnonsingular\nK.mtx\tnonsingular\n' >"$scratch/labelled/LABELS.tsv"
succeeds '2 matrices: 2 agree' "$frond" check-labels "$scratch/labelled" --ranks 2 --threads 1

# Errors are told once, and all processes have the same exit code.
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n' >"$scratch/singular.mtx"
ends_with 3 2 solve "$scratch/singular.mtx" --null-space "$scratch/Z.mtx"
prints_once 'verdict *singular'
prints_once 'null space *dimension 1'
[ "$(sed -n '2,$p' "$scratch/Z.mtx" | tr -d '-' | tr '\n' ' ')" = '2 1 0 1 ' ] || fail "null space: $(cat "$scratch/Z.mtx")"
ends_with 2 3 solve "$scratch/missing.mtx"
prints_once 'frond: error:'
ends_with 2 2 solve "$scratch/A.mtx" --schur 1001
prints_once 'there is no variable 1001, the matrix has order 1000'
ends_with 2 2 solve "$scratch/K.mtx" --precision mixed --factor-part lower "$scratch/y.mtx"
ends_with 0 2 solve "$scratch/K.mtx" --precision mixed --save-factors "$scratch/K.factors"
rm -f "$scratch/x.mtx"
ends_with 2 2 solve "$scratch/K.mtx" --load-factors "$scratch/K.factors" --out "$scratch/x.mtx" --factor-part lower "$scratch/y.mtx"
prints_once 'the factors that were loaded are of single precision'
[ ! -e "$scratch/x.mtx" ] || fail 'a solution was written before a part of the factors was refused'
ends_with 2 2 solve "$scratch/A.mtx" --set load-exchange=telepathy
prints_once 'telepathy'
ends_with 2 2 solve "$scratch/A.mtx" --rhs "$scratch/K.mtx"
prints_once 'frond: error:'
ends_with 4 2 solve "$scratch/A.mtx" --memory-limit 100kB
prints_once 'frond: error: rank'
ends_with 2 2 analyze "$scratch/A.mtx"
prints_once 'works in one process'
ends_with 0 2 --version
prints_once '^frond '

# Who has no work takes some: the same answers, from factors that lie elsewhere.
"$frond" generate laplacian2d9 150 -o "$scratch/W.mtx" >/dev/null
for how in ring random loaded pool; do
  ends_with 0 3 solve "$scratch/W.mtx" --threads 1 --work $how --save-factors "$scratch/W.factors"
  prints_once 'verdict *solved'
  prints_once "taken .* rounds of requests ($how)"
  ends_with 0 2 solve "$scratch/W.mtx" --threads 1 --load-factors "$scratch/W.factors"
  prints_once 'verdict *solved'
done
ends_with 2 2 solve "$scratch/A.mtx" --work hard
prints_once 'hard'

# Over TCP, as between machines, the end of MPI does not come by itself.
export UCX_TLS=tcp,self
ends_with 0 3 solve "$scratch/A.mtx"
ends_with 3 3 solve "$scratch/singular.mtx"
ends_with 2 3 solve "$scratch/missing.mtx"
unset UCX_TLS

# A launcher of another MPI: never as many separate solves.
output=$(OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 "$frond" solve "$scratch/A.mtx" 2>&1) && fail "OpenMPI's launcher is not refused"
prints_once 'mpiexec.mpich'
output=$(OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1 "$frond" solve "$scratch/A.mtx" 2>&1) && fail "OpenMPI's launcher is not refused"
[ -z "$output" ] || fail "the second process tells, too: $output"
exit $((failures > 0))
