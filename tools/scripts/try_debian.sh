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
[ "$(id -u)" -eq 0 ] || die "making a root file system needs root: sudo $0 $*"
command -v debootstrap >/dev/null || die 'there is no debootstrap: apt-get install debootstrap'

# What is mounted here is mounted nowhere else, and is gone with the script.
if [ -z "${FROND_HAS_OWN_MOUNTS-}" ]; then
  exec env FROND_HAS_OWN_MOUNTS=yes unshare --mount --propagation private "$0" "$@"
fi

keeps_folder=${FOLDER:+true}
folder=${FOLDER:-$(mktemp -d)}
clean_up() {
  for mount in dev/shm dev/pts dev sys proc; do umount "$folder/$mount" 2>/dev/null || true; done
  [ -n "$keeps_folder" ] || rm -rf --one-file-system "$folder"
}
trap clean_up EXIT

logs="$root/build/logs"
if [ ! -e "$folder/root-is-made" ]; then
  step "debootstrap-$suite" "Making a root of Debian $suite" \
    debootstrap --variant=minbase --include=ca-certificates,git "$suite" "$folder" "${MIRROR:-http://deb.debian.org/debian}"
  touch "$folder/root-is-made"
fi
mount -t proc proc "$folder/proc"
mount -t sysfs sysfs "$folder/sys"
mount --bind /dev "$folder/dev"
mount --bind /dev/pts "$folder/dev/pts"
mount -t tmpfs tmpfs "$folder/dev/shm"
cp /etc/resolv.conf "$folder/etc/resolv.conf"
# Without its own name there each start of MPI waits for a name server.
printf '127.0.0.1 localhost\n127.0.1.1 %s\n' "$(hostname)" > "$folder/etc/hosts"
rm -rf "$folder/frond"
git clone --quiet --no-hardlinks "$root" "$folder/frond"

# Nothing of this system's environment goes along.
inside() {
  chroot "$folder" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 CXX="$compiler" bash -c "cd /frond && $1"
}
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
