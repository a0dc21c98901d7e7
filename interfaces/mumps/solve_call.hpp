// SPDX-License-Identifier: BSD-3-Clause
// JOB=3: solutions, null vectors, entries of the inverse.
#pragma once

#include <vector>

#include "frond/dense.hpp"
#include "frond/types.hpp"
#include "interfaces/mumps/structure.hpp"
#include "interfaces/mumps/system.hpp"

namespace frond::mumps {

/// One call for a system with factors, or one whose factorization takes right-hand sides. Throws Failure.
template <Scalar S>
class SolveCall {
 public:
  SolveCall(const Structure<S>& structure, System<S>& system) : structure_(structure), system_(system) {}

  void run();
  /// JOB=9: says in IRHS_LOC which rows of right-hand sides each process had best have, those of the solution that it will own.
  void distribute();
  /// The right-hand sides that a factorization with ICNTL(32)=1 takes.
  [[nodiscard]] DenseMatrix<S> forward_sides() const;

 private:
  /// Some rows of right-hand sides.
  struct Rows {
    std::vector<Index> rows;
    DenseMatrix<S> values;
  };

  void expect_factors() const;
  [[nodiscard]] const Team& team() const { return system_.team(); }
  [[nodiscard]] bool leads() const { return system_.leads(); }
  void solve_whole(DenseView<S> x);
  void solve_rows(bool stays_local);
  void solve_block(DenseView<S> x);
  void condense();
  void expand(DenseView<S> x);
  void null_vectors() const;
  void inverse_entries() const;
  [[nodiscard]] Operation operation() const;
  [[nodiscard]] int num_sides() const;
  [[nodiscard]] Index schur_order() const { return static_cast<Index>(system_.schur_variables.size()); }
  [[nodiscard]] DenseView<S> whole_columns() const;
  [[nodiscard]] DenseView<S> reduced_columns() const;
  [[nodiscard]] DenseMatrix<S> right_hand_sides() const;
  [[nodiscard]] DenseMatrix<S> given_sides() const;
  void expect_forward_width() const;
  [[nodiscard]] const int* sparse_offsets(Index num_columns) const;
  void add_sparse_sides(DenseMatrix<S>& b) const;
  [[nodiscard]] Rows local_sides() const;
  void add_local_sides(DenseMatrix<S>& b) const;
  [[nodiscard]] std::vector<Index> own_rows() const;
  [[nodiscard]] DenseView<S> local_solution(const std::vector<Index>& rows) const;

  const Structure<S>& structure_;
  System<S>& system_;
};

}  // namespace frond::mumps
