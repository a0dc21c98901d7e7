// SPDX-License-Identifier: BSD-3-Clause
// Factorizing and solving in one go, for one process and for several.
#pragma once

#include <string>

#include "frond/report.hpp"
#include "solver/course/system_course.hpp"

namespace frond {

/// With half of the factors where that is enough, and else with all, see solve_once().
template <Scalar S>
class OnceCourse {
 public:
  /// The system is not factorized yet, and keeps all factors where they are needed. `notes` are what there is to say before any
  /// work is done. The system outlives the course.
  explicit OnceCourse(SystemCourse<S>& system) : system_(system), backend_(system.backend()) {}

  /// The sides have been checked.
  [[nodiscard]] OnceReport run(const RankSides<S>& sides);

 private:
  [[nodiscard]] OnceReport solve(const RankSides<S>& sides);
  [[nodiscard]] std::string solve_by_half(const RankSides<S>& sides, SolveReport& solved);
  [[nodiscard]] OnceReport solve_by_all(const RankSides<S>& sides, std::string note);

  SystemCourse<S>& system_;
  SystemBackend<S>& backend_;
};

}  // namespace frond
