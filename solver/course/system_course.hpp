// SPDX-License-Identifier: BSD-3-Clause
// Takes a linear system from its factorization to its solutions, for one process and for several.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "solver/course/system_backend.hpp"
#include "solver/numerics/problem/report.hpp"

namespace frond {

/// A system with its factors, and their replacements when they are not good enough:
///
///   factors of lower precision whose refinement has failed    the same system in full precision, from then on
///   factors with which some x is not accurate                 others, if these make it so, from then on: in block triangular
///                                                             form, with other scales, with larger pivots
///   factors of A11 and of a Schur complement that leave       all of A without a Schur complement, for solves
///   the rank of A in doubt
///
/// All calls are collective. If the team has callers side by side, all calls but factorize() may run concurrently.
template <Scalar S>
class SystemCourse {
 public:
  /// `notes` are those from before the work starts.
  explicit SystemCourse(std::unique_ptr<SystemBackend<S>> backend, std::vector<std::string> notes = {});
  SystemCourse(const SystemCourse&) = delete;
  SystemCourse& operator=(const SystemCourse&) = delete;
  ~SystemCourse() = default;

  /// Called once, unless the factors come from elsewhere. A singular or not positive definite matrix does not throw; throws
  /// UsageError, MemoryError, BudgetError, and the backend's exceptions.
  void factorize(const WorkBudget& budget = {});

  /// Resets the report to the notes from before the work starts.
  void begin();

  /// The course whose factors solve; `current().backend()` is of the class that was passed.
  [[nodiscard]] const SystemCourse& current() const;
  [[nodiscard]] SystemCourse& current();
  [[nodiscard]] const SystemBackend<S>& backend() const { return *backend_; }
  [[nodiscard]] SystemBackend<S>& backend() { return *backend_; }
  [[nodiscard]] const SystemReport& report() const { return current().backend_->report(); }

  /// Throws UsageError if factors are needed that were not kept.
  void check_factors() const { check_factors_kept(backend_->state().kept); }

  /// Solves op(A) X = B. Sides and factors have been checked. With bounds as given and measured, or both as the options ask for.
  [[nodiscard]] SolveReport solve(const RankSides<S>& sides, Operation operation, std::optional<ErrorBounds> given = {});

  /// True if answers may be returned as the sweeps leave them: the options ask for no figure, and rank and factors are beyond
  /// doubt.
  [[nodiscard]] bool may_stay_unmeasured() const;

  /// Counts from the next solve on, for the factors that exist and for those that are made later.
  void set_solve_options(const RefinementOptions& refinement, ErrorBounds error_bounds);

  /// Throws UsageError if there is nothing to save, and what the backend throws.
  void save(const SavedTarget& target);

 private:
  /// What is known of all of A if the factors leave a Schur complement.
  struct Whole {
    FactorizationReport report;            ///< from the report on A11 and the factorization of the complement
    bool is_in_doubt = false;              ///< whether the rank is still open
    std::unique_ptr<SystemCourse> course;  ///< of all of A, if the rank is in doubt and memory allows
  };

  [[nodiscard]] SolveReport without_solution(const RankSides<S>& sides, const FactorizationReport& outcome, const RankProof& rank);
  [[nodiscard]] SolveReport solve_with_complement(const RankSides<S>& sides, Operation operation, ErrorBounds bounds);
  [[nodiscard]] SolveReport solve_on_other_ways(const RankSides<S>& sides, Operation operation, ErrorBounds bounds);
  [[nodiscard]] SolveReport solve_with_successor(const RankSides<S>& sides, Operation operation, ErrorBounds bounds);
  [[nodiscard]] SolveReport solve_with_whole(const RankSides<S>& sides, Operation operation, ErrorBounds bounds);
  /// An alternative way to factorize the same system.
  struct OtherWay {
    SolverOptions options;
    WorkBudget budget;
    bool needs_analysis = false;  ///< of its own
    std::string description;      ///< how the matrix is factorized by it
  };
  [[nodiscard]] std::vector<OtherWay> other_ways() const;
  [[nodiscard]] std::unique_ptr<SystemCourse> factorize_on(const OtherWay& way) const;
  void make_full();
  void succeed_by(std::unique_ptr<SystemCourse> successor, std::string note);
  void settle_whole();
  void factorize_complement(FactorizationReport& outcome);
  [[nodiscard]] bool is_rank_in_doubt();
  [[nodiscard]] std::unique_ptr<SystemCourse> factorize_whole();
  [[nodiscard]] SolverOptions options_beside(Count bytes) const;

  std::unique_ptr<SystemBackend<S>> backend_;
  std::vector<std::string> notes_;
  std::mutex making_successor_;
  bool has_given_up_lower_ = false;  // lower factors were released before those in full precision existed
  bool has_tried_other_ways_ = false;
  std::unique_ptr<SystemCourse> successor_;
  std::string successor_note_;
  std::atomic<SystemCourse*> current_{this};
  std::mutex settling_;
  std::optional<Whole> whole_;
};

}  // namespace frond
