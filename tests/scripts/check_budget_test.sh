#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests tools/scripts/check_budget.py on a tree whose figures are known.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
mkdir -p "$scratch"/{docs,tools/scripts,tools/studies,tests,build,solver/include/frond}
echo 'three words here' >"$scratch/docs/design.md"
echo 'print(1)' >"$scratch/tools/studies/study.py"
echo 'int not_counted;' >"$scratch/build/made.cpp"
printf 'int one;\nint two;\n' >"$scratch/tests/some_test.cpp"
cat >"$scratch/solver/include/frond/pair.hpp" <<'CODE'
// A comment.
class Pair {
 public:
  int sum() const {
    return first_ + second_;
  }

 private:
  int first_ = 0;
  int second_ = 0;
};
template <>
class Size<Pair> {};
CODE

# allow NAME=VALUE: all figures as they are, but this one.
allow() {
  printf '%s\t\n' "code lines=13" "study lines=1" "test lines=2" "code tokens=44" "code per comment=14" "public types=1" \
    "design words=3" "class lines=10" "class members=2" "function lines=3" | tr = '\t' |
    sed "s/^${1%=*}\t.*/${1%=*}\t${1#*=}\t/" >"$scratch/tools/scripts/budget.tsv"
}
check() { "$root/tools/scripts/check_budget.py" "$scratch"; }
allow none=0
succeeds 'pair.hpp: Pair' check
for figure in 'code lines=10' 'study lines=0' 'test lines=1' 'code tokens=20' 'code per comment=11' 'public types=0' \
  'design words=2' 'class lines=9' 'class members=1' 'function lines=2'; do
  allow "$figure"
  fails "${figure%=*}" check
  exceeded=$(check 2>/dev/null | grep EXCEEDED)
  [[ $exceeded == "${figure%=*} "* && $exceeded != *$'\n'* ]] || fail "not ${figure%=*} alone exceeds its allowance: $exceeded"
done
exit $failures
