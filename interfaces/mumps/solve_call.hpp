// SPDX-License-Identifier: BSD-3-Clause
// JOB=3: solutions, null vectors, entries of the inverse.
#pragma once

#include "frond/dense.hpp"
#include "frond/types.hpp"
#include "interfaces/mumps/structure.hpp"
#include "interfaces/mumps/system.hpp"

namespace frond::mumps {

/// One call for a system with factors. Throws Failure.
template <Scalar S>
class SolveCall {
 public:
  SolveCall(const Structure<S>& structure, System<S>& system) : structure_(structure), system_(system) {}

  void run();
  /// The right-hand sides as a dense matrix.
  [[nodiscard]] DenseMatrix<S> right_hand_sides();

 private:
  void solve_reduced(DenseView<const S> b, DenseView<S> x);
  void solve_whole(DenseView<const S> b, DenseView<S> x);
  void null_vectors();
  void inverse_entries();
  [[nodiscard]] Operation operation() const;
  [[nodiscard]] int num_sides() const;
  [[nodiscard]] DenseView<S> whole_columns();
  void add_sparse_sides(DenseMatrix<S>& b);
  void add_local_sides(DenseMatrix<S>& b);
  void write_local_solution(const DenseMatrix<S>& x);

  const Structure<S>& structure_;
  System<S>& system_;
};

}  // namespace frond::mumps
