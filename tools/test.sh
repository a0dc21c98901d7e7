#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds Frond and runs every test: tools/test.sh [--full] [--werror]
#   --full    adds clang-tidy, the suite under AddressSanitizer and UndefinedBehaviorSanitizer, the race tests under ThreadSanitizer,
#             frond without MPI, a minute of fuzzing for each target, and every thread level of MPI with every number of processes, and
#             OpenMPI
#   --werror  treats compiler warnings as errors
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tools/scripts/steps.sh"

full=false
options=(-DFROND_TESTS=ON -DFROND_ALL_TESTS=OFF -DFROND_WERROR=OFF -DFROND_REQUIRE_CHROMIUM=ON)
for argument in "$@"; do
  case "$argument" in
    --full)
      full=true
      options+=(-DFROND_ALL_TESTS=ON -DFROND_STUDIES=ON -DFROND_PRECOMPILE=OFF -DFROND_OPENMPI=ON)
      ;;
    --werror) options+=(-DFROND_WERROR=ON) ;;
    -h|--help) sed -n '3,7s/^# //p' "$0"; exit 0 ;;
    *) die "unknown option $argument; usage: $0 [--full] [--werror]" ;;
  esac
done

# One of the tests compiles the whole library a second time, in the locale that ctest sets.
export CMAKE_CXX_COMPILER_LAUNCHER="${CMAKE_CXX_COMPILER_LAUNCHER-ccache}" CCACHE_DEPEND=1 CCACHE_SLOPPINESS=locale,pch_defines,time_macros

cd "$root"
tools/scripts/install_packages.sh "$([ $full = true ] && echo full || echo test)"
tools/scripts/check_sources.sh
configure_and_build release all "${options[@]}"
if [ $full = true ]; then
  step clang-tidy 'Running clang-tidy' tools/scripts/check_tidy.sh build/release
  configure_and_build asan-ubsan all "${options[@]}"
  ctest --preset asan-ubsan --parallel "$(nproc)"
  configure_and_build tsan frond_all_race_tests "${options[@]}"
  ctest --preset tsan
  configure_and_build no-mpi frond "${options[@]}"
  ctest --preset no-mpi
  configure_and_build fuzz frond_fuzzers
  step fuzzing 'Fuzzing what reads files, a minute each' tests/fuzz/run.sh build/fuzz build/fuzz/work 60
fi
ctest --preset release --parallel "$(nproc)"
