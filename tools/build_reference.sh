#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds the reference of the interfaces of C++ and C, as pages for a browser: tools/build_reference.sh [FOLDER]
# FOLDER takes them (default: build/reference). They are made from the public headers by Doxygen, which is installed if it is
# missing, as docs/reference/Doxyfile says; whatever Doxygen warns of is an error.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tools/scripts/steps.sh"
case "${1-}" in
  -h|--help) sed -n '3,5s/^# //p' "$0"; exit 0 ;;
esac
mkdir -p "${1:-$root/build/reference}"
target=$(cd "${1:-$root/build/reference}" && pwd)

cd "$root"
command -v doxygen >/dev/null || tools/scripts/install_packages.sh reference
rm -rf "$target/html"  # pages of what is no longer there
version=$(sed -n 's/^project(frond VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
settings="$target/Doxyfile"
printf '%s\n' '@INCLUDE = docs/reference/Doxyfile' "PROJECT_NUMBER = $version" "OUTPUT_DIRECTORY = \"$target\"" >"$settings"
step reference 'Writing the reference' doxygen "$settings"
say "$target/html/index.html"
