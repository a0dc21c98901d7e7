#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Checks what can be checked without compiling: format, length of files, layering, prose, weight.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tools/scripts/steps.sh"
cd "$root"
max_lines=500

mapfile -t sources < <(find matrices analysis loadinfo factorization solver interfaces tools tests examples -regex '.*\.[ch]\(pp\)?' 2>/dev/null | sort)
unformatted=$(clang-format-14 --dry-run "${sources[@]}" 2>&1 | sed -n 's/^\([^ :]*\):[0-9].*/\1/p' | sort -u)
[ -z "$unformatted" ] || die "not formatted; run: clang-format-14 -i" $unformatted
too_long=$(wc -l "${sources[@]}" | awk -v max=$max_lines '$2 != "total" && $1 > max')
[ -z "$too_long" ] || die "files of more than $max_lines lines have more than one subject; split them: $too_long"
tools/scripts/check_layering.py
tools/scripts/check_prose.py
tools/scripts/check_budget.py
say "${#sources[@]} source files: format, length, layering, prose and weight as they should be"
