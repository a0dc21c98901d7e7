#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the package of Python as a wheel that contains all it needs but NumPy and SciPy: tools/build_wheel.sh [FOLDER]
# FOLDER takes the wheel (default: build/wheel). The libraries beside Frond's own have names of their own and are looked for beside
# it, OpenBLAS is a part of it: no other package of the process can bring along another one.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tools/scripts/steps.sh"
case "${1-}" in
  -h|--help) sed -n '3,5s/^# //p' "$0"; exit 0 ;;
esac
mkdir -p "${1:-$root/build/wheel}"
target=$(cd "${1:-$root/build/wheel}" && pwd)

cd "$root"
tools/scripts/install_packages.sh wheel
configure_and_build release frond_wheel_library
library=build/release/interfaces/python/libfrond_wheel.so
[ -e "$library" ] || die "there is no $library: the archives of OpenBLAS and SuiteSparse are missing"

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cp -rL interfaces/python/frond interfaces/python/pyproject.toml interfaces/python/README.md "$stage/"
find "$stage" -name __pycache__ -prune -exec rm -r {} +
version=$(sed -n 's/^project(frond VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
sed -i "s/^version = .*/version = \"$version\"/" "$stage/pyproject.toml"
mkdir "$stage/frond/lib" "$stage/frond/licenses"
soname=libfrond.so.${version%%.*}
inside="$stage/frond/lib/$soname"
strip --strip-unneeded -o "$inside" "$library"
cp LICENSE "$stage/frond/licenses/Frond"

# The libraries that are needed beside those of every system, each under a name that nobody else gives.
add_license() {
  local package
  package=$(dpkg-query --search "$(realpath "$1")" | head -n 1 | sed 's/:.*//')
  cp "/usr/share/doc/$package/copyright" "$stage/frond/licenses/$package"
}
# One after the other: patchelf 0.14 takes one argument for both.
name_and_place() {
  patchelf --set-soname "$2" "$1"
  patchelf --set-rpath "\$ORIGIN" "$1"
}
needed_by() { readelf --dynamic "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libm|libstdc\+\+|libgcc_s|libpthread|libdl|librt|ld-linux.*)\.so' || true; }
add_needed() {
  local file=$1 name place own
  for name in $(needed_by "$file"); do
    place=$(ldconfig -p | sed -n "s#^\t$name (.*x86-64.*) => ##p" | head -n 1)
    [ -n "$place" ] || die "$name is needed, but not installed"
    own="libfrond-${name#lib}"
    patchelf --replace-needed "$name" "$own" "$file"
    if [ ! -e "$stage/frond/lib/$own" ]; then
      cp "$(realpath "$place")" "$stage/frond/lib/$own"
      name_and_place "$stage/frond/lib/$own" "$own"
      add_license "$place"
      add_needed "$stage/frond/lib/$own"
    fi
  done
}
name_and_place "$inside" "$soname"
add_needed "$inside"
for archive in libopenblas-pthread-dev libsuitesparse-dev; do
  cp "/usr/share/doc/$archive/copyright" "$stage/frond/licenses/$archive"
done

# The oldest C library that has all functions that are called.
glibc=$(objdump --dynamic-syms "$stage"/frond/lib/* | sed -n 's/.*GLIBC_\(2\.[0-9]*\).*/\1/p' | sort -V | tail -n 1)
printf '[bdist_wheel]\nplat_name = manylinux_%s_%s\n' "${glibc/./_}" "$(uname -m)" > "$stage/setup.cfg"
step wheel 'Packing the wheel' /usr/bin/python3 -m pip wheel --quiet --no-build-isolation --no-deps --no-index --wheel-dir "$target" "$stage"
say "$(ls -t "$target"/*.whl | head -n 1)"
