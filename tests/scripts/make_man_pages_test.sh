#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests tools/scripts/make_man_pages.py on a program that says little of itself.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
command -v python3 >/dev/null || { echo 'SKIPPED: python3 is not installed'; exit 77; }
make_pages="$root/tools/scripts/make_man_pages.py"
cat >"$scratch/frond" <<'PROGRAM'
#!/bin/bash
case "$*" in
  --version) echo 'frond 9' ;;
  --help) printf 'Solves.\nUsage: frond [OPTIONS] SUBCOMMAND\n\nSubcommands:\n  solve                       Solve it\n  absent                      Not here\n' ;;
  'solve --help-all')
    cat <<'HELP'
Solve it
Usage: frond solve [OPTIONS] matrix

Options:
  -h,--help                   Print help
  --a-name-of-some-length KIND
                              Take a description
                              of two lines
  --x-y N                     Take N, .5 by default


Rare things:
  --rare                      Be rare

Exit codes: 0 fine

Examples:
  frond solve A.mtx --rare
HELP
    ;;
  *) exit 2 ;;
esac
PROGRAM
chmod +x "$scratch/frond"
succeeds '' "$make_pages" "$scratch/frond" "$scratch/man"
[ "$(ls "$scratch/man")" = $'frond-solve.1\nfrond.1' ] || fail "pages: $(ls "$scratch/man")"
for line in '.TH FROND\-SOLVE 1 "" "frond 9" "User Commands"' 'frond\-solve \- Solve it' '.B \-\-a\-name\-of\-some\-length KIND' \
  'Take a description of two lines' '.B \-\-x\-y N' '.SH RARE THINGS' 'Exit codes: 0 fine' '.SH EXAMPLES' 'frond solve A.mtx \-\-rare'; do
  grep -qxF -- "$line" "$scratch/man/frond-solve.1" || fail "no line: $line"
done
if command -v groff >/dev/null; then
  [ -z "$(groff -man -ww -z "$scratch"/man/*.1 2>&1)" ] || fail "$(groff -man -ww -z "$scratch"/man/*.1 2>&1)"
fi
fails 'make_man_pages.py FROND FOLDER' "$make_pages"
exit $failures
