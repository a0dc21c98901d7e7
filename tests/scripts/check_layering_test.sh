#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests tools/scripts/check_layering.sh: the sources pass, and every kind of planted violation is found.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
check="$root/tools/scripts/check_layering.sh"

# plant ROOM LINE: a tree whose only source is in ROOM and consists of LINE.
plant() {
  rm -rf "$scratch/tree"
  mkdir -p "$scratch/tree/$1/deeper"
  printf '%s\n' "$2" >"$scratch/tree/$1/deeper/planted.cpp"
}

succeeds '' "$check" "$root"

rooms=(matrices analysis loadinfo factorization solver tools)
for ((left = 0; left < ${#rooms[@]}; left++)); do
  for ((right = 0; right < ${#rooms[@]}; right++)); do
    plant "${rooms[left]}" "#include \"${rooms[right]}/planted.hpp\""
    if ((right > left)); then
      fails "${rooms[left]}/deeper/planted.cpp:1" "$check" "$scratch/tree"
    else
      succeeds '' "$check" "$scratch/tree"
    fi
  done
done

for line in '#include <solver/x.hpp>' '#include <frond/solver/x.hpp>' '#include "../../solver/x.hpp"' '  #  include "solver/x.hpp"'; do
  plant analysis "$line"
  fails 'analysis/ may include only' "$check" "$scratch/tree"
done
for line in '// #include "solver/x.hpp"' '#include "my_solver/x.hpp"' '#include <solver.hpp>'; do
  plant analysis "$line"
  succeeds '' "$check" "$scratch/tree"
done
exit $failures
