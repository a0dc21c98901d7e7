#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs all fuzz targets, one after the other, at low priority. Usage: run.sh BUILD_FOLDER WORK_FOLDER [SECONDS]
# The seeds are written here; the corpus and any finding stay in the work folder.
set -euo pipefail
build=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
seconds=${3:-600}
here=$(cd "$(dirname "$0")" && pwd)

mkdir -p "$work/matrix_market" "$work/harwell_boeing"
cd "$work/matrix_market"
banner="%%MatrixMarket matrix"
printf '%s coordinate real general\n%% c\n2 2 2\n1 1 1.5\n2 1 -2e3\n' "$banner" > general
printf '%s coordinate integer symmetric\n2 2 2\n1 1 1\n2 1 2\n' "$banner" > symmetric
printf '%s coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 2 3\n' "$banner" > hermitian
printf '%s coordinate pattern general\n2 3 3\n1 1\n1 1\n2 3\n' "$banner" > pattern
printf '%s array real skew-symmetric\n3 3\n1\n2\n3\n' "$banner" > array
gzip -nc general > general.gz
printf '3 3 2 1\n1 1 1.5\n1 2 2.5\n' > triplets
cd "$work/harwell_boeing"
sizes="            2             2             3             0"
printf '\nrua%s\n(4I4)           (4I4)           (3E10.3)\n   1   3   4\n   1   2   2\n       1.0       2.0       3.0\n' "$sizes" > real
printf '\npsa%s\n(4I4)           (4I4)\n   1   3   4\n   1   2   2\n' "$sizes" > pattern
printf ' 1\niua%s\n(4I4)           (4I4)           (2I4)\nF\n   1   3   4\n   1   2   2\n   1   2\n   3\n   7\n' "$sizes" > integer
printf '\ncha%s\n(4I4)           (4I4)           (1P,2D20.12)\n   1   3   4\n   1   2   2\n%20s%20s\n%20s%20s\n%20s%20s\n' "$sizes" \
  1.5D+00 0.0D+00 1.0D+00 2.0D+00 3.0D+00 0.0 > hermitian

cd "$work"
mkdir -p zip npz saved_factors stored_fronts
python3 "$here/seeds.py" "$work/zip" "$work/npz"

# One target: its name, the most bytes of an input, and more options.
run() {
  nice -n 19 "$build/tests/fuzz/fuzz_$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len="$2" "${@:3}" \
    -artifact_prefix="$work/finding_$1_" -print_final_stats=1 "$work/$1"
}
for reader in matrix_market harwell_boeing; do
  run "$reader" 4096 -dict="$here/$reader.dict"
done
mkdir -p messages
run messages 4096
run zip 8192
run npz 2048
run saved_factors 256
if [ -d /dev/shm ]; then
  export TMPDIR=/dev/shm  # a checkpoint waits for the disk
fi
run stored_fronts 256
