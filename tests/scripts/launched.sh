# SPDX-License-Identifier: BSD-3-Clause
# What the tests under a launcher share; sourced by them after setting `frond` and `mpiexec`.

# ends_with CODE RANKS ARGUMENT...: runs frond in so many processes; its output is in $output.
ends_with() {
  local expected=$1 ranks=$2 code
  shift 2
  output=$(timeout 120 "$mpiexec" -n "$ranks" "$frond" "$@" 2>&1)
  code=$?
  [ $code = "$expected" ] || fail "exit code $code instead of $expected in $ranks processes: $*"$'\n'"$output"
}

# prints_once TEXT: one process prints it.
prints_once() {
  [ "$(grep -c -- "$1" <<<"$output")" = 1 ] || fail "\"$1\" should have been printed once:"$'\n'"$output"
}

# number NAME: of the last run's --json "$scratch/run.json".
number() { sed -n "s/^ *\"$1\": \([^,]*\),*$/\1/p" "$scratch/run.json"; }
