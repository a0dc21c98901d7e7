#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Checks that each room includes only headers of itself and of the rooms to its left, and each folder of a room only those of
# itself and of the folders to its left: tools/scripts/check_layering.sh [SOURCE_TREE]
set -euo pipefail
cd "${1-$(dirname "$0")/../..}"

# The folders of a room from left to right; "." is what lies in the room itself.
declare -A folders=(
  [.]='matrices analysis loadinfo factorization solver interfaces tools'
  [matrices]='include . files'
  [analysis]='include graph ordering tree pivots mapping .'
  [loadinfo]='include self_scheduling . ranks mesh mpi'
  [factorization]='include machine kernels memory scheduling fronts distributed recovery root scalapack ranks ghosts .'
  [solver]='include options problem scaling sweeps accuracy verdict answers schur saved checkpoint course ranks local . batch mpi survive'
  [tools]='process arguments page records solve batch bench calibration labels commands . simulation benchmarks'
)
violations=0

# check_folder ROOM FOLDER TO_THE_RIGHT...: shows what FOLDER of ROOM includes of folders to its right. Both spellings:
# "solver/x.hpp" and, as an installed header may be named, <frond/solver/x.hpp>; also paths that climb out with ../
check_folder() {
  local room=$1 files=$1/$2 prefix="$1/" deepest=100
  case $1,$2 in
    .,*) files=$2 prefix= ;;
    *,.) files=$1 deepest=1 ;;
  esac
  shift 2
  [ -d "$files" ] || return 0
  local right=() alternatives found
  for folder in "$@"; do
    if [ "$folder" = . ]; then right+=('[^/]+[">]'); else right+=("$folder/"); fi
  done
  alternatives=$(IFS='|'; echo "${right[*]}")
  found=$(find "$files" -maxdepth "$deepest" -name '*.[ch]pp' -exec grep -nHE \
    "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]((frond/)?$prefix|(\.\./)+($prefix)?)($alternatives)" {} + || true)
  if [ -n "$found" ]; then
    printf '%s\n^ %s/ may include only from itself and from its left in: %s\n' "$found" "$files" "${folders[$room]}" >&2
    violations=1
  fi
}

for room in "${!folders[@]}"; do
  read -ra right <<< "${folders[$room]}"
  while [ ${#right[@]} -gt 1 ]; do
    folder=${right[0]}
    right=("${right[@]:1}")
    check_folder "$room" "$folder" "${right[@]}"
  done
done

# Every folder of these rooms has its place in the order.
for room in matrices analysis loadinfo factorization solver tools; do
  [ -d "$room" ] || continue
  for folder in $(find "$room" -mindepth 2 -maxdepth 2 -name '*.[ch]pp' -printf '%h\n' | sort -u); do
    if [[ " ${folders[$room]} " != *" ${folder#"$room"/} "* ]]; then
      echo "$folder/ has no place in the order of $room: ${folders[$room]}" >&2
      violations=1
    fi
  done
done
exit $violations
