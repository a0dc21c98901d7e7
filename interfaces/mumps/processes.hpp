// SPDX-License-Identifier: BSD-3-Clause
// What the processes of one instance have to do together. A call is made by all of them, and each has arrays of its own.
#pragma once

#include <algorithm>
#include <exception>
#include <vector>

#include "frond/place.hpp"
#include "interfaces/mumps/failure.hpp"
#include "interfaces/mumps/structure.hpp"
#include "solver/course/team.hpp"

namespace frond::mumps {

/// The processes of a communicator, by its number in Fortran; collective. A library has one of two implementations: alone.cpp, in
/// which it is this process whatever the number is, and over_mpi.cpp.
[[nodiscard]] Place place_of(int communicator);

/// Runs `work` on each process. What it throws on one is thrown there, and Code::elsewhere on the others.
template <class Work>
void together(const Team& team, Work work) {
  std::exception_ptr mine;
  try {
    work();
  } catch (...) {
    mine = std::current_exception();
  }
  const std::vector<Count> failed = team.of_all(mine ? 1 : 0);
  const auto first = std::find(failed.begin(), failed.end(), 1);
  if (mine) {
    std::rethrow_exception(mine);
  }
  if (first != failed.end()) {
    throw Failure(Code::elsewhere, first - failed.begin(), "the call failed on another process");
  }
}

template <class Work>
void together_on_first(const Team& team, Work work) {
  together(team, [&] {
    if (team.leads()) {
      work();
    }
  });
}

/// A structure that all processes see alike, made of those of a call: the controls, numbers and names of the first process, and
/// the arrays of this one.
template <Scalar S>
class SharedStructure {
 public:
  /// Collective.
  SharedStructure(const Structure<S>& of_caller, const Team& team);
  [[nodiscard]] Structure<S> structure() { return {bytes_.data(), of_caller_.layout()}; }
  /// Collective: agrees on INFOG(1) and (2), and gives the caller what results there are.
  void give_results(const Team& team);

 private:
  Structure<S> of_caller_;
  std::vector<std::byte> bytes_;
};

}  // namespace frond::mumps
