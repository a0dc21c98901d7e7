#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests tools/scripts/fetch_matrices.sh against a server on this machine that serves good, wrong and broken archives.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
for tool in python3 curl; do
  command -v $tool >/dev/null || { echo "SKIPPED: $tool is not installed"; exit 77; }
done

# serve GROUP/NAME SIZE_LINE ENTRY...: puts the archive of a matrix where the server finds it.
serve() {
  local group=${1%/*} name=${1#*/}
  mkdir -p "$scratch/www/$group" "$scratch/pack/$name"
  { echo '%%MatrixMarket matrix coordinate real general'; echo '% a comment'; printf '%s\n' "${@:2}"; } >"$scratch/pack/$name/$name.mtx"
  tar -c -z -f "$scratch/www/$group/$name.tar.gz" -C "$scratch/pack" "$name"
}
serve Test/good '2 2 3' '1 1 4.0' '2 1 1.0' '2 2 5.0'
serve Test/short '2 2 3' '1 1 4.0' '2 1 1.0'
serve Gupta/gupta3 '2 2 1' '1 1 4.0'
echo 'not an archive' >"$scratch/www/Test/broken.tar.gz"

(cd "$scratch/www" && exec python3 "$root/tests/scripts/range_server.py") >"$scratch/server.log" 2>"$scratch/requests.log" &
at_exit+=("kill $!")
for ((i = 0; i < 100; i++)); do
  port=$(sed -n 's/^port //p' "$scratch/server.log")
  [ -z "$port" ] || break
  sleep 0.1
done
[ -n "$port" ] || { fail 'the server did not start within 10 s'; exit 1; }

dir="$scratch/downloads"
fetch() { "$root/tools/scripts/fetch_matrices.sh" --dir "$dir" --url "http://127.0.0.1:$port" "$@"; }
holds() { [ "$(ls -A "$dir")" = "$1" ] || fail "the folder should hold '$1' but holds: $(ls -A "$dir")"; }

succeeds 'good.mtx: order and entries are right' fetch Test/good
cmp "$dir/good.mtx" "$scratch/pack/good/good.mtx" || fail 'what was fetched differs from what was served'
succeeds 'there and complete' fetch Test/good --order 2 --entries 3
[ "$(grep -c good.tar.gz "$scratch/requests.log")" -eq 1 ] || fail 'a complete matrix was fetched again'
fails 'its order is 2, not 7' fetch Test/good --order 7
holds good.mtx
rm "$dir/good.mtx"

fails 'it says that it stores 3 entries, not 4' fetch Test/good --entries 4
fails 'its order is 2, not 16783' fetch Gupta/gupta3
fails 'it stores 2 entries, but its size line says 3' fetch Test/short
fails 'is no archive with broken/broken.mtx' fetch Test/broken
fails 'could not be fetched' fetch Test/absent
holds ''

# An interrupted download goes on where it stopped.
head -c 100 "$scratch/www/Test/good.tar.gz" >"$dir/good.tar.gz.part"
succeeds 'order and entries are right' fetch Test/good
grep -q 'range from 100' "$scratch/server.log" || fail 'the download did not go on from byte 100'
holds good.mtx

fails 'is not of the form GROUP/NAME' fetch good
fails 'is not of the form GROUP/NAME' fetch ../../etc/passwd
fails 'unknown option --frob' fetch --frob Test/good
fails '--dir needs a value' fetch --dir
fails 'several are named' fetch --order 3 Test/good Test/short
fails 'which matrices?' fetch
fails 'could not be fetched' "$root/tools/scripts/fetch_matrices.sh" --dir "$dir" --url 'http://127.0.0.1:1' Test/elsewhere
exit $failures
