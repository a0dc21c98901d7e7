#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Downloads matrices of the SuiteSparse collection and checks that they are what was asked for.
#
#   tools/scripts/fetch_matrices.sh [--dir D] [--url BASE] [--order N] [--entries NNZ] GROUP/NAME...
#
#   --dir D        where D/NAME.mtx is put (default: matrices)
#   --url BASE     the archive BASE/GROUP/NAME.tar.gz is fetched (default: https://sparse.tamu.edu/MM)
#   --order N, --entries NNZ
#                  what the file's size line must say, for a single matrix that tools/scripts/suitesparse_sizes.tsv does not list
#
# A matrix that is there and right is not fetched again; an interrupted download goes on where it stopped; D/NAME.mtx appears only
# when it is complete and its entries have been counted. Lines of suitesparse_sizes.tsv: GROUP/NAME, order, stored entries (of
# one triangle when symmetric).
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tools/scripts/steps.sh"

dir=matrices
url=https://sparse.tamu.edu/MM
order=
entries=
matrices=()
while [ $# -gt 0 ]; do
  case "$1" in
    --dir|--url|--order|--entries)
      [ $# -ge 2 ] || die "$1 needs a value"
      printf -v "${1#--}" %s "$2"
      shift 2 ;;
    -h|--help) sed -n '3,/^set/s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) die "unknown option $1 (see $0 --help)" ;;
    *) matrices+=("$1"); shift ;;
  esac
done
[ ${#matrices[@]} -gt 0 ] || die "which matrices? For example: $0 GHS_psdef/ldoor (see $0 --help)"
[ -z "$order$entries" ] || [ ${#matrices[@]} -eq 1 ] || die '--order and --entries say what one matrix must be, but several are named'
command -v curl >/dev/null || die 'curl is missing: apt-get install curl'

# expected_size GROUP/NAME: prints "ORDER ENTRIES", "-" for what nobody told.
expected_size() {
  awk -v matrix="$1" -v order="${order:--}" -v entries="${entries:--}" '
    $1 == matrix { if (order == "-") order = $2; if (entries == "-") entries = $3 }
    END { print order, entries }' "$root/tools/scripts/suitesparse_sizes.tsv"
}

# check_matrix FILE ORDER ENTRIES: fails with the reason unless FILE is a Matrix Market file of that order that has as many entries
# as its own size line says, and these as expected.
check_matrix() {
  awk -v order="$2" -v entries="$3" '
    NR == 1 && tolower($1) != "%%matrixmarket" { print "it is not a Matrix Market file"; bad = 1; exit }
    /^%/ || NF == 0 { next }
    !size { size = 1; rows = $1; stored = $3
      if (order != "-" && rows != order) { print "its order is " rows ", not " order; bad = 1; exit }
      if (entries != "-" && stored != entries) { print "it says that it stores " stored " entries, not " entries; bad = 1; exit }
      next }
    { found++ }
    END {
      if (!bad && !size) { print "it has no size line"; bad = 1 }
      if (!bad && found + 0 != stored) { print "it stores " found + 0 " entries, but its size line says " stored; bad = 1 }
      exit bad }' "$1"
}

# download URL FILE: goes on with what FILE holds already, or begins anew with servers that cannot.
download() {
  local status=0
  local get=(curl --fail --location --silent --show-error --retry 3 --connect-timeout 20 --output "$2" "$1")
  [ -e "$2" ] || { "${get[@]}"; return; }
  gzip --test "$2" 2>/dev/null && return
  "${get[@]}" --continue-at - || status=$?
  if [ $status -eq 33 ]; then rm "$2" && "${get[@]}"; else return $status; fi
}

# fetch GROUP/NAME
fetch() {
  local matrix=$1 name=${1##*/} size reason
  [[ $matrix =~ ^[A-Za-z0-9_.+-]+/[A-Za-z0-9_.+-]+$ ]] || die "$matrix is not of the form GROUP/NAME"
  local target="$dir/$name.mtx" archive="$dir/$name.tar.gz.part" unpacked="$dir/.$name.unpacked"
  read -r -a size < <(expected_size "$matrix")

  if [ -e "$target" ]; then
    reason=$(check_matrix "$target" "${size[@]}") || die "$target is there already, but $reason; move it away to fetch it anew"
    say "$target is there and complete"
    return
  fi
  say "$matrix: fetching $url/$matrix.tar.gz ..."
  download "$url/$matrix.tar.gz" "$archive" ||
    die "$url/$matrix.tar.gz could not be fetched. Is there a network, and is $matrix the right name?" \
      'What was received is kept; the next call goes on from there.'

  mkdir -p "$unpacked"
  if ! tar -x -z -f "$archive" -C "$unpacked" "$name/$name.mtx"; then
    rm -rf "$unpacked" "$archive"
    die "what $url answered is no archive with $name/$name.mtx; it was deleted"
  fi
  if ! reason=$(check_matrix "$unpacked/$name/$name.mtx" "${size[@]}"); then
    rm -rf "$unpacked" "$archive"
    die "$matrix is not what was expected: $reason; it was deleted"
  fi
  mv "$unpacked/$name/$name.mtx" "$target"
  rm -rf "$unpacked" "$archive"
  say "$target: order and entries are right"
}

mkdir -p "$dir"
for matrix in "${matrices[@]}"; do fetch "$matrix"; done
