#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Checks that each room includes only headers of itself and of the rooms to its left: tools/scripts/check_layering.sh [SOURCE_TREE]
set -euo pipefail
cd "${1-$(dirname "$0")/../..}"

rooms=(matrices analysis loadinfo factorization solver tools)
violations=0
while [ ${#rooms[@]} -gt 1 ]; do
  room=${rooms[0]}
  rooms=("${rooms[@]:1}")
  [ -d "$room" ] || continue
  to_the_right=$(IFS='|'; echo "${rooms[*]}")
  # Both spellings: "solver/x.hpp" and, as an installed header may be named, <frond/solver/x.hpp>; also paths that climb out with ../
  if grep -rnE --include='*.[ch]pp' "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"](frond/|(\.\./)+)?($to_the_right)/" "$room"; then
    echo "^ $room/ may include only from itself and the rooms to its left: matrices analysis loadinfo factorization solver tools" >&2
    violations=1
  fi
done
exit $violations
