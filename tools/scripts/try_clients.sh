#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs programs of Debian that call MUMPS on Frond, and compares: tools/scripts/try_clients.sh [OPTION...]
# As root, debootstrap makes a minimal root of Debian 12, into which apt installs Ipopt, FreeFEM, GetFEM, PETSc, Trilinos, siconos and
# what try_packages.sh has built of Frond (PACKAGES). There each program of tools/studies/clients runs by MUMPS and by Frond in turn;
# options are those of compare.py. MIRROR and FOLDER are those of try_debian.sh.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tools/scripts/steps.sh"
. "$root/tools/scripts/bare_root.sh"
case "${1-}" in -h|--help) sed -n '3,7s/^# //p' "$0"; exit 0 ;; esac
take_own_mounts "$0" "$@"

packages=${PACKAGES:-$root/build/packages}
ls "$packages"/libfrond-mumps-openmpi_*.deb >/dev/null 2>&1 || die "there are no packages in $packages: call tools/scripts/try_packages.sh"
keeps_folder=${FOLDER:+true}
folder=${FOLDER:-$(mktemp -d)}
clean_up() {
  unmount_root "$folder/clients"
  [ -n "$keeps_folder" ] || rm -rf --one-file-system "$folder"
}
trap clean_up EXIT
make_root "$folder/clients" bookworm
mount_root "$folder/clients"
rm -rf "$folder/clients/try"
mkdir -p "$folder/clients/try/programs"
cp -r "$root/tools/studies/clients/." "$packages"/libfrond-mumps*_*.deb "$folder/clients/try/"

inside() { inside_root "$folder/clients" /try "$1" OMPI_ALLOW_RUN_AS_ROOT=1; }
step clients-update 'Updating the lists of packages' inside 'apt-get update'
step clients-install 'Installing programs that call MUMPS' inside 'apt-get install --yes --no-install-recommends g++ pkg-config \
  coinor-libipopt-dev libfreefem++ freefem++ python3-getfem python3-petsc4py python3-petsc4py-real3.18 python3-petsc4py-complex3.18 openmpi-bin libopenmpi-dev \
  libtrilinos-amesos-dev libtrilinos-epetra-dev libtrilinos-epetraext-dev libtrilinos-teuchos-dev libsiconos-numerics-dev ./*.deb'
step clients-compile 'Compiling their callers' inside 'bash compile.sh programs'
inside "python3 compare.py programs /usr/lib/x86_64-linux-gnu/frond/mumps $*"
