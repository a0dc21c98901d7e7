// SPDX-License-Identifier: BSD-3-Clause
// Makes the calls of <frond/mpi.hpp> as a program with its own MPI would.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "frond/mpi.hpp"
#include "loadinfo/messages/mpi/mpi_environment.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/expect_solves.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/ranks/mpi_test.hpp"

namespace frond {
namespace {

class RanksOfAProgram : public ::testing::Test {
 protected:
  [[nodiscard]] bool is_first() const { return place_.rank() == 0; }
  [[nodiscard]] SystemMatrix<double> given(const SparseMatrix<double>& matrix) const {
    return is_first() ? SystemMatrix<double>(matrix) : SystemMatrix<double>();
  }

  Place place_ = on(MPI_COMM_WORLD);
};

// An analysis stays usable when everything it was made from is gone.
TEST_F(RanksOfAProgram, SolveWithAnAnalysisThatOutlivesTheRest) {
  SparseMatrix<double> matrix = testing::laplacian<double>(7);
  std::optional<Analysis> analysis;
  {
    const Place others = on(MPI_COMM_WORLD, place_);
    const Factorization<double> factorization(given(matrix), {}, others);
    testing::expect_solves(factorization, matrix);
    analysis = factorization.analysis();
  }
  for (double& value : matrix.values) {
    value *= 3;
  }
  testing::expect_solves(Factorization<double>(*analysis, given(matrix)), matrix);
  testing::expect_solves(Factorization<double>(analyze(given(matrix), {}, place_), given(matrix)), matrix);
}

// The first factorization takes the copies of A that the analysis made, if A is the same; all others make their own.
TEST_F(RanksOfAProgram, SendAMatrixOnceForAnalysisAndFactorization) {
  SparseMatrix<double> matrix = testing::random_matrix<double>(80, 4, Symmetry::general, testing::Flavour::dominant, 4);
  const Analysis analysis = analyze(given(matrix), {}, place_);
  const auto& prepared = dynamic_cast<const PreparedSystem<double>&>(*analysis.parts().prepared);
  const auto analysed = prepared.system();
  const Factorization<double> first(analysis, given(matrix));
  EXPECT_EQ(rank_backend_of(first).shared_system(), analysed);
  EXPECT_EQ(prepared.system(), nullptr);
  const Factorization<double> second(analysis, given(matrix));
  EXPECT_NE(rank_backend_of(second).shared_system(), analysed);
  const Analysis of_others = analyze(given(matrix), {}, place_);
  const Analysis under_other_options = analyze(given(matrix), {}, place_).with_options({});
  for (double& value : matrix.values) {
    value *= 3;
  }
  testing::expect_solves(Factorization<double>(of_others, given(matrix)), matrix);
  testing::expect_solves(Factorization<double>(under_other_options, given(matrix)), matrix);
  testing::expect_solves(Factorization<double>(analysis.with_values(given(matrix)), given(matrix)), matrix);
}

TEST_F(RanksOfAProgram, AreNotOneProcess) {
  EXPECT_THROW((void)on(MPI_COMM_WORLD, Place()), UsageError);
  EXPECT_THROW(Batch().run(
                   Place(), {}, [](Count) { return std::string(); }, [](Count, const std::string&) {}),
               UsageError);
}

TEST_F(RanksOfAProgram, NeedAMatrixOnTheFirst) {
  const std::string text = testing::complaint_of<UsageError>([&] { (void)analyze(SystemMatrix<double>(), {}, place_); });
  EXPECT_NE(text.find("no matrix"), std::string::npos) << text;
}

TEST_F(RanksOfAProgram, DoNotKnowTheOrderOfAllFactors) {
  const SparseMatrix<double> matrix = testing::laplacian<double>(4);
  EXPECT_THROW((void)Factorization<double>(given(matrix), {}, place_).factor_order(), UsageError);
}

}  // namespace
}  // namespace frond
