#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests tools/scripts/check_layering.py: the sources pass, and every kind of planted violation is found.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
check="$root/tools/scripts/check_layering.py"

# add FILE LINE: a source of the tree, which consists of LINE.
add() { mkdir -p "$scratch/tree/$(dirname "$1")" && printf '%s\n' "$2" >"$scratch/tree/$1"; }
# plant FOLDER LINE: a tree whose only source is in FOLDER and consists of LINE.
plant() {
  rm -rf "$scratch/tree"
  add "$1/planted.cpp" "$2"
}

succeeds '' "$check" "$root"

# Of all pairs of rooms those that point to later ones are refused, each of them and no other.
rooms=(matrices analysis loadinfo factorization solver tools)
deeper=(matrices/files analysis/tree loadinfo/messages/mpi factorization/ghosts solver/distributed/mpi tools/simulation)
wrong=()
for ((left = 0; left < ${#rooms[@]}; left++)); do
  for ((right = 0; right < ${#rooms[@]}; right++)); do
    add "${deeper[left]}/$right.cpp" "#include \"${deeper[right]}/planted.hpp\""
    ((right <= left)) || wrong+=("${deeper[left]}/$right.cpp:1")
  done
done
found=$("$check" "$scratch/tree" 2>&1) && fail 'includes of later rooms are not refused'
for place in "${wrong[@]}"; do grep -qF "$place" <<<"$found" || fail "not refused: $place"; done
[ "$(grep -c '/[0-9]\.cpp:' <<<"$found")" = ${#wrong[@]} ] || fail "refused without a reason: $found"

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
