#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tries a wheel of tools/build_wheel.sh in a bare Debian: tools/scripts/try_wheel.sh WHEEL [SUITE]
# As root, debootstrap makes a minimal root of the release SUITE (default: bookworm) with its Python, NumPy and SciPy; the wheel goes
# into a virtual environment there, without any of Frond's sources or libraries, and the tests of the package run, once with
# reference BLAS loaded first. MIRROR and FOLDER are those of try_debian.sh.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tools/scripts/steps.sh"
case "${1-}" in
  -h|--help) sed -n '3,6s/^# //p' "$0"; exit 0 ;;
  '') die "usage: $0 WHEEL [SUITE]" ;;
esac
wheel=$1 suite=${2-bookworm}
[ "$(id -u)" -eq 0 ] || die "making a root file system needs root: sudo $0 $*"
command -v debootstrap >/dev/null || die 'there is no debootstrap: apt-get install debootstrap'

keeps_folder=${FOLDER:+true}
folder=${FOLDER:-$(mktemp -d)}
clean_up() { [ -n "$keeps_folder" ] || rm -rf --one-file-system "$folder"; }
trap clean_up EXIT
if [ ! -e "$folder/python-root-is-made" ]; then
  step "debootstrap-python-$suite" "Making a root of Debian $suite with its Python" debootstrap --variant=minbase \
    --include=python3,python3-venv,python3-numpy,python3-scipy,python3-pytest,libblas3 "$suite" "$folder" "${MIRROR:-http://deb.debian.org/debian}"
  touch "$folder/python-root-is-made"
fi
rm -rf "$folder/try"
mkdir "$folder/try"
cp "$wheel" "$folder/try/"
cp "$root"/tests/interfaces/python/test_*.py "$folder/try/"

# Nothing of this system's environment goes along.
inside() { chroot "$folder" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 bash -c "cd /try && $1"; }
inside 'python3 -m venv --system-site-packages environment'
inside "environment/bin/pip install --quiet --no-index --no-deps $(basename "$wheel")"
inside 'environment/bin/python -c "import frond; frond.show_config()"'
step "wheel-tests-$suite" 'Running the tests of the package' inside 'environment/bin/python -m pytest -q .'
reference='import ctypes, glob, sys; ctypes.CDLL(glob.glob("/usr/lib/*/blas/libblas.so.3")[0], ctypes.RTLD_GLOBAL)'
step "wheel-blas-$suite" 'Running them with reference BLAS loaded first' \
  inside "environment/bin/python -c '$reference; import pytest; sys.exit(pytest.main([\"-q\", \".\"]))'"
say "Debian $suite: the wheel works"
