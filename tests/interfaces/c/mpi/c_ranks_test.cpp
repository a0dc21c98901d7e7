// SPDX-License-Identifier: BSD-3-Clause
// Tests one system over all processes through the C interface: which process has what, and errors on one of them.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "frond_mpi.h"
#include "tests/interfaces/c/c_system.hpp"
#include "tests/interfaces/c/mpi/processes.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond::testing {
namespace {

constexpr Index kOrder = 60;

/// The entries of a matrix that one process has.
template <Scalar S>
struct Part {
  std::vector<std::int32_t> rows;
  std::vector<std::int32_t> cols;
  std::vector<S> values;
};

template <class S>
class COnRanks : public ::testing::Test {
 protected:
  const int rank_ = number_of_this_process();
  const int size_ = number_of_processes();
  const SparseMatrix<S> matrix_ = random_matrix<S>(kOrder, 4, Symmetry::general, Flavour::graded, 3);
  const DenseMatrix<S> b_ = random_dense<S>(kOrder, 2, 7);
  OwnedSolver solver_ = make();

  [[nodiscard]] static OwnedSolver make() {
    frond_solver* solver = nullptr;
    EXPECT_EQ(frond_create_on(MPI_COMM_WORLD, kScalarOf<S>, &solver), FROND_SUCCESS);
    OwnedSolver owned(solver);
    EXPECT_EQ(frond_set(solver, "threads", "1"), FROND_SUCCESS);
    return owned;
  }

  [[nodiscard]] bool is_first() const { return rank_ == 0; }

  /// Deals out the entries cyclically, each in two halves that lie on consecutive processes.
  [[nodiscard]] Part<S> part_of(const SparseMatrix<S>& matrix) const {
    Part<S> part;
    Count entry = 0;
    for (Index col = 0; col < matrix.num_cols; ++col) {
      for (Count k = matrix.column_offsets[col]; k < matrix.column_offsets[static_cast<std::size_t>(col) + 1]; ++k, ++entry) {
        for (int half = 0; half < 2; ++half) {
          if ((entry + half) % size_ == rank_) {
            part.rows.push_back(matrix.row_indices[k]);
            part.cols.push_back(col);
            part.values.push_back(matrix.values[k] / S(2));
          }
        }
      }
    }
    return part;
  }

  frond_status set_part(const Part<S>& part, bool with_values = true) {
    return frond_set_triplets(solver_, kOrder, FROND_GENERAL, static_cast<std::int64_t>(part.rows.size()), part.rows.data(),
                              part.cols.data(), with_values ? part.values.data() : nullptr);
  }
  frond_status set_on_first(const SparseMatrix<S>& matrix) {
    return is_first() ? set_columns(solver_, matrix) : frond_set_columns(solver_, 0, FROND_GENERAL, nullptr, nullptr, nullptr);
  }

  [[nodiscard]] std::vector<std::int32_t> own_rows() {
    std::int32_t count = -1;
    EXPECT_TRUE(succeeds(solver_, frond_own_rows(solver_, 0, nullptr, &count)));
    std::vector<std::int32_t> rows(static_cast<std::size_t>(std::max(count, 0)));
    EXPECT_EQ(frond_own_rows(solver_, count, rows.data(), &count), FROND_SUCCESS);
    return rows;
  }

  /// Assembles a matrix of which each process has some rows.
  [[nodiscard]] DenseMatrix<S> put_together(const std::vector<std::int32_t>& rows, const DenseMatrix<S>& mine) const {
    DenseMatrix<S> all(kOrder, mine.num_cols);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (Index j = 0; j < mine.num_cols; ++j) {
        all(rows[k], j) = mine(static_cast<Index>(k), j);
      }
    }
    constexpr int kReals = kIsComplex<S> ? 2 : 1;
    MPI_Allreduce(MPI_IN_PLACE, all.values.data(), static_cast<int>(all.values.size()) * kReals,
                  sizeof(RealOf<S>) == sizeof(double) ? MPI_DOUBLE : MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    return all;
  }

  void expect_solution(const SparseMatrix<S>& matrix, const DenseMatrix<S>& x, Operation operation = Operation::plain) const {
    EXPECT_LT(dense_backward_error(dense(matrix, operation), x, b_),
              100 * static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()));
  }

  /// Solves with rows of the solution that stay where they arise.
  void expect_solved(const SparseMatrix<S>& matrix) {
    std::vector<std::int32_t> given;
    for (Index row = rank_; row < kOrder; row += size_) {
      given.push_back(row);
    }
    DenseMatrix<S> b(static_cast<Index>(given.size()), 2);
    for (std::size_t k = 0; k < given.size(); ++k) {
      b(static_cast<Index>(k), 0) = b_(given[k], 0);
      b(static_cast<Index>(k), 1) = b_(given[k], 1);
    }
    const std::vector<std::int32_t> wanted = own_rows();
    DenseMatrix<S> x(static_cast<Index>(wanted.size()), 2);
    ASSERT_EQ(frond_solve_rows(solver_, FROND_PLAIN, 2, b.num_rows, given.data(), b.values.data(), std::max(b.num_rows, 1),
                               x.num_rows, wanted.data(), x.values.data(), std::max(x.num_rows, 1)),
              FROND_SUCCESS)
        << frond_message(solver_);
    expect_solution(matrix, put_together(wanted, x));
  }

  void expect_refused(frond_status status, const std::string& part) const { testing::expect_refused(solver_, status, part); }
};

TYPED_TEST_SUITE(COnRanks, test::Scalars);

TYPED_TEST(COnRanks, TripletsOfAnyProcessAndRowsThatStayWhereTheyArise) {
  ASSERT_TRUE(succeeds(this->solver_, this->set_part(this->part_of(this->matrix_))));
  this->expect_solved(this->matrix_);
}

TYPED_TEST(COnRanks, EachRowHasOneProcess) {
  ASSERT_EQ(this->set_part(this->part_of(this->matrix_)), FROND_SUCCESS);
  std::vector<int> owners(kOrder, 0);
  for (const std::int32_t row : this->own_rows()) {
    ++owners.at(static_cast<std::size_t>(row));
  }
  MPI_Allreduce(MPI_IN_PLACE, owners.data(), kOrder, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(owners, std::vector<int>(kOrder, 1));
}

TYPED_TEST(COnRanks, ValuesAfterThePattern) {
  Part<TypeParam> part = this->part_of(this->matrix_);
  ASSERT_EQ(this->set_part(part, false), FROND_SUCCESS);
  this->expect_refused(frond_factorize(this->solver_), "no values");
  ASSERT_TRUE(succeeds(this->solver_, frond_analyze(this->solver_)));
  for (const float factor : {1.0F, 3.0F}) {
    SparseMatrix<TypeParam> scaled = this->matrix_;
    std::vector<TypeParam> values = part.values;
    for (std::vector<TypeParam>* list : {&scaled.values, &values}) {
      std::for_each(list->begin(), list->end(), [factor](TypeParam& value) { value *= TypeParam(factor); });
    }
    ASSERT_EQ(frond_set_values(this->solver_, static_cast<std::int64_t>(values.size()), values.data()), FROND_SUCCESS);
    this->expect_solved(scaled);
  }
}

TYPED_TEST(COnRanks, AMatrixOfTheFirstProcess) {
  using S = TypeParam;
  ASSERT_EQ(this->set_on_first(this->matrix_), FROND_SUCCESS);
  const bool wants_x = this->rank_ != 1;
  for (const auto& [ours, theirs] : {std::pair(FROND_PLAIN, Operation::plain), std::pair(FROND_ADJOINT, Operation::adjoint)}) {
    DenseMatrix<S> x(kOrder, 2);
    ASSERT_EQ(frond_solve(this->solver_, this->is_first() ? ours : 99, 2, this->is_first() ? this->b_.values.data() : nullptr,
                          kOrder, wants_x ? x.values.data() : nullptr, kOrder),
              FROND_SUCCESS)
        << frond_message(this->solver_);
    if (wants_x) {
      this->expect_solution(this->matrix_, x, theirs);
    }
  }
  double error = -1;
  EXPECT_EQ(frond_get_real(this->solver_, "backward_error", &error), FROND_SUCCESS) << "known on all";
  EXPECT_GE(error, 0);
  SparseMatrix<S> twice = this->matrix_;
  std::for_each(twice.values.begin(), twice.values.end(), [](S& value) { value *= S(2); });
  ASSERT_EQ(
      frond_set_values(this->solver_, this->is_first() ? twice.num_entries() : 0, this->is_first() ? twice.values.data() : nullptr),
      FROND_SUCCESS);
  this->expect_solved(twice);
  ASSERT_EQ(frond_refactorize(this->solver_, this->is_first() ? twice.num_entries() : 0,
                              this->is_first() ? this->matrix_.values.data() : nullptr),
            FROND_SUCCESS);
  this->expect_solved(this->matrix_);
  this->expect_refused(frond_refactorize(this->solver_, this->is_first() ? 1 : 0, twice.values.data()), "1 values");
  ASSERT_EQ(frond_refactorize(this->solver_, twice.num_entries(), twice.values.data()), FROND_SUCCESS);
  this->expect_solved(twice);
  ASSERT_EQ(frond_set_rows(this->solver_, this->is_first() ? kOrder : 0, FROND_GENERAL, nullptr, nullptr, nullptr),
            FROND_USAGE_ERROR);
  this->expect_solved(twice);
}

TYPED_TEST(COnRanks, SymmetryIsDetectedAndInertiaKnownOnAll) {
  using S = TypeParam;
  SparseMatrix<S> diagonal = laplacian<S>(1);
  diagonal = SparseMatrix<S>{};
  diagonal.num_rows = diagonal.num_cols = kOrder;
  diagonal.column_offsets = {0};
  for (Index k = 0; k < kOrder; ++k) {
    diagonal.row_indices.push_back(k);
    diagonal.values.push_back(S(k < 20 ? -1.0F : 2.0F));
    diagonal.column_offsets.push_back(k + 1);
  }
  ASSERT_EQ(frond_set(this->solver_, this->is_first() ? "symmetry" : nullptr, this->is_first() ? "detect" : "whatever"),
            FROND_SUCCESS);
  ASSERT_EQ(this->set_part(this->part_of(diagonal)), FROND_SUCCESS);
  std::int64_t positive = 0;
  std::int64_t negative = 0;
  ASSERT_TRUE(succeeds(this->solver_, frond_inertia(this->solver_, &positive, &negative, nullptr)));
  EXPECT_EQ(positive, 40);
  EXPECT_EQ(negative, 20);
  this->expect_solved(diagonal);
}

TYPED_TEST(COnRanks, OtherAnswersAreThoseOfTheFirst) {
  using S = TypeParam;
  frond_solver* solver = this->solver_.get();
  ASSERT_EQ(this->set_part(this->part_of(this->matrix_)), FROND_SUCCESS);
  const auto here = [this](void* array) { return this->is_first() ? array : nullptr; };
  std::vector<S> diagonal(kOrder);
  ASSERT_TRUE(succeeds(solver, frond_inverse_diagonal(solver, 0, here(diagonal.data()))));
  DenseMatrix<S> unit(kOrder, 1);
  unit(3, 0) = S(1);
  DenseMatrix<S> column(kOrder, 1);
  ASSERT_EQ(frond_solve(solver, FROND_PLAIN, 1, here(unit.values.data()), kOrder, here(column.values.data()), kOrder),
            FROND_SUCCESS);
  const std::vector<std::int64_t> offsets = {0, 1};
  const std::vector<std::int32_t> rows = {3};
  const S one(1);
  DenseMatrix<S> again(kOrder, 1);
  ASSERT_EQ(frond_solve_sparse(solver, FROND_PLAIN, 1, this->is_first() ? offsets.data() : nullptr,
                               this->is_first() ? rows.data() : nullptr, &one, again.values.data(), kOrder),
            FROND_SUCCESS)
      << frond_message(solver);
  std::int32_t dimension = -1;
  ASSERT_EQ(frond_null_space(solver, FROND_PLAIN, 0, nullptr, 0, &dimension), FROND_SUCCESS);
  EXPECT_EQ(dimension, 0);
  DenseMatrix<S> parts = this->b_;
  for (const int part : {FROND_LOWER, FROND_DIAGONAL, FROND_UPPER}) {
    ASSERT_TRUE(succeeds(solver, frond_solve_part(solver, part, FROND_PLAIN, 2, here(parts.values.data()), kOrder)));
  }
  if (this->is_first()) {
    EXPECT_NEAR(std::abs(diagonal[3] - column(3, 0)), 0, 1e-3 * std::abs(column(3, 0)));
    EXPECT_NEAR(std::abs(again(5, 0) - column(5, 0)), 0, 1e-4 * std::abs(column(3, 0)));
    EXPECT_LT(dense_backward_error(dense(this->matrix_), parts, this->b_), 1e-3);
  }
  if (this->size_ > 1) {
    std::vector<std::int32_t> order(kOrder);
    this->expect_refused(frond_factor_order(solver, order.data(), nullptr, nullptr, nullptr, nullptr), "in one process");
    this->expect_refused(frond_solve_batch(solver, FROND_PLAIN, 0, nullptr, 0, nullptr, 0, nullptr, 0, nullptr, nullptr),
                         "frond_create()");
  }
  DenseMatrix<S> x(kOrder, 2);
  ASSERT_TRUE(succeeds(solver, frond_solve_once(solver, 2, here(parts.values.data()), kOrder, here(x.values.data()), kOrder)));
}

TYPED_TEST(COnRanks, WithoutASchurComplementAllHaveTheStatus) {
  using S = TypeParam;
  frond_solver* solver = this->solver_.get();
  Triplets<S> entries{kOrder, kOrder, Symmetry::general};
  for (Index j = 1; j < kOrder; ++j) {
    entries.add(j, j, S(2));
  }
  entries.add(0, kOrder - 1, S(1));  // the only entry of the first variable
  entries.add(kOrder - 1, 0, S(1));
  ASSERT_EQ(this->set_on_first(compress(std::move(entries))), FROND_SUCCESS);
  const std::int32_t kept = kOrder - 1;
  ASSERT_TRUE(succeeds(solver, frond_set_schur_variables(solver, 1, this->is_first() ? &kept : nullptr)));
  S s = S(0);
  EXPECT_EQ(frond_schur_complement(solver, this->is_first() ? &s : nullptr, 1), FROND_SINGULAR);
  EXPECT_NE(std::string(frond_message(solver)).find("there is no Schur complement"), std::string::npos);
  EXPECT_EQ(std::isnan(std::real(s)), this->is_first());
}

TYPED_TEST(COnRanks, FiguresAreThoseOfTheWholeFactorization) {
  frond_solver* solver = this->solver_.get();
  const auto matrix = random_matrix<TypeParam>(kOrder, 4, Symmetry::symmetric, Flavour::dominant, 3);
  ASSERT_EQ(this->set_on_first(matrix), FROND_SUCCESS);
  const OwnedSolver alone = make_solver(kScalarOf<TypeParam>);
  ASSERT_EQ(set_columns(alone, matrix), FROND_SUCCESS);
  for (frond_solver* either : {solver, alone.get()}) {
    ASSERT_EQ(frond_set(either, "scaling", "equilibrate"), FROND_SUCCESS);  // excludes systems without fronts
  }
  ASSERT_TRUE(succeeds(solver, frond_factorize(solver)));
  ASSERT_TRUE(succeeds(alone, frond_factorize(alone)));
  for (const char* name : {"factor_entries", "predicted_factor_entries", "fronts"}) {
    std::int64_t together = 0;
    std::int64_t by_one = 0;
    ASSERT_EQ(frond_get_integer(solver, name, &together), FROND_SUCCESS);
    ASSERT_EQ(frond_get_integer(alone, name, &by_one), FROND_SUCCESS);
    EXPECT_EQ(together, by_one) << name;
  }
  double flops = 0;
  double flops_of_one = 0;
  ASSERT_EQ(frond_get_real(solver, "factor_flops", &flops), FROND_SUCCESS);
  ASSERT_EQ(frond_get_real(alone, "factor_flops", &flops_of_one), FROND_SUCCESS);
  EXPECT_NEAR(flops, flops_of_one, 1e-6 * flops_of_one);
}

TYPED_TEST(COnRanks, SchurComplements) {
  using S = TypeParam;
  frond_solver* solver = this->solver_.get();
  const auto here = [this](void* array) { return this->is_first() ? array : nullptr; };
  const auto given = [this](const void* array) { return this->is_first() ? array : nullptr; };
  ASSERT_EQ(this->set_on_first(this->matrix_), FROND_SUCCESS);
  const std::vector<std::int32_t> kept = {7, 41, 12};
  ASSERT_TRUE(succeeds(solver, frond_set_schur_variables(solver, 3, this->is_first() ? kept.data() : nullptr)));
  DenseMatrix<S> s(3, 3);
  ASSERT_TRUE(succeeds(solver, frond_schur_complement(solver, here(s.values.data()), 3)));
  DenseMatrix<S> condensed(3, 2);
  ASSERT_EQ(frond_condense(solver, FROND_PLAIN, 2, given(this->b_.values.data()), kOrder, here(condensed.values.data()), 3),
            FROND_SUCCESS);
  DenseMatrix<S> x(kOrder, 2);
  ASSERT_EQ(frond_solve(solver, FROND_PLAIN, 2, given(this->b_.values.data()), kOrder, here(x.values.data()), kOrder),
            FROND_SUCCESS);
  DenseMatrix<S> x2(3, 2);
  for (Index k = 0; k < 3; ++k) {
    for (Index j = 0; j < 2; ++j) {
      x2(k, j) = x(kept[k], j);
    }
  }
  DenseMatrix<S> expanded(kOrder, 2);
  ASSERT_EQ(frond_expand(solver, FROND_PLAIN, 2, given(this->b_.values.data()), kOrder, given(x2.values.data()), 3,
                         here(expanded.values.data()), kOrder),
            FROND_SUCCESS);
  if (this->is_first()) {
    this->expect_solution(this->matrix_, x);
    EXPECT_LT(dense_backward_error(s, x2, condensed), 1e-3);
    EXPECT_LT(dense_backward_error(dense(this->matrix_), expanded, this->b_), 1e-3);
  }
}

TYPED_TEST(COnRanks, SavedFactors) {
  frond_solver* solver = this->solver_.get();
  std::unique_ptr<ScratchFolder> folder;  // on the first process only
  if (this->is_first()) {
    folder = std::make_unique<ScratchFolder>();
  }
  const std::string path = folder ? folder->path("factors") : "";
  const char* file = folder ? path.c_str() : nullptr;
  ASSERT_EQ(this->set_part(this->part_of(this->matrix_)), FROND_SUCCESS);
  ASSERT_TRUE(succeeds(solver, frond_save(solver, file)));
  void* bytes = nullptr;
  std::int64_t num_bytes = -1;
  ASSERT_EQ(frond_save_to_memory(solver, &bytes, &num_bytes), FROND_SUCCESS);
  EXPECT_EQ(bytes != nullptr, this->is_first());
  ASSERT_EQ(this->set_part(this->part_of(this->matrix_)), FROND_SUCCESS);
  ASSERT_TRUE(succeeds(solver, frond_load(solver, file)));
  this->expect_solved(this->matrix_);
  ASSERT_EQ(this->set_part(this->part_of(this->matrix_)), FROND_SUCCESS);
  ASSERT_TRUE(succeeds(solver, frond_load_from_memory(solver, bytes, num_bytes)));
  this->expect_solved(this->matrix_);
  frond_free(bytes);
  EXPECT_EQ(frond_load(solver, folder ? folder->path("none").c_str() : nullptr), FROND_INPUT_ERROR);
  EXPECT_EQ(frond_load(solver, this->is_first() ? nullptr : "somewhere"), FROND_USAGE_ERROR);
  this->expect_solved(this->matrix_);
}

TYPED_TEST(COnRanks, ACheckpointIsGoneOnWith) {
  std::unique_ptr<ScratchFolder> folder;
  if (this->is_first()) {
    folder = std::make_unique<ScratchFolder>();
  }
  const std::string path = folder ? folder->path("checkpoint") : "";
  ASSERT_TRUE(succeeds(this->solver_, frond_set(this->solver_, "checkpoint", path.c_str())));
  ASSERT_EQ(this->set_part(this->part_of(this->matrix_)), FROND_SUCCESS);
  this->expect_solved(this->matrix_);
  this->solver_ = this->make();
  ASSERT_EQ(frond_set(this->solver_, "checkpoint", path.c_str()), FROND_SUCCESS);
  ASSERT_EQ(this->set_part(this->part_of(this->matrix_)), FROND_SUCCESS);
  ASSERT_TRUE(succeeds(this->solver_, frond_resume(this->solver_)));
  this->expect_solved(this->matrix_);
  MPI_Barrier(MPI_COMM_WORLD);
}

TYPED_TEST(COnRanks, WhatIsWrongOnOneIsAnErrorOnAll) {
  using S = TypeParam;
  frond_solver* solver = this->solver_.get();
  const bool is_last = this->rank_ == this->size_ - 1;
  const std::string where = this->size_ > 1 ? "rank " + std::to_string(this->size_ - 1) : "";
  const Part<S> part = this->part_of(this->matrix_);
  ASSERT_EQ(this->set_part(part), FROND_SUCCESS);
  Part<S> wrong = part;
  if (is_last) {
    wrong.rows.back() = kOrder;
  }
  this->expect_refused(this->set_part(wrong), where);
  this->expect_refused(
      frond_set_values(solver, static_cast<std::int64_t>(part.values.size()) + (is_last ? 1 : 0), part.values.data()), where);
  if (this->size_ > 1) {
    this->expect_refused(this->set_part(part, !is_last), "a pattern alone");
    this->expect_refused(frond_set_triplets(solver, is_last ? 3 : kOrder, FROND_GENERAL, 0, nullptr, nullptr, nullptr), "order 3");
    this->expect_refused(
        frond_set_triplets(solver, kOrder, is_last ? FROND_SYMMETRIC : FROND_GENERAL, 0, nullptr, nullptr, nullptr), "symmetry");
    this->expect_refused(is_last ? frond_analyze(solver) : frond_factorize(solver),
                         "frond_analyze() while the first one calls frond_factorize()");
  }
  std::vector<S> nan(1, S(std::numeric_limits<RealOf<S>>::quiet_NaN()));
  const std::int32_t row = is_last ? 0 : 1;
  this->expect_refused(frond_solve_rows(solver, FROND_PLAIN, 1, is_last ? 1 : 0, &row, nan.data(), 1, 0, nullptr, nullptr, 1),
                       "finite");
  this->expect_refused(frond_solve_rows(solver, FROND_PLAIN, 1, is_last ? 1 : 0, &row, nullptr, 1, 0, nullptr, nullptr, 1),
                       "b is NULL");
  if (this->size_ > 1) {
    wrong = part;
    if (is_last) {
      wrong.values.back() = nan[0];
    }
    this->expect_refused(this->set_part(wrong), where + ": values[");
  }
  const std::int32_t none = kOrder;
  this->expect_refused(frond_solve_rows(solver, FROND_PLAIN, 1, 0, nullptr, nullptr, 1, is_last ? 1 : 0, &none, nan.data(), 1),
                       "x_rows[0]");
  this->expect_refused(frond_solve(solver, FROND_PLAIN, 1, nullptr, kOrder, nullptr, kOrder), "x is NULL");
  this->expect_refused(frond_set(solver, "colour", "red"), "colour");
  std::int32_t dimension = 0;
  this->expect_refused(frond_null_space(solver, FROND_PLAIN, 0, nullptr, 0, this->is_first() ? nullptr : &dimension), "dimension");
  this->expect_solved(this->matrix_);
}

// The remaining processes get an error from that call and from all later ones, which do not wait.
TYPED_TEST(COnRanks, WhoDestroysTheSolverAloneLeavesNobodyWaiting) {
  if (this->size_ == 1) {
    GTEST_SKIP() << "a process alone";
  }
  for (const int leaver : {0, this->size_ - 1}) {
    ASSERT_EQ(this->set_part(this->part_of(this->matrix_)), FROND_SUCCESS);
    if (this->rank_ == leaver) {
      this->solver_.reset();
    } else {
      EXPECT_EQ(frond_factorize(this->solver_), FROND_COMMUNICATION_ERROR);
      EXPECT_NE(std::string(frond_message(this->solver_)).find("rank " + std::to_string(leaver) + " calls frond_destroy()"),
                std::string::npos)
          << frond_message(this->solver_);
      EXPECT_EQ(frond_factorize(this->solver_), FROND_COMMUNICATION_ERROR) << "without a wait";
    }
    this->solver_ = this->make();
  }
  ASSERT_EQ(this->set_part(this->part_of(this->matrix_)), FROND_SUCCESS);
  this->expect_solved(this->matrix_);
}

TYPED_TEST(COnRanks, AStopOfAnyProcessEndsAll) {
  ASSERT_EQ(this->set_part(this->part_of(this->matrix_)), FROND_SUCCESS);
  const auto stop = [](void* /*context*/) { return 1; };
  ASSERT_EQ(frond_set_stop(this->solver_, this->is_first() ? stop : static_cast<frond_stop>(nullptr), nullptr), FROND_SUCCESS);
  EXPECT_EQ(frond_factorize(this->solver_), FROND_STOPPED);
  ASSERT_EQ(frond_set_stop(this->solver_, nullptr, nullptr), FROND_SUCCESS);
  this->expect_solved(this->matrix_);
}

}  // namespace
}  // namespace frond::testing
