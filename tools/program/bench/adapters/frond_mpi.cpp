// SPDX-License-Identifier: BSD-3-Clause
// Runs Frond in several processes as a peer of itself.
#include "frond/mpi.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tools/program/bench/adapters/frond_solver.hpp"
#include "tools/program/process/launched_processes.hpp"

namespace {

frond::Place place_of_team(int num_threads) {
  frond::Place place = frond::on(MPI_COMM_WORLD);
  frond::bind_to_processors(frond::communicator_of(place), num_threads);
  return place;
}

}  // namespace

int main(int argc, char** argv) {
  frond::Peer peer = frond::frond_peer(place_of_team);
  peer.least_ranks = 2;
  peer.most_ranks = 1 << 20;
  peer.threads_call_mpi = true;
  peer.refactorizes = false;
  return frond::run_peer(argc, argv, peer);
}
