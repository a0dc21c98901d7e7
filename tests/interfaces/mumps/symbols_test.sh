#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Checks that a library in the place of MUMPS shows MUMPS's functions, the sequential one two of MPI, and nothing else, and that it
# needs no BLAS: symbols_test.sh LIBRARY sequential|parallel
set -euo pipefail
functions="cmumps_c dmumps_c smumps_c zmumps_c "
excluded='blas|lapack|mumps|mpich'
if [ "$2" = sequential ]; then
  functions="MPI_Finalize MPI_Init $functions"
  excluded="$excluded|mpi"
fi
shown=$(nm --dynamic --defined-only --format=posix "$1" | cut -d' ' -f1 | sort | tr '\n' ' ')
[ "$shown" = "$functions" ] || { echo "it shows $shown"; exit 1; }
needed=$(readelf --dynamic "$1" | grep NEEDED | grep -v libscalapack)
if grep -Eq "$excluded" <<<"$needed"; then echo "it needs $needed"; exit 1; fi
