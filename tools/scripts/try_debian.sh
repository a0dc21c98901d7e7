#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tries the README's first command in a bare Debian of some release: tools/scripts/try_debian.sh SUITE [--clang] [--tests]
#   SUITE    bookworm, trixie, ...
#   --clang  compiles with the clang of that release instead of its g++
#   --tests  runs tools/test.sh, too
# As root, debootstrap makes a minimal root of that release, into which what is committed is copied. There packages are installed,
# tools/quickstart.sh runs, and a system is solved on 2 and on 4 processes; each part says how long it took. MIRROR names where
# packages come from (default: http://deb.debian.org/debian), FOLDER where the root is made, or was made before (default: a temporary
# folder, which is removed in the end).
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tools/scripts/steps.sh"
. "$root/tools/scripts/bare_root.sh"

suite='' compiler=g++ runs_tests=false
for argument in "$@"; do
  case "$argument" in
    -h|--help) sed -n '3,10s/^# //p' "$0"; exit 0 ;;
    --clang) compiler=clang++ ;;
    --tests) runs_tests=true ;;
    -*) die "unknown option $argument; usage: $0 SUITE [--clang] [--tests]" ;;
    *) suite=$argument ;;
  esac
done
[ -n "$suite" ] || die "usage: $0 SUITE [--clang] [--tests]"
take_own_mounts "$0" "$@"

keeps_folder=${FOLDER:+true}
folder=${FOLDER:-$(mktemp -d)}
clean_up() {
  unmount_root "$folder/root"
  [ -n "$keeps_folder" ] || rm -rf --one-file-system "$folder"
}
trap clean_up EXIT

logs="$root/build/logs"
make_root "$folder/root" "$suite" --include=ca-certificates,git
mount_root "$folder/root"
rm -rf "$folder/root/frond"
git clone --quiet --no-hardlinks "$root" "$folder/root/frond"

inside() { inside_root "$folder/root" /frond "$1" CXX="$compiler"; }
packages=build
if [ $runs_tests = true ]; then packages=test; fi
step "packages-$suite" 'Installing packages' inside "tools/scripts/install_packages.sh $packages"
[ $compiler = g++ ] || step "clang-$suite" 'Installing clang' inside 'apt-get install --yes --no-install-recommends clang'
inside "$compiler --version | head -n 1; cmake --version | head -n 1"
start=$SECONDS
inside tools/quickstart.sh
say "tools/quickstart.sh took $((SECONDS - start)) s, packages apart"
for ranks in 2 4; do
  say
  inside "mpiexec.mpich -n $ranks build/release/tools/frond solve build/elasticity3d.mtx --threads 1"
done
if [ $runs_tests = true ]; then
  start=$SECONDS
  inside tools/test.sh
  say "tools/test.sh took $((SECONDS - start)) s, packages apart"
fi
say "Debian $suite with $compiler: all of it worked"
