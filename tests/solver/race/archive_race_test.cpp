// SPDX-License-Identifier: BSD-3-Clause
// Writes fronts while others are computed, under ThreadSanitizer: factorizations are stopped several times, and resumed.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "factorization/factorize.hpp"
#include "frond/error.hpp"
#include "solver/storage/checkpoint/front_archive.hpp"
#include "solver/storage/saved/saved_fronts.hpp"
#include "tests/support/matrices/sparse_problems.hpp"
#include "tests/support/observers.hpp"
#include "tests/support/programs/scratch_folder.hpp"
#include "tests/support/ranks/report_bits.hpp"

namespace frond::test {
namespace {

constexpr Index kGrid = 9;

// Returns the entries that solves read. Other positions hold whatever elimination left there, which is not stored.
std::vector<double> entries_of(const Factors<double>& factors) {
  std::vector<double> entries;
  for (NodeId node = 0; node < factors.symbolic().tree().num_nodes(); ++node) {
    const FrontFactor<double>& front = factors.front(node);
    const SavedFront sizes{front.order, front.num_fully_summed, front.num_eliminated, 0};
    PieceSequence sequence(std::span(&sizes, 1), factors.method());
    for (std::vector<FrontPiece> batch = sequence.next(); !batch.empty(); batch = sequence.next()) {
      for (const FrontPiece& piece : batch) {
        const std::size_t begin = entries.size();
        entries.resize(begin + static_cast<std::size_t>(num_entries(piece, sizes, factors.method())));
        copy_piece(front, factors.method(), piece, entries.data() + begin);
      }
    }
  }
  return entries;
}

class ArchiveRaceTest : public ::testing::TestWithParam<Method> {
 protected:
  [[nodiscard]] FactorizationResult<double> run(const std::string& directory, int num_threads, Observer* stop = nullptr) {
    FrontArchive<double> archive(symbolic_->tree(), GetParam(), {.directory = directory, .key = 7, .list_seconds = 0.002});
    archive.clear();
    archive.open();
    archive.publish();
    FactorizationRunOptions options;
    options.executor = ExecutorKind::threads;
    options.num_threads = num_threads;
    options.observer = stop;
    return factorize<double>(symbolic_, GetParam(), a_.values, {}, {}, options, {.store = &archive});
  }

  testing::ScratchFolder folder_;
  SparseMatrix<double> a_ =
      grid_matrix<double>(GetParam() == Method::lu ? Symmetry::general : Symmetry::symmetric, kGrid, kGrid, kGrid,
                          GetParam() == Method::cholesky ? Values::dominant : Values::zero_diagonal, 1);
  std::shared_ptr<const Symbolic> symbolic_ = analyze(a_.pattern());
};

TEST_P(ArchiveRaceTest, WritersAndWorkersDoNotMeet) {
  FactorizationRunOptions alone;
  alone.num_threads = 1;
  const auto expected = factorize<double>(symbolic_, GetParam(), a_.values, {}, {}, alone);
  for (const int num_threads : {2, 4}) {
    const std::string directory = folder_.path("archive-" + std::to_string(num_threads));
    std::filesystem::create_directory(directory);
    for (const int most : {20, 60, 120}) {
      testing::StopAt stop(most + 1);
      try {
        (void)run(directory, num_threads, &stop);
      } catch (const StoppedError&) {
      }
    }
    const auto result = run(directory, num_threads);
    ASSERT_TRUE(result.factors);
    EXPECT_EQ(report_bits(result.report), report_bits(expected.report));
    EXPECT_EQ(entries_of(*result.factors), entries_of(*expected.factors));
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, ArchiveRaceTest, ::testing::Values(Method::cholesky, Method::ldlt, Method::lu));

}  // namespace
}  // namespace frond::test
