// SPDX-License-Identifier: BSD-3-Clause
// The frond program.
#include "tools/program.hpp"

int main(int argc, char** argv) { return frond::run_program(argc, argv); }
