#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests tools/scripts/find_twins.py on functions that are and are not written twice.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
mkdir -p "$scratch/solver/distributed/mpi"

# body NAME: a function of some fifty tokens, with a comment and a brace in a string, which count for nothing.
body() {
  cat <<CODE
// $1 adds what lies in a list.
template <class T>
T $1(const std::vector<T>& list, T start) {
  T sum = start;  // } no end
  for (const T& value : list) {
    if (value > 0) { sum += value * 2; } else if (value < -1) { sum -= value; }
  }
  const char* text = "}";
  return text != nullptr ? sum + static_cast<T>(list.size()) : T(0);
}
CODE
}
{ echo 'namespace frond {'; body add; echo '}'; } >"$scratch/solver/one.cpp"
{ echo 'namespace frond {'; echo 'enum class Kind { a, b };'; body add_on_ranks; echo '}'; } >"$scratch/solver/distributed/mpi/several.cpp"
cat >"$scratch/solver/other.cpp" <<'CODE'
struct Other {
  int other(int a) { for (int k = 0; k < a; ++k) { a = a * k + k; while (a > k) { a -= k; } switch (a) { case 1: return 2; case 2:
    return 3; default: break; } } return a + a + a + a + a + a + a + a + a; }
};
CODE
cd "$scratch" || exit 1
find_twins() { "$root/tools/scripts/find_twins.py" "$@" solver; }
succeeds '3 functions of 50 tokens and more, 1 pairs of twins, 1 between one process and several' find_twins
succeeds 'between solver/' find_twins
succeeds '0 functions of 500 tokens' find_twins --least-tokens 500
sed -i 's/sum + static_cast<T>(list.size())/list.empty() || list.front() < list.back() || sum > start ? start : sum/' solver/one.cpp
succeeds ' 0 pairs of twins' find_twins
fails 'there is no such folder' "$root/tools/scripts/find_twins.py" nowhere
exit $failures
