# SPDX-License-Identifier: BSD-3-Clause
# What the user-facing scripts share; they source this file after setting `root`, the top of the source tree.

# OPENBLAS_CORETYPE, which some systems set for everybody, makes OpenBLAS use the kernels of an older processor at half the speed.
# OpenBLAS finds the right ones by itself.
unset OPENBLAS_CORETYPE

logs="$root/build/logs"

say() { printf '%s\n' "$*"; }
die() { printf '\nerror: %s\n' "$*" >&2; exit 1; }

# Passes nothing on, but on a terminal shows the latest line of its input, each in place of the one before.
show_latest_line() {
  if [ -t 1 ]; then
    local columns line
    columns=$(tput cols 2>/dev/null || echo 80)
    while IFS= read -r line; do printf '\r\033[K%s' "${line:0:columns-1}"; done
    printf '\r\033[K'
  else
    cat >/dev/null
  fi
}

# step NAME TEXT COMMAND...: says TEXT, runs COMMAND with its output in the log NAME.log, and ends the script with the end of the
# log if it fails.
step() {
  local log="$logs/$1.log" start=$SECONDS
  say "$2 ..."
  shift 2
  mkdir -p "$logs"
  if ! "$@" 2>&1 </dev/null | tee "$log" | show_latest_line; then
    # Compilers name the cause long before the last line: show the lines that say "error" too.
    grep -n -i -m 10 -E 'error|failed' "$log" >&2 || true
    say '... and the end of the log:' >&2
    tail -n 15 "$log" >&2
    die "the command \`$*\` failed; its whole output is in $log"
  fi
  say "  done in $((SECONDS - start)) s"
}

# configure_and_build PRESET TARGET [CMAKE_OPTION...]
configure_and_build() {
  local preset=$1 target=$2
  shift 2
  cd "$root"
  step "configure-$preset" "Configuring ($preset)" cmake --preset "$preset" "$@"
  step "build-$preset" "Building ($preset, $(nproc) at a time)" cmake --build --preset "$preset" --target "$target" --parallel "$(nproc)"
}
