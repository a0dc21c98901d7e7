#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Factor times of Frond on 2 threads, of Frond on 2 processes, and of MUMPS on 2 processes, in turn; medians and ratios.
#   tools/benchmarks/compare_ranks.sh BUILD_DIR [ROUNDS] [KIND N]...
# Builds what it needs in BUILD_DIR. Every factorization of Frond is the first of its process; MUMPS's is the best of three in its
# process, with memory that it keeps.
set -eu

if [ $# -lt 1 ]; then
  sed -n '3,6s/^# //p' "$0" >&2
  exit 2
fi
build=$1
rounds=${2:-5}
shift "$(($# < 2 ? $# : 2))"
[ $# -gt 0 ] || set -- laplacian3d7 60 elasticity3d 25 convection3d 45

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset OPENBLAS_CORETYPE OMP_NUM_THREADS
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cmake --build "$build" --target frond frond_mumps_ranks frond_touch_memory >"$work/build.log" 2>&1 || {
  cat "$work/build.log" >&2
  echo "compare_ranks.sh: needs libmumps-dev, libopenmpi-dev and openmpi-bin for MUMPS" >&2
  exit 2
}

# Prints the value of "factor_seconds" of `frond solve`, which runs under the command given.
frond_seconds() {
  threads=$1
  shift
  "$@" "$build/tools/frond" solve "$work/A.mtx" --threads "$threads" --json - 2>/dev/null |
    sed -n 's/^  "factor_seconds": \([0-9.e+-]*\),*$/\1/p'
}

mumps_seconds() {
  GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=0x1000000000000 \
    mpiexec.openmpi -n 2 "$build/tools/benchmarks/frond_mumps_ranks" "$1" "$2" |
    sed 's/.*"factor_seconds":\[\([^]]*\)\].*/\1/' | tr , '\n' | sort -g | head -n 1
}

# Every run finds memory that the machine really has.
warm_up() { "$build/tools/benchmarks/frond_touch_memory" 3; }

median() { sort -g "$1" | awk '{ x[NR] = $1 } END { print (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 }'; }

printf '%-20s %12s %12s %12s %10s %10s\n' problem '2 threads' '2 processes' 'MUMPS -n 2' '/ threads' '/ MUMPS'
while [ $# -ge 2 ]; do
  "$build/tools/frond" generate "$1" "$2" -o "$work/A.mtx" >/dev/null
  rm -f "$work"/*.s
  for _ in $(seq "$rounds"); do
    warm_up
    frond_seconds 2 env >>"$work/threads.s"
    warm_up
    frond_seconds 1 mpiexec.mpich -n 2 >>"$work/ranks.s"
    warm_up
    mumps_seconds "$1" "$2" >>"$work/mumps.s"
  done
  echo "$(median "$work/threads.s") $(median "$work/ranks.s") $(median "$work/mumps.s")" |
    awk -v name="$1 $2" '{ printf "%-20s %12.3f %12.3f %12.3f %10.2f %10.2f\n", name, $1, $2, $3, $2 / $1, $2 / $3 }'
  shift 2
done
