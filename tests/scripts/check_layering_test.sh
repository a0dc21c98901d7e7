#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests tools/scripts/check_layering.py: the sources pass, and every kind of planted violation is found.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
check="$root/tools/scripts/check_layering.py"

# plant FOLDER LINE: a tree whose only source is in FOLDER and consists of LINE.
plant() {
  rm -rf "$scratch/tree"
  mkdir -p "$scratch/tree/$1"
  printf '%s\n' "$2" >"$scratch/tree/$1/planted.cpp"
}

succeeds '' "$check" "$root"

rooms=(matrices analysis loadinfo factorization solver tools)
deeper=(matrices/files analysis/tree loadinfo/messages/mpi factorization/ghosts solver/distributed/mpi tools/simulation)
for ((left = 0; left < ${#rooms[@]}; left++)); do
  for ((right = 0; right < ${#rooms[@]}; right++)); do
    plant "${deeper[left]}" "#include \"${deeper[right]}/planted.hpp\""
    if ((right > left)); then
      fails "${deeper[left]}/planted.cpp:1" "$check" "$scratch/tree"
    else
      succeeds '' "$check" "$scratch/tree"
    fi
  done
done

for line in '#include <solver/x.hpp>' '#include <frond/solver/x.hpp>' '#include "../../solver/x.hpp"' '  #  include "solver/x.hpp"'; do
  plant analysis/tree "$line"
  fails 'analysis/ may include only' "$check" "$scratch/tree"
done
for line in '// #include "solver/x.hpp"' '#include "my_solver/x.hpp"' '#include <solver.hpp>'; do
  plant analysis/tree "$line"
  succeeds '' "$check" "$scratch/tree"
done

# Folders of a room have an order, too, and files of the room itself a place in it.
for line in '#include "solver/numerics/verdict/x.hpp"' '#include <frond/solver/numerics/verdict/x.hpp>' '#include "../verdict/x.hpp"' \
  '#include "../../../solver/numerics/verdict/x.hpp"' '#include "solver/x.hpp"' '#include "../../x.hpp"'; do
  plant solver/numerics/scaling "$line"
  fails 'solver/numerics/scaling/ may include only' "$check" "$scratch/tree"
done
for line in '#include "solver/numerics/scaling/x.hpp"' '#include "solver/numerics/problem/x.hpp"' '#include "factorization/ghosts/x.hpp"' '#include <fmt/core.h>'; do
  plant solver/numerics/scaling "$line"
  succeeds '' "$check" "$scratch/tree"
done
plant solver '#include "solver/distributed/mpi/x.hpp"'
fails 'solver/planted.cpp:1' "$check" "$scratch/tree"
plant solver '#include "solver/distributed/ranks/x.hpp"'
succeeds '' "$check" "$scratch/tree"
plant solver/elsewhere ''
fails 'solver/elsewhere/ has no place' "$check" "$scratch/tree"
exit $failures
