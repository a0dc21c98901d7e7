# SPDX-License-Identifier: BSD-3-Clause
# What the tests of scripts share; sourced by them after setting `root`, the top of the source tree.
scratch=$(mktemp -d)
failures=0
at_exit=("rm -rf $scratch")
trap 'for command in "${at_exit[@]}"; do $command; done' EXIT

fail() { echo "FAILED: $*" >&2; failures=$((failures + 1)); }

# succeeds TEXT COMMAND... / fails TEXT COMMAND...: run the command, expect its outcome and TEXT in what it prints.
succeeds() {
  local text=$1 output
  shift
  output=$("$@" 2>&1) || fail "this should have succeeded: $*"$'\n'"$output"
  [[ $output == *"$text"* ]] || fail "\"$text\" is missing in the output of: $*"$'\n'"$output"
}
fails() {
  local text=$1 output
  shift
  ! output=$("$@" 2>&1) || fail "this should have failed: $*"
  [[ $output == *"$text"* ]] || fail "\"$text\" is missing in the output of: $*"$'\n'"$output"
}
# exits CODE COMMAND...: with this code, whatever it says.
exits() {
  local code=$1 status=0
  shift
  "$@" >/dev/null 2>&1 || status=$?
  [ $status -eq "$code" ] || fail "exit code $status instead of $code: $*"
}
