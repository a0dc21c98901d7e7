#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Solves in many configurations over MPI and judges each by its backward error: run.sh full|labels|covering CROSS_TEST TABLE
#   full      4 load exchanges x 2 schedules x load thread on and off x 1, 2, 3, 4, 6, 8, 16 ranks on 12 matrices, each with one of
#             4 ways of sharing work: any three of all these parameters meet
#   labels    every matrix labelled nonsingular in LABELS.tsv, with 2 and with 5 ranks and the defaults
#   covering  small matrices on 1 to 4 ranks: any values of two parameters meet
# CROSS_TEST is the program frond_cross_test. TABLE gets a line per run; what it has is not run again, so that the same command
# goes on where it was stopped. Delete lines to repeat them. FROND_MATRIX_DIR is the folder of matrices (default: ../shared/matrices
# beside the source tree), MPIEXEC the launcher (default: mpiexec.mpich).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# = 3 ] || { sed -n '3,10s/^# //p' "$0" >&2; exit 2; }
selection=$1 cross_test=$2 table=$3
export FROND_MATRIX_DIR=${FROND_MATRIX_DIR:-$here/../../../shared/matrices}
mpiexec=${MPIEXEC:-mpiexec.mpich}
exchanges=(naive increments snapshot partial-snapshot)
schedules=(flops memory)
threads=(on off)
works=(static ring random loaded)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# list_<selection> RANKS: the configurations for so many ranks, those of a matrix together.
list_full() {
  local line=0 matrix exchange schedule thread
  # Positive definite, symmetric indefinite with and without delayed pivots, unsymmetric, complex symmetric and not, a forest.
  for matrix in laplacian3d7:24 elasticity3d:11 bcsstk17.mtx.gz G2_circuit.mtx.gz kkt3d:14 kkt_CVXQP3_L.mtx.gz SiH4.mtx.gz \
    convection3d:18 af23560.mtx.gz helmholtz3d:20 conf6_0-4x4-30.mtx.gz kkt3d:12+laplacian3d7:24; do
    for exchange in "${exchanges[@]}"; do
      for schedule in "${schedules[@]}"; do
        for thread in "${threads[@]}"; do
          # Another one for each value of any digit of base 4: matrices, exchanges, and the other two.
          echo "$matrix $exchange $schedule $thread ${works[(line ^ line / 4 ^ line / 16) & 3]}"
          line=$((line + 1))
        done
      done
    done
  done
}
list_labels() {
  awk -F '\t' 'NR == 1 { for (k = 1; k <= NF; ++k) column[$k] = k; next }
    $column["class"] == "nonsingular" { print $column["file"], "increments flops on static" }' "$FROND_MATRIX_DIR/LABELS.tsv"
}
# The orthogonal array of strength 2 over the field of 4 elements: its columns are r, m, r + m, r + 2m and r + 3m. Both bits of one
# column make two parameters of two values.
list_covering() {
  local matrices=(laplacian3d7:24 kkt3d:14 convection3d:18 helmholtz3d:20) by_2=(0 2 3 1) by_3=(0 3 1 2) r=$(($1 - 1)) m
  for m in 0 1 2 3; do
    echo "${matrices[m]} ${exchanges[r ^ m]} ${schedules[(r ^ by_2[m]) & 1]} ${threads[(r ^ by_2[m]) >> 1]} ${works[r ^ by_3[m]]}"
  done
}

case $selection in
  full) all_ranks=(1 2 3 4 6 8 16) limit=300 need_decisions=1 ;;
  labels) all_ranks=(2 5) limit=900 need_decisions=0 ;;
  covering) all_ranks=(1 2 3 4) limit=60 need_decisions=1 ;;
  *) echo "no such selection: $selection" >&2; exit 2 ;;
esac

# A line that was cut short by whoever stopped this script is run again.
if [ -s "$table" ] && [ "$(tail -c 1 "$table" | wc -l)" = 0 ]; then sed -i '$d' "$table"; fi

# A launch that is lost is followed by another as long as the table grows.
for ranks in "${all_ranks[@]}"; do
  "list_$selection" "$ranks" >"$scratch/list"
  awk -v ranks="$ranks" -v OFS='\t' '{ print $1, ranks, $2, $3, $4, $5 }' "$scratch/list" >>"$scratch/keys"
  size=-1
  until "$mpiexec" -n "$ranks" "$cross_test" "$scratch/list" "$table" $limit; do
    before=$size size=$(stat -c %s "$table" 2>/dev/null || echo 0)
    ((size > before)) || break
  done
done
awk -v need_decisions=$need_decisions -f "$here/judge.awk" "$scratch/keys" "$table"
