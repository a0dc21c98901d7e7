#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the packages of Debian and tries them in a bare Debian: tools/scripts/try_packages.sh [--built]
#   --built  tries the packages that are there, without building them again
# From a copy of the files that git knows, or would add, packages are built into the folder PACKAGES (default: build/packages), and
# lintian checks them. As root, debootstrap then makes a minimal root of Debian 12, into which apt installs them with what they depend
# on; there is nothing else of Frond there but the examples and the tests of debian/tests, which run. In the end all is purged, and
# nothing may be left. MIRROR and FOLDER are those of try_debian.sh.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tools/scripts/steps.sh"
. "$root/tools/scripts/bare_root.sh"

builds=true
for argument in "$@"; do
  case "$argument" in
    -h|--help) sed -n '3,8s/^# //p' "$0"; exit 0 ;;
    --built) builds=false ;;
    *) die "unknown option $argument; usage: $0 [--built]" ;;
  esac
done
"$root/tools/scripts/install_packages.sh" packages
take_own_mounts "$0" "$@"
mkdir -p "${PACKAGES:-$root/build/packages}"
target=$(cd "${PACKAGES:-$root/build/packages}" && pwd)
version=$(dpkg-parsechangelog --file "$root/debian/changelog" --show-field Version)
changes="$target/frond_${version}_$(dpkg --print-architecture).changes"

# The folder is the same each time, so that ccache knows what has been compiled there.
copy_sources() {
  rm -rf --one-file-system "$target/frond"
  mkdir "$target/frond"
  cd "$root"
  git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- | tar --extract --directory="$target/frond"
}
build_packages() {
  cd "$target/frond"
  # The programs of Debian alone, whatever else this machine has.
  PATH=/usr/lib/ccache:/usr/sbin:/usr/bin:/sbin:/bin CCACHE_SLOPPINESS=locale,pch_defines,time_macros \
    dpkg-buildpackage --unsigned-source --unsigned-changes --build=binary
}
if [ $builds = true ]; then
  copy_sources
  step packages-build 'Building the packages, and trying what they are made of' build_packages
fi
[ -e "$changes" ] || die "there is no $changes: build the packages, without --built"
# Whoever builds as root has been warned of it.
step packages-lintian 'Checking them by lintian' lintian --allow-root --fail-on error,warning "$changes"

keeps_folder=${FOLDER:+true}
folder=${FOLDER:-$(mktemp -d)}
bare="$folder/bare" used="$folder/used"
clean_up() {
  unmount_root "$used"
  rm -rf --one-file-system "$used"
  [ -n "$keeps_folder" ] || rm -rf --one-file-system "$folder"
}
trap clean_up EXIT
make_root "$bare" bookworm
# What packages do without must not be there from another trial.
rm -rf --one-file-system "$used"
cp -a "$bare" "$used"
mount_root "$used"

rm -rf "$used/try"
mkdir -p "$used/try/debian" "$used/try/tests/interfaces/python" "$used/try/packages"
cp -r "$root/examples" "$used/try/"
cp -r "$root/debian/tests" "$used/try/debian/"
cp "$root"/tests/interfaces/python/test_*.py "$used/try/tests/interfaces/python/"
mapfile -t names < <(sed -n 's/^Package: //p' "$root/debian/control")
for name in "${names[@]}"; do cp "$target/${name}_${version}"_*.deb "$used/try/packages/"; done

inside() { inside_root "$used" /try "$1"; }
install_by_apt() { inside "apt-get install --yes --no-install-recommends $*"; }
step packages-update 'Updating the lists of packages' inside 'apt-get update'

# Without MPI: libfrond-dev brings no MPICH, builds what needs none, and says that the component mpi is missing.
step packages-install-alone 'Installing the library without MPI' \
  install_by_apt './packages/libfrond0_*.deb ./packages/libfrond-dev_*.deb' cmake g++ gfortran make pkg-config
if inside 'dpkg-query --show libmpich12' >/dev/null 2>&1; then die 'libfrond-dev brings along MPICH: see its Depends in debian/control'; fi
step packages-pkg-config 'Compiling and running examples with pkg-config' inside debian/tests/pkg-config
step packages-cmake-alone 'Building and testing the examples without MPI by CMake' \
  inside 'cmake -S examples -B alone && cmake --build alone && ctest --test-dir alone --output-on-failure --no-tests=error'
printf 'cmake_minimum_required(VERSION 3.25)\nproject(needs_mpi CXX)\nfind_package(frond REQUIRED COMPONENTS mpi)\n' \
  > "$used/try/CMakeLists.txt"
if inside 'cmake -S . -B missing' > "$logs/packages-missing.log" 2>&1; then
  die "find_package finds the component mpi without libfrond-mpi-dev: see cmake/frondConfig.cmake.in and $logs/packages-missing.log"
fi

# What is recommended starts processes and links the static libraries.
recommended=$(for name in "${names[@]}"; do dpkg-deb --field "$target/${name}_${version}"_*.deb Recommends; done | tr ',\n' '  ')
step packages-install 'Installing all packages' install_by_apt './packages/*.deb' "$recommended" libeigen3-dev python3-pytest
step packages-program 'Trying the program' inside debian/tests/program
inside 'gzip --test /usr/share/man/man1/frond.1.gz' || die 'the manual page frond.1 is not there: see cmake/FrondInstall.cmake'
step packages-cmake 'Building and testing all examples by CMake' inside debian/tests/cmake
step packages-static 'Building and testing them with the static libraries' \
  inside 'cmake -S examples -B static -DFROND_STATIC=ON && cmake --build static && ctest --test-dir static --output-on-failure --no-tests=error'
step packages-python 'Running the tests of the package of Python' inside debian/tests/python

step packages-purge 'Purging them' inside "apt-get purge --yes ${names[*]}"
left=$(inside "find / -xdev '(' -path /try -o -path /var/log -o -path /var/cache/apt ')' -prune -o -iname '*frond*' -print")
[ -z "$left" ] || die "purging the packages has left: $left"
say "The packages work; they are in $target:"
cd "$target"
for name in "${names[@]}"; do du --apparent-size --block-size=1K "${name}_${version}"_*.deb; done
