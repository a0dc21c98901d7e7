// SPDX-License-Identifier: BSD-3-Clause
// Implements the calls that exist for several processes only.
#include <fmt/core.h>

#include <memory>

#include "frond_mpi.h"

#include "frond/error.hpp"
#include "frond/mpi.hpp"
#include "interfaces/c/arguments.hpp"
#include "interfaces/c/handle.hpp"
#include "solver/course/place_parts.hpp"

frond_status frond_create_on(MPI_Comm communicator, int scalar, frond_solver** solver) {
  if (solver != nullptr) {
    *solver = nullptr;
  }
  std::unique_ptr<frond_solver> made;
  try {
    const frond::Place place = frond::on(communicator);
    const frond::Team& team = place.parts().team();
    int common = scalar;
    frond::share_value(team, common);
    team.agree([&] {
      static_cast<void>(frond::required(solver, "solver"));
      if (scalar != common) {
        throw frond::UsageError(fmt::format("the scalar is {}, but {} on rank 0: all are to ask for the same", scalar, common));
      }
      // A single process gets the local solver, which can do more.
      made = std::make_unique<frond_solver>(frond::make_solver(scalar, place.num_ranks() == 1 ? frond::Place() : place));
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
