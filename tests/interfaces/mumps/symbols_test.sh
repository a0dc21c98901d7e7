#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Checks that a library in the place of MUMPS shows MUMPS's functions, two of MPI, and nothing else, and needs no BLAS:
# symbols_test.sh LIBRARY
set -euo pipefail
shown=$(nm --dynamic --defined-only --format=posix "$1" | cut -d' ' -f1 | sort | tr '\n' ' ')
[ "$shown" = "MPI_Finalize MPI_Init cmumps_c dmumps_c smumps_c zmumps_c " ] || { echo "it shows $shown"; exit 1; }
needed=$(readelf --dynamic "$1" | grep NEEDED)
if grep -Eq 'blas|lapack|mumps|mpi' <<<"$needed"; then echo "it needs $needed"; exit 1; fi
