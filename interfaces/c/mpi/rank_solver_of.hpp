// SPDX-License-Identifier: BSD-3-Clause
// Implements the solver of C for one scalar type on several processes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "frond/mpi.hpp"
#include "interfaces/c/solver_of.hpp"
#include "solver/distributed/mpi/rank_team.hpp"

namespace frond {

template <Scalar S>
class RankSolverOf final : public SolverOf<S> {
 public:
  explicit RankSolverOf(Ranks ranks) : ranks_(std::move(ranks)), team_(ranks_.communicator()) {}

  [[nodiscard]] const Team& team() const override { return team_; }
  /// Throws UsageError if MPI has ended.
  [[nodiscard]] std::vector<std::int64_t> of_all(std::int64_t mine) const override;
  [[nodiscard]] std::vector<Index> rows_of(const Factorization<S>& factorization) const override;

 private:
  [[nodiscard]] Analysis analyze_matrix(const SystemMatrix<S>& matrix, const SolverOptions& options) const override;
  [[nodiscard]] Analysis analyze_pattern_alone(const SolverOptions& options) const override;
  [[nodiscard]] Factorization<S> loaded(const std::string& path, const SystemMatrix<S>& matrix,
                                        const SolverOptions& options) const override;
  [[nodiscard]] Factorization<S> loaded(std::span<const std::byte> bytes, const SystemMatrix<S>& matrix,
                                        const SolverOptions& options) const override;
  [[nodiscard]] Factorization<S> resumed(const SystemMatrix<S>& matrix, const SolverOptions& options) const override;
  [[nodiscard]] TripletPattern together(TripletPattern mine) const override;
  [[nodiscard]] std::vector<S> together(std::span<const S> mine) const override;

  Ranks ranks_;
  RankTeam team_;
};

}  // namespace frond
