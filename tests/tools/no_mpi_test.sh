#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests a frond that was built without MPI: it solves by itself, and never as many separate solves: no_mpi_test.sh FROND
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
frond=$1

"$frond" generate laplacian3d7 8 -o "$scratch/A.mtx" >/dev/null || fail 'no matrix'
succeeds solved "$frond" solve "$scratch/A.mtx" --nrhs 2
succeeds "4 ranks" "$frond" analyze "$scratch/A.mtx" --ranks 4
fails FROND_MPI=ON env PMI_RANK=0 PMI_SIZE=2 "$frond" solve "$scratch/A.mtx"  # as MPICH's launcher starts it
exit $((failures > 0))
