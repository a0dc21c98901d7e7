// SPDX-License-Identifier: BSD-3-Clause
// Implements the calls that exist for several processes only.
#include <fmt/core.h>

#include <memory>

#include "frond_mpi.h"

#include "frond/error.hpp"
#include "interfaces/c/arguments.hpp"
#include "interfaces/c/handle.hpp"
#include "interfaces/c/mpi/rank_solver_of.hpp"

namespace {

// A single process gets the local solver, which can do more.
frond::AnySolver make_solver_on(const frond::Ranks& ranks, int scalar) {
  if (ranks.num_ranks() == 1) {
    return frond::make_solver(scalar);
  }
  return frond::make_for_scalar(scalar, [&](auto zero) { return std::make_unique<frond::RankSolverOf<decltype(zero)>>(ranks); });
}

}  // namespace

frond_status frond_create_on(MPI_Comm communicator, int scalar, frond_solver** solver) {
  if (solver != nullptr) {
    *solver = nullptr;
  }
  std::unique_ptr<frond_solver> made;
  try {
    const frond::Ranks ranks(communicator);
    const frond::RankTeam team(ranks.communicator());
    int common = scalar;
    frond::share_value(team, common);
    team.agree([&] {
      static_cast<void>(frond::required(solver, "solver"));
      if (scalar != common) {
        throw frond::UsageError(fmt::format("the scalar is {}, but {} on rank 0: all are to ask for the same", scalar, common));
      }
      made = std::make_unique<frond_solver>(make_solver_on(ranks, scalar));
    });
    *solver = made.release();
    frond::note_made();
    return FROND_SUCCESS;
  } catch (...) {
    if (made) {
      made->leave();  // other processes have no solver
    }
    return frond::note_none_made();
  }
}
