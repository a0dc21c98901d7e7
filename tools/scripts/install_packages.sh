#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs the Debian packages that Frond needs and that are missing: tools/scripts/install_packages.sh build|test|bench|wheel|reference|packages|full
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tools/scripts/steps.sh"

build_packages=(g++ cmake ninja-build pkg-config libarchive-dev zlib1g-dev libopenblas-pthread-dev libmetis-dev libtbb-dev libsuitesparse-dev
  libfmt-dev libeigen3-dev libcli11-dev nlohmann-json3-dev libmpich-dev mpich libscalapack-mpich-dev libzmq3-dev
  libsimgrid-dev)
test_packages=(ccache abigail-tools libmumps-seq-dev doxygen libgtest-dev libgmock-dev clang-format-14 curl chromium-headless-shell gfortran python3-pytest python3-numpy python3-scipy)
bench_packages=(libmumps-seq-dev libmumps-dev libopenmpi-dev openmpi-bin libsuperlu-dev libsuperlu-dist-dev libopenblas0-openmp)
wheel_packages=(patchelf python3-pip python3-setuptools python3-wheel)
reference_packages=(doxygen)
# What debian/control names beside the build packages, and what tries the result.
deb_packages=(libopenmpi-dev openmpi-bin libscalapack-openmpi-dev dpkg-dev debhelper dh-python pybuild-plugin-pyproject python3 python3-setuptools python3-numpy python3-scipy
  python3-pytest ccache lintian debootstrap)
full_packages=(clang-14 clang-tidy-14 libclang-rt-14-dev libopenmpi-dev openmpi-bin libscalapack-openmpi-dev libmumps-dev)

case "${1-}" in
  build) packages=("${build_packages[@]}") ;;
  test) packages=("${build_packages[@]}" "${test_packages[@]}") ;;
  bench) packages=("${build_packages[@]}" "${bench_packages[@]}") ;;
  wheel) packages=("${build_packages[@]}" "${wheel_packages[@]}") ;;
  reference) packages=("${reference_packages[@]}") ;;
  packages) packages=("${build_packages[@]}" "${deb_packages[@]}") ;;
  full) packages=("${build_packages[@]}" "${test_packages[@]}" "${full_packages[@]}") ;;
  *) die "usage: $0 build|test|bench|wheel|reference|packages|full" ;;
esac

if ! command -v apt-get >/dev/null; then
  say "This is not a Debian system: please see to it that the equivalents of these packages are installed: ${packages[*]}"
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done

as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
# A machine that was just started may be busy upgrading itself; its lock is waited for.
apt_get() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@"; }
install_missing() { apt_get install --yes --no-install-recommends "${missing[@]}"; }
# Package lists that are absent or out of date make the first attempt fail.
install_with_update() { install_missing || { apt_get update && install_missing; }; }

if [ ${#missing[@]} -gt 0 ]; then
  say "Debian packages to install: ${missing[*]}"
  by_hand="apt-get update && apt-get install --no-install-recommends ${missing[*]}"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "installing packages needs root and there is no sudo here; as root, run: $by_hand"
    sudo -v || die "installing packages needs root; let an administrator run: $by_hand"
  fi
  step packages 'Installing them' install_with_update
fi

# All builds of OpenBLAS have the same name; the system's administrator may have chosen another one than the pthread build.
for link in /etc/alternatives/libopenblas.so.0-*; do
  [ -L "$link" ] || continue  # the reference needs none
  chosen=$(readlink "$link" || true)
  case "$chosen" in
    */openblas-pthread/*) ;;
    *) die "libopenblas.so.0 is $chosen, but only the pthread build may be called from several threads. Choose it with:" \
         "update-alternatives --auto $(basename "$link")" ;;
  esac
done
