#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# From nothing to a solved system: tools/quickstart.sh [A.mtx]
# Installs the Debian packages that are missing, builds Frond, and solves A x = b for the matrix in the file (Matrix Market or
# Rutherford-Boeing, also .gz) on all cores; without a file, for a 3D elasticity problem that it generates.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tools/scripts/steps.sh"

case "${1-}" in
  -h|--help) sed -n '3,5s/^# //p' "$0"; exit 0 ;;
esac
[ $# -le 1 ] || die "usage: $0 [A.mtx]"
if [ $# -eq 1 ]; then
  [ -r "$1" ] || die "there is no readable file $1"
  matrix=$(realpath "$1")
fi

"$root/tools/scripts/install_packages.sh" build
configure_and_build release frond -DFROND_TESTS=OFF
frond="$root/build/release/tools/frond"

if [ $# -eq 0 ]; then
  matrix="$root/build/elasticity3d.mtx"
  step generate 'Generating a 3D elasticity problem, 36 x 36 x 36 points' "$frond" generate elasticity3d 36 -o "$matrix"
fi
say
exec "$frond" solve "$matrix" --threads "$(nproc)"
