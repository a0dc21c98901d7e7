// SPDX-License-Identifier: BSD-3-Clause
// Factorizes and solves in one call, for one process and for several.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "frond/analysis.hpp"
#include "frond/report.hpp"
#include "solver/course/system_course.hpp"

namespace frond {

/// Uses half of the factors if that suffices, and otherwise all, see solve_once().
template <Scalar S>
class OnceCourse {
 public:
  /// The system is not factorized yet, and keeps all factors if they are needed. `notes` are those from before the work starts. The
  /// system must outlive the course.
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

/// solve_once(), with the counts of each rank.
template <Scalar S>
[[nodiscard]] std::pair<OnceReport, std::vector<RankRunCounts>> solve_once_counted(const Analysis& analysis,
                                                                                   const SystemMatrix<S>& matrix,
                                                                                   DenseView<const S> b, DenseView<S> x);

}  // namespace frond
