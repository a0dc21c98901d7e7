// SPDX-License-Identifier: BSD-3-Clause
// The calls that only several processes have.
#include <memory>

#include "frond_mpi.h"

#include "frond/error.hpp"
#include "interfaces/c/handle.hpp"
#include "interfaces/c/mpi/rank_solver_of.hpp"

frond_status frond_create_on(MPI_Comm communicator, int scalar, frond_solver** solver) {
  if (solver != nullptr) {
    *solver = nullptr;
  }
  try {
    const frond::Ranks ranks(communicator);
    const frond::RankTeam team(ranks.communicator());
    int common = scalar;
    frond::share_value(team, common);
    std::unique_ptr<frond_solver> made;
    team.agree([&] {
      if (solver == nullptr || scalar != common) {
        throw frond::UsageError("there is no place for the solver, or processes ask for different scalars");
      }
      made = std::make_unique<frond_solver>(
          frond::make_for_scalar(scalar, [&](auto zero) { return std::make_unique<frond::RankSolverOf<decltype(zero)>>(ranks); }));
    });
    *solver = made.release();
    return FROND_SUCCESS;
  } catch (...) {
    return frond::describe_exception().first;
  }
}
