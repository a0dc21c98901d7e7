// SPDX-License-Identifier: BSD-3-Clause
// Tests factors saved by some ranks and loaded by others, or by one process.
#include <gtest/gtest.h>

#include <algorithm>
#include <any>
#include <complex>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

#include "frond/error.hpp"
#include "matrices/symmetry.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "solver/numerics/problem/report.hpp"
#include "tests/solver/distributed/mpi/on_ranks.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/methods.hpp"
#include "tests/support/matrices/scalars.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

using testing::Flavour;

constexpr Index kColumns = 2;

// Returns the solutions of op(A) X = B for all operations, the same on all ranks.
template <class S>
std::vector<DenseMatrix<S>> solutions(const Factorization<S>& factorization, Index order, Verdict expected) {
  const DenseMatrix<S> b = testing::random_dense<S>(order, kColumns, 7);
  std::vector<DenseMatrix<S>> all;
  for (const Operation operation : test::kOperations) {
    DenseMatrix<S>& x = all.emplace_back(order, kColumns);
    const SolveReport report = factorization.solve(view_of(b), view_of(x), operation);
    // Without refinement, a single equation may be less accurate than the norm of all.
    const bool is_met_in_norm = report.verdict == Verdict::accuracy_missed && report.num_met() < kColumns &&
                                report.worst().normwise_backward_error <= report.target;
    EXPECT_TRUE(report.verdict == expected || (expected == Verdict::solved && is_met_in_norm)) << report.describe();
  }
  return all;
}

// How a case is distributed; each kind includes the previous one.
enum class Spread {
  fronts,  ///< even small systems are spread over the ranks
  rows,    ///< fronts are distributed by rows
  grid     ///< the root is on a grid of two
};

class SavedByRanks : public testing::OnRanks {
 protected:
  [[nodiscard]] static SolverOptions options(Spread spread, Rank num_ranks) {
    SolverOptions options = spread == Spread::fronts ? testing::spread_by_nodes() : testing::spread();
    options.factorization.num_threads = 1;
    options.refinement = {.max_steps = 0, .max_krylov_steps = 0};  // it would hide wrong factors
    MappingOptions& mapping = options.analysis.mapping;
    mapping.candidate_relaxation = spread == Spread::fronts ? mapping.candidate_relaxation : 10;  // all ranks
    mapping.grid_order_per_side = spread == Spread::grid ? 1 : 100000;
    mapping.grid_block_size = 8;
    if (num_ranks > 1) {
      mapping.grid_ranks = {0, 1};
    }
    return options;
  }

  // Returns a communicator of the first ranks, and nothing on the others.
  [[nodiscard]] std::optional<Communicator> first_ranks(Rank num_ranks) const {
    if (ranks_.rank() >= num_ranks) {
      return std::nullopt;
    }
    std::vector<Rank> some(static_cast<std::size_t>(num_ranks));
    std::iota(some.begin(), some.end(), 0);
    return ranks_.of_ranks(some);
  }

  [[nodiscard]] std::string path() const { return folder_.path("factors"); }

  // Analyses, factorizes and saves on the first ranks.
  template <class S>
  void save(const SystemMatrix<S>& matrix, const SolverOptions& options, Rank num_ranks, Verdict verdict) {
    const std::optional<Communicator> some = first_ranks(num_ranks);
    std::vector<DenseMatrix<S>> x;
    if (some) {
      auto factorization =
          factorize_on_ranks<S>(std::make_shared<const DistributedSystem<S>>(*some, is_first() ? &matrix : nullptr, options));
      x = solutions(factorization, matrix.order(), verdict);
      factorization.save(is_first() ? path() : std::string());
      report_ = factorization.report();
      num_distributed_ += rank_backend_of(factorization).mapping().num_nodes_of(NodeType::row_distributed);
      num_grids_ += rank_backend_of(factorization).mapping().num_nodes_of(NodeType::grid_distributed);
    }
    (void)all_gather(ranks_, {});
    saved_ = std::move(x);
    saved_by_ = num_ranks;
  }

  // Expects the same bits if as many ranks loaded the factors as saved them, and otherwise an equally good answer.
  template <class S>
  void expect_answers(const SparseMatrix<S>& matrix, const std::vector<DenseMatrix<S>>& x, bool same_bits, Verdict verdict) {
    const auto* before = std::any_cast<std::vector<DenseMatrix<S>>>(&saved_);
    const DenseMatrix<S> b = testing::random_dense<S>(matrix.num_rows, kColumns, 7);
    for (std::size_t k = 0; k < test::kOperations.size(); ++k) {
      if (same_bits) {
        EXPECT_EQ(x[k].values, (*before)[k].values);
      } else if (verdict == Verdict::solved) {
        EXPECT_LE(testing::dense_backward_error(testing::dense(matrix, test::kOperations[k]), x[k], b), kAccuracyTarget<S>);
      } else {
        for (std::size_t i = 0; i < x[k].values.size(); ++i) {
          EXPECT_LE(std::abs(x[k].values[i] - (*before)[k].values[i]), 1e3 * std::numeric_limits<RealOf<S>>::epsilon());
        }
      }
    }
  }

  template <class S>
  [[nodiscard]] Factorization<S> load_at(const Place& place, const SparseMatrix<S>& matrix, const SolverOptions& options) const {
    return Factorization<S>::load(is_first() ? path() : std::string(), is_first() ? SystemMatrix<S>(matrix) : SystemMatrix<S>(),
                                  options, place);
  }
  [[nodiscard]] Factorization<double> load_on_all(const SparseMatrix<double>& matrix, const SolverOptions& options) const {
    return load_at(place_, matrix, options);
  }

  // Loads and solves on the first ranks.
  template <class S>
  void load(const SparseMatrix<S>& matrix, const SolverOptions& options, Rank num_ranks, Verdict verdict) {
    if (const std::optional<Communicator> some = first_ranks(num_ranks)) {
      const auto loaded = load_at(rank_place({std::shared_ptr<void>(), &*some}), matrix, options);
      if (const auto& factors = rank_backend_of(loaded).factors()) {
        num_with_slaves_ += std::count_if(factors->shares.begin(), factors->shares.end(),
                                          [](const auto& of_node) { return of_node.second.size() > 1; });
      }
      if (is_first()) {
        EXPECT_EQ(loaded.report().factorization.determinant, report_.factorization.determinant);
        EXPECT_EQ(loaded.report().factorization.null_pivots, report_.factorization.null_pivots);
      }
      const auto x = solutions(loaded, matrix.num_rows, verdict);
      if (is_first()) {
        EXPECT_EQ(loaded.report().is_mixed, report_.is_mixed) << "it went back to double precision";
        expect_answers(matrix, x, num_ranks == saved_by_, verdict);
      }
    }
    (void)all_gather(ranks_, {});
  }

  template <class S>
  void load_on_one_process(const SparseMatrix<S>& matrix, const SolverOptions& options, Verdict verdict) {
    if (is_first()) {
      const auto loaded = Factorization<S>::load(path(), matrix, options);
      expect_answers(matrix, solutions(loaded, matrix.num_rows, verdict), false, verdict);
    }
    (void)all_gather(ranks_, {});
  }

  // Saves with 2 ranks, with all, and in one case with 1; loads with 1, with all, and with all but one.
  template <class S>
  void expect_same_answers(const SparseMatrix<S>& matrix, const std::function<void(SolverOptions&)>& change = {},
                           Verdict verdict = Verdict::solved, const std::set<Spread>& spreads = {Spread::rows, Spread::grid}) {
    const Rank all = ranks_.num_ranks();
    for (const Spread spread : spreads) {
      for (const Rank writers : std::set<Rank>{spread == Spread::rows ? 1 : all, std::min(2, all), all}) {
        SolverOptions how = options(spread, writers);
        if (change) {
          change(how);
        }
        save<S>(matrix, how, writers, verdict);
        how.method.reset();
        for (const Rank readers : std::set<Rank>{1, std::max(all - 1, 1), all}) {
          SCOPED_TRACE("spread " + std::to_string(static_cast<int>(spread)) + ", from " + std::to_string(writers) + " to " +
                       std::to_string(readers));
          how.analysis.mapping.grid_ranks = readers > 1 ? std::vector<Rank>{0, 1} : std::vector<Rank>{};
          load(matrix, how, readers, verdict);
        }
        load_on_one_process(matrix, how, verdict);
      }
    }
  }

  testing::ScratchFolder folder_;  // the first rank's folder is used
  SystemReport report_;
  std::any saved_;  // the solutions of those who saved, as std::vector<DenseMatrix<S>>
  Rank saved_by_ = 0;
  Count num_distributed_ = 0;
  Count num_grids_ = 0;
  Count num_with_slaves_ = 0;  // fronts of this rank that have several slaves
};

template <class S>
class SavedByRanksOf : public SavedByRanks {};
TYPED_TEST_SUITE(SavedByRanksOf, test::Scalars);

TYPED_TEST(SavedByRanksOf, ServeAnyNumberOfRanks) {
  using S = TypeParam;
  const Symmetry hermitian = kIsComplex<S> ? Symmetry::hermitian : Symmetry::symmetric;
  this->expect_same_answers(testing::random_matrix<S>(70, 3, hermitian, Flavour::dominant, 11));
  this->expect_same_answers(testing::random_matrix<S>(70, 3, hermitian, Flavour::graded, 11));
  this->expect_same_answers(testing::random_matrix<S>(70, 3, Symmetry::symmetric, Flavour::zero_diagonal, 11));
  this->expect_same_answers(testing::random_matrix<S>(70, 3, Symmetry::general, Flavour::zero_diagonal, 11));
  if (this->is_first()) {
    EXPECT_EQ(this->num_distributed_ > 0, this->ranks_.num_ranks() > 1);
    EXPECT_EQ(this->num_grids_ > 0, this->ranks_.num_ranks() > 1 && this->ranks_.gate().threads_may_call());
  }
}

TEST_F(SavedByRanks, ServeLargerSystems) {
  expect_same_answers(testing::laplacian<double>(9), {}, Verdict::solved, {Spread::fronts, Spread::rows, Spread::grid});
  expect_same_answers(testing::laplacian<double>(9), [](SolverOptions& options) { options.method = Method::lu; });
  expect_same_answers(testing::laplacian<double>(9), [](SolverOptions& options) { options.method = Method::ldlt; });
  const std::vector<Count> numbers = all_gather_values(ranks_, num_with_slaves_);
  EXPECT_EQ(std::accumulate(numbers.begin(), numbers.end(), Count{0}) > 0, ranks_.num_ranks() > 2);
}

TEST_F(SavedByRanks, KeepDelayedPivotsAndMatchedRows) {
  const auto with = [](Use matching) {
    return [matching](SolverOptions& options) {
      options.analysis.ordering.matching = matching;
      options.refinement.max_steps = 1;  // entries of the factors are up to 100 times larger than those of the matrix
    };
  };
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const auto matrix = testing::random_matrix<double>(300, 3, symmetry, Flavour::zero_diagonal, 9);
    expect_same_answers(matrix, with(Use::never));
    if (is_first()) {
      EXPECT_GT(report_.factorization.num_delayed_pivots, 0);
    }
    expect_same_answers(matrix, with(Use::always));
  }
}

TEST_F(SavedByRanks, KeepMixedPrecision) {
  const auto mixed = [](SolverOptions& options) {
    options.mixed_precision = true;
    options.refinement.max_steps = 3;
  };
  expect_same_answers(testing::laplacian<double>(6), mixed);
  if (is_first()) {
    EXPECT_TRUE(report_.is_mixed);
  }
  expect_same_answers(testing::random_matrix<std::complex<double>>(60, 3, Symmetry::general, Flavour::dominant, 4), mixed);
}

// Builds two chains of 20, the last variable of each without a nonzero entry: two null pivots.
TEST_F(SavedByRanks, KeepSingularMatrices) {
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    Triplets<double> entries{.num_rows = 40, .num_cols = 40, .symmetry = symmetry};
    for (Index i = 0; i < 40; ++i) {
      entries.add(i, i, i % 20 == 19 ? 0 : 2);
      if (i % 20 != 0 && i % 20 != 19) {
        entries.add(i, i - 1, 1);
      }
    }
    expect_same_answers(compress(std::move(entries)), {}, Verdict::singular);
  }
  // also with a singular root
  const SparseMatrix<double> matrix = expand_to_general(testing::singular_laplacian(4).view());
  expect_same_answers(matrix, {}, Verdict::singular);
  if (is_first()) {
    EXPECT_EQ(report_.factorization.null_pivots.size(), 1U);
  }
}

TEST_F(SavedByRanks, MayBeOfNothing) {
  expect_same_answers(SparseMatrix<double>{});
  expect_same_answers(SparseMatrix<double>{1, 1, Symmetry::general, {0, 1}, {0}, {2.0}});
}

TEST_F(SavedByRanks, MayComeFromOneProcess) {
  const auto matrix = testing::laplacian<double>(7);
  if (is_first()) {
    Factorization<double>(analyze(matrix), matrix).save(path());
  }
  (void)all_gather(ranks_, {});
  for (const Spread spread : {Spread::fronts, Spread::rows, Spread::grid}) {
    auto loaded = load_on_all(matrix, options(spread, ranks_.num_ranks()));
    EXPECT_EQ(rank_backend_of(loaded).mapping().num_nodes_of(NodeType::row_distributed) > 0,
              spread != Spread::fronts && ranks_.num_ranks() > 1);
    expect_answers(matrix, solutions(loaded, matrix.num_rows, Verdict::solved), false, Verdict::solved);
  }
}

TEST_F(SavedByRanks, GoBackToDoubleWhereRefinementFails) {
  const auto matrix = testing::laplacian<double>(6);
  SolverOptions how = options(Spread::rows, ranks_.num_ranks());
  how.mixed_precision = true;
  how.refinement = RefinementOptions();
  save<double>(matrix, how, ranks_.num_ranks(), Verdict::solved);
  how.mixed_precision = false;
  how.refinement = {.max_steps = 0, .max_krylov_steps = 0};
  auto loaded = load_on_all(matrix, how);
  EXPECT_TRUE(loaded.report().is_mixed);
  expect_answers(matrix, solutions(loaded, matrix.num_rows, Verdict::solved), false, Verdict::solved);
  EXPECT_FALSE(loaded.report().is_mixed);
}

TEST_F(SavedByRanks, TellAllRanksWhatIsWrong) {
  const auto matrix = testing::laplacian<double>(6);
  const SolverOptions how = options(Spread::rows, ranks_.num_ranks());
  save<double>(matrix, how, ranks_.num_ranks(), Verdict::solved);
  const auto load_with = [&](const SparseMatrix<double>& other) {
    return testing::complaint_of<Error>([&] { (void)load_on_all(other, how); });
  };
  EXPECT_EQ(load_with(matrix), "");
  auto other = matrix;
  other.values.back() += 1;
  EXPECT_NE(load_with(other).find("the values differ"), std::string::npos);
  std::string bytes = is_first() ? folder_.read("factors") : "";
  for (const double place : {0.1, 0.5, 0.97}) {
    if (is_first()) {
      std::string damaged = bytes;
      damaged[static_cast<std::size_t>(place * static_cast<double>(bytes.size()))] ^= 1;
      folder_.write("factors", damaged);
    }
    const std::string text = load_with(matrix);
    EXPECT_EQ(text.find("rank"), std::string::npos) << "as one process says it: " << text;
    EXPECT_NE(text.find("is damaged"), std::string::npos) << text;
    EXPECT_THROW((void)load_on_all(matrix, how), InputError);
    if (is_first()) {
      folder_.write("factors", bytes.substr(0, static_cast<std::size_t>(place * static_cast<double>(bytes.size()))));
    }
    EXPECT_NE(load_with(matrix).find("is cut off"), std::string::npos);
  }
  EXPECT_NE(
      testing::complaint_of<Error>([&] { (void)Factorization<double>::load(path(), {}, how, place_); }).find("there is no matrix"),
      std::string::npos);
}

TEST_F(SavedByRanks, TellAllRanksOfAFullDisk) {
  const auto matrix = testing::laplacian<double>(6);
  const auto factorization = factorize<double>(matrix, options(Spread::rows, ranks_.num_ranks()));
  const std::string text = testing::complaint_of<Error>([&] { factorization.save("/dev/full"); });
  EXPECT_NE(text.find("/dev/full: cannot be written: No space left on device"), std::string::npos) << text;
  EXPECT_NE(testing::complaint_of<Error>([&] { factorization.save("/no/such/folder/factors"); }).find("cannot be created"),
            std::string::npos);
  factorization.save("/dev/null");
}

TEST_F(SavedByRanks, LackMemoryTogether) {
  const auto matrix = testing::laplacian<double>(6);
  SolverOptions how = options(Spread::fronts, ranks_.num_ranks());
  save<double>(matrix, how, ranks_.num_ranks(), Verdict::solved);
  if (ranks_.rank() == ranks_.num_ranks() - 1) {
    how.factorization.memory_limit = 100;
  }
  EXPECT_THROW((void)load_on_all(matrix, how), MemoryError);
}

TEST_F(SavedByRanks, NeedFactors) {
  const SparseMatrix<double> matrix{2, 2, Symmetry::symmetric, {0, 1, 2}, {0, 1}, {1.0, -1.0}};
  SolverOptions how = options(Spread::fronts, ranks_.num_ranks());
  how.method = Method::cholesky;
  const auto factorization = factorize<double>(matrix, how);
  EXPECT_NE(testing::complaint_of<Error>([&] { factorization.save(path()); }).find("there are no factors"), std::string::npos);
}

}  // namespace
}  // namespace frond
