// SPDX-License-Identifier: BSD-3-Clause
// Runs Frond in one process as a peer of itself.
#include "tools/program/bench/adapters/frond_solver.hpp"

int main(int argc, char** argv) {
  return frond::run_peer(argc, argv, frond::frond_peer([](int /*num_threads*/) { return frond::Place(); }));
}
