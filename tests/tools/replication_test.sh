#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests frond solve --replicate-factors under a launcher: replication_test.sh FROND MPIEXEC
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
frond=$1 mpiexec=$2
. "$root/tests/scripts/launched.sh"

# same_solutions FILE FILE: to rounding; made sides have solutions between 1 and 2.
same_solutions() {
  paste -d ' ' "$scratch/$1" "$scratch/$2" |
    awk 'NR > 2 { d = $1 - $2; n++; if (d * d > 1e-18) exit 1 } END { if (n == 0) exit 1 }' || fail "$1 and $2 differ"
}

"$frond" generate laplacian3d7 12 -o "$scratch/A.mtx" >/dev/null || fail 'no matrix'
"$frond" generate convection3d 10 -o "$scratch/C.mtx" >/dev/null || fail 'no matrix'
"$frond" generate kkt3d 5 -o "$scratch/K.mtx" >/dev/null || fail 'no matrix'

for matrix in A C K; do
  for ranks in 2 3; do
    ends_with 0 $ranks solve "$scratch/$matrix.mtx" --threads 1 --nrhs 70 --out "$scratch/x.mtx" --json "$scratch/run.json"
    [ "$(number replication_seconds) $(number replicated_bytes)" = 'null null' ] || fail 'copies that nobody asked for'
    errors=$(number forward_error_bound)
    ends_with 0 $ranks solve "$scratch/$matrix.mtx" --threads 1 --nrhs 70 --replicate-factors --out "$scratch/y.mtx" \
      --json "$scratch/run.json"
    prints_once 'verdict *solved'
    prints_once 'replication *.* of factors for each process in'
    (($(number replicated_bytes) > 0)) || fail "$(number replicated_bytes) bytes of copies"
    [ "$(number verdict) $(number nrhs)" = '"solved" 70' ] || fail "$(number verdict) $(number nrhs)"
    [ "$errors" != null ] && [ "$(number forward_error_bound)" != null ] || fail 'no bound of the first error'
    same_solutions x.mtx y.mtx
  done
done

"$mpiexec" -n 2 "$frond" solve "$scratch/C.mtx" --save-factors "$scratch/C.factors" >/dev/null || fail 'no factors were saved'
ends_with 0 3 solve "$scratch/C.mtx" --load-factors "$scratch/C.factors" --nrhs 5 --replicate-factors
prints_once 'replication *.* of factors'
ends_with 0 2 solve "$scratch/A.mtx" --precision mixed --nrhs 5 --replicate-factors
ends_with 0 2 solve "$scratch/A.mtx" --precision single --nrhs 5 --operation transpose --replicate-factors
ends_with 4 2 solve "$scratch/A.mtx" --threads 1 --memory-limit 1MB --nrhs 5 --replicate-factors
ends_with 2 1 solve "$scratch/A.mtx" --replicate-factors
prints_once '--replicate-factors: there is one process'
"$frond" solve "$scratch/A.mtx" --replicate-factors >/dev/null 2>&1
[ $? = 2 ] || fail 'copies for one process'
exit $((failures > 0))
