#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests tools/scripts/check_prose.py: the sources pass, and long lines and words that are not English are found where they count.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
check="$root/tools/scripts/check_prose.py"
succeeds '' "$check"
mkdir -p "$scratch/docs" "$scratch/tools"
long=$(printf 'word %.0s' {1..30})
printf '# %s\n\n| %s |\n\n    %s\n\n```\n%s\n```\n' "$long" "$long" "$long" "$long" >"$scratch/docs/fine.md"
printf '// Calls `tell`, and there is no limit.\nconst char* word = "tells";\n' >"$scratch/tools/fine.cpp"
succeeds '' "$check" "$scratch"
echo "$long" >"$scratch/docs/long.md"
fails 'docs/long.md:1: 150 characters' "$check" "$scratch"
rm "$scratch/docs/long.md"
printf '\nThe table tells why.\n' >"$scratch/README.md"
fails 'README.md:2: "tells": write reports' "$check" "$scratch"
rm "$scratch/README.md"
printf 'throw UsageError("nobody told us");\n' >"$scratch/tools/message.cpp"
fails 'tools/message.cpp:1: "told"' "$check" "$scratch"
rm "$scratch/tools/message.cpp"
for comment in '// Whoever asks gets it, whoever it is.' 'int a;  ///< this is no number' '/// Who has sent it.'; do
  echo "$comment" >"$scratch/tools/comment.hpp"
  fails 'tools/comment.hpp:1: "' "$check" "$scratch"
done
exit $failures
