#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Compiles what compare.py runs into a folder: compile.sh PROGRAMS
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
g++ -std=c++20 -O2 "$here/ipopt_problems.cpp" -o "$1/ipopt_problems" -lipopt
g++ -std=c++20 -O2 -shared -fPIC "$here/timed_calls.cpp" -o "$1/timed_calls.so" -ldl
mpicxx.openmpi -std=c++17 -O1 -I/usr/include/trilinos "$here/amesos.cpp" -o "$1/amesos" \
  -ltrilinos_amesos -ltrilinos_epetra -ltrilinos_teuchosparameterlist -ltrilinos_teuchoscore
gcc -O1 -I/usr/include/siconos -I/usr/include/siconos/numerics -I/usr/include/siconos/numerics/tools "$here/siconos.c" -o "$1/siconos" \
  -lsiconos_numerics -lsiconos_externals -lm
