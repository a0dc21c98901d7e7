// SPDX-License-Identifier: BSD-3-Clause
// Tests that saved factors give the same bits, and that damaged or truncated ones, or those of another matrix, are refused.
#include "solver/storage/saved/saved_factors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <random>

#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/matrix.hpp"
#include "matrices/checksum.hpp"
#include "solver/course/analyze_system.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/programs/file_size_limit.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

using testing::Flavour;
using testing::ScratchFolder;

SolverOptions on_one_thread() {
  SolverOptions options;
  options.factorization.num_threads = 1;
  return options;
}

template <class S>
std::vector<S> solution(const Factorization<S>& factorization, Index order, Operation operation, SolveReport* report = nullptr) {
  const auto b = testing::random_dense<S>(order, 2, 8);
  DenseMatrix<S> x(order, 2);
  const Index ld = std::max(order, Index{1});
  const SolveReport solved = factorization.solve(DenseView<const S>{b.values.data(), order, 2, ld},
                                                 DenseView<S>{x.values.data(), order, 2, ld}, operation);
  if (report != nullptr) {
    *report = solved;
  }
  return x.values;
}

template <class S>
void expect_same_report(const SystemReport& loaded, const SystemReport& saved) {
  EXPECT_EQ(loaded.method, saved.method);
  EXPECT_EQ(loaded.notes, saved.notes);
  EXPECT_EQ(loaded.scaling, saved.scaling);
  EXPECT_EQ(loaded.equilibration_sweeps, saved.equilibration_sweeps);
  EXPECT_EQ(loaded.is_mixed, saved.is_mixed);
  EXPECT_EQ(loaded.factorization.status, saved.factorization.status);
  EXPECT_EQ(loaded.factorization.null_pivots, saved.factorization.null_pivots);
  EXPECT_EQ(loaded.factorization.determinant, saved.factorization.determinant);
  EXPECT_EQ(loaded.factorization.inertia.negative, saved.factorization.inertia.negative);
  EXPECT_EQ(loaded.factorization.num_delayed_pivots, saved.factorization.num_delayed_pivots);
  EXPECT_EQ(loaded.factorization.factor_entries, saved.factorization.factor_entries);
}

// Saves, loads, and solves with both.
template <class S>
void expect_same_answers(const SparseMatrix<S>& matrix, const SolverOptions& options) {
  const ScratchFolder folder;
  const std::string path = folder.path("factors");
  const Factorization<S> factorization(analyze(matrix, options), matrix);
  factorization.save(path);
  const Factorization<S> loaded = Factorization<S>::load(path, matrix, options);
  expect_same_report<S>(loaded.report(), factorization.report());
  EXPECT_EQ(loaded.analysis().parts().symbolic->ordering().kind, factorization.analysis().parts().symbolic->ordering().kind);
  EXPECT_EQ(loaded.analysis().parts().symbolic->estimate(Method::lu).elimination_flops,
            factorization.analysis().parts().symbolic->estimate(Method::lu).elimination_flops);
  for (const Operation operation : {Operation::plain, Operation::transposed, Operation::adjoint}) {
    EXPECT_EQ(solution(loaded, matrix.num_rows, operation), solution(factorization, matrix.num_rows, operation));
  }
  loaded.save(folder.path("again"));
  EXPECT_EQ(folder.read("again"), folder.read("factors"));
  EXPECT_EQ(folder.num_files(), 2) << "a temporary was left";
}

template <class S>
class SavedFactorsOf : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SavedFactorsOf, Scalars);

TYPED_TEST(SavedFactorsOf, GiveTheSameBitsByAllMethods) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian}) {
    for (const Flavour flavour : {Flavour::dominant, Flavour::zero_diagonal, Flavour::graded}) {
      for (const bool by_lu : {false, true}) {
        SCOPED_TRACE(static_cast<int>(symmetry) * 100 + static_cast<int>(flavour) * 10 + (by_lu ? 1 : 0));
        SolverOptions options = on_one_thread();
        if (by_lu) {
          options.method = Method::lu;
        }
        expect_same_answers(testing::random_matrix<S>(80, 3, symmetry, flavour, 4), options);
      }
    }
  }
}

TYPED_TEST(SavedFactorsOf, GiveTheSameBitsInFrontsOfManyBatches) {
  using S = TypeParam;
  for (const Method method : {Method::cholesky, Method::ldlt, Method::lu}) {
    SCOPED_TRACE(static_cast<int>(method));
    SolverOptions options = on_one_thread();
    options.method = method;
    const auto matrix = testing::laplacian<S>(13);
    if (kIsComplex<S> && method == Method::cholesky) {
      continue;  // not for complex symmetric matrices
    }
    expect_same_answers(matrix, options);
  }
}

TYPED_TEST(SavedFactorsOf, KeepTheVerdictOnSingularMatrices) {
  using S = TypeParam;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    Triplets<S> entries{.num_rows = 30, .num_cols = 30, .symmetry = symmetry};
    for (Index i = 0; i < 30; ++i) {
      entries.add(i, i, i % 10 == 9 ? S(0) : S(2));
      if (i % 10 != 0 && i % 10 != 9) {
        entries.add(i, i - 1, S(1));
      }
    }
    const auto matrix = compress(std::move(entries));
    expect_same_answers(matrix, on_one_thread());
    const ScratchFolder folder;
    Factorization<S>(analyze(matrix), matrix).save(folder.path("factors"));
    SolveReport report;
    (void)solution(Factorization<S>::load(folder.path("factors"), matrix), 30, Operation::plain, &report);
    EXPECT_EQ(report.verdict, Verdict::singular);
    EXPECT_EQ(report.num_null_pivots(), 3);
  }
}

TYPED_TEST(SavedFactorsOf, MayBeOfNothing) {
  using S = TypeParam;
  expect_same_answers(SparseMatrix<S>{}, on_one_thread());
  SparseMatrix<S> one{1, 1, Symmetry::general, {0, 1}, {0}, {S(2)}};
  expect_same_answers(one, on_one_thread());
  one.values[0] = S(0);
  expect_same_answers(one, on_one_thread());
}

TEST(SavedFactors, KeepTheWarningOfALargeConditionNumber) {
  const SparseMatrix<double> matrix = testing::hilbert_matrix(10);
  const ScratchFolder folder;
  const Factorization<double> factorization(analyze<double>(matrix), matrix);
  factorization.save(folder.path("factors"));
  SolveReport report;
  SolveReport of_loaded;
  (void)solution(factorization, 10, Operation::plain, &report);
  (void)solution(Factorization<double>::load(folder.path("factors"), matrix), 10, Operation::plain, &of_loaded);
  EXPECT_NE(report.describe().find("is ill-conditioned"), std::string::npos) << report.describe();
  EXPECT_EQ(of_loaded.describe(), report.describe());
}

TEST(SavedFactors, KeepMixedPrecisionAndItsWayOut) {
  SolverOptions options = on_one_thread();
  options.mixed_precision = true;
  const auto matrix = testing::laplacian<double>(6);
  expect_same_answers(matrix, options);
  expect_same_answers(testing::random_matrix<std::complex<double>>(60, 3, Symmetry::hermitian, Flavour::graded, 4), options);
  const ScratchFolder folder;
  const Factorization<double> mixed(analyze(matrix, options), matrix);
  mixed.save(folder.path("factors"));
  options.refinement = {.max_steps = 0, .max_krylov_steps = 0};
  const auto loaded = Factorization<double>::load(folder.path("factors"), matrix, options);
  ASSERT_TRUE(loaded.report().is_mixed);
  SolveReport report;
  (void)solution(loaded, matrix.num_rows, Operation::plain, &report);
  EXPECT_EQ(report.verdict, Verdict::solved);
  ASSERT_EQ(report.notes.size(), 1U) << "it went back to double precision";
  loaded.save(folder.path("factors"));
  EXPECT_FALSE(Factorization<double>::load(folder.path("factors"), matrix).report().is_mixed);
}

// Options need not repeat the method. The report of the second factors also mentions analysed entries that the matrix lacks.
TEST(SavedFactors, GoBackToDoubleByTheMethodOfTheFile) {
  SolverOptions options = on_one_thread();
  options.mixed_precision = true;
  options.method = Method::lu;
  const auto analysed = testing::laplacian<double>(6);
  const auto matrix = [&] {
    Triplets<double> entries{analysed.num_rows, analysed.num_cols, analysed.symmetry};
    testing::for_each_entry(analysed, [&](Index i, Index j, double value) {
      if (i != 1 || j != 0) {
        entries.add(i, j, value);
      }
    });
    return compress(std::move(entries));
  }();
  const ScratchFolder folder;
  const Factorization<double> saved(analyze(analysed, options), matrix);
  saved.save(folder.path("factors"));
  SolverOptions unrefined = on_one_thread();
  unrefined.refinement = {.max_steps = 0, .max_krylov_steps = 0};
  const auto loaded = Factorization<double>::load(folder.path("factors"), matrix, unrefined);
  ASSERT_TRUE(loaded.report().is_mixed);
  SolveReport report;
  (void)solution(loaded, matrix.num_rows, Operation::plain, &report);
  EXPECT_EQ(report.verdict, Verdict::solved);
  EXPECT_FALSE(loaded.report().is_mixed);
  EXPECT_EQ(loaded.report().method, Method::lu);
  ASSERT_FALSE(loaded.report().notes.empty());
  EXPECT_NE(loaded.report().notes.front().find("count as zeros: 2"), std::string::npos) << loaded.report().notes.front();
}

TEST(SavedFactors, HaveDelayedPivotsAndMatchedRows) {
  SolverOptions options = on_one_thread();
  options.analysis.ordering.matching = Use::always;
  const auto general = testing::random_matrix<double>(80, 3, Symmetry::general, Flavour::zero_diagonal, 4);
  EXPECT_FALSE(analyze(general, options).parts().symbolic->row_of_column().empty());
  expect_same_answers(general, options);
  options.analysis.ordering.matching = Use::never;
  for (const Symmetry symmetry : {Symmetry::general, Symmetry::symmetric}) {
    const auto matrix = testing::random_matrix<double>(300, 3, symmetry, Flavour::zero_diagonal, 9);
    EXPECT_GT(Factorization<double>(analyze(matrix, options), matrix).report().factorization.num_delayed_pivots, 0);
    expect_same_answers(matrix, options);
  }
}

TEST(SavedFactors, AnswerWhatElseFactorsAnswer) {
  const ScratchFolder folder;
  const auto matrix = testing::random_matrix<double>(60, 3, Symmetry::symmetric, Flavour::dominant, 4);
  const Factorization<double> factorization(analyze(matrix, on_one_thread()), matrix);
  factorization.save(folder.path("factors"));
  const auto loaded = Factorization<double>::load(folder.path("factors"), matrix, on_one_thread());
  EXPECT_EQ(loaded.inverse_diagonal().values, factorization.inverse_diagonal().values);
  auto x = testing::random_dense<double>(60, 2, 8);
  auto y = x;
  loaded.solve_part(FactorPart::lower, Operation::adjoint, {x.values.data(), 60, 2, 60});
  factorization.solve_part(FactorPart::lower, Operation::adjoint, {y.values.data(), 60, 2, 60});
  EXPECT_EQ(x.values, y.values);
  const SparseMatrix<double> singular{3, 3, Symmetry::general, {0, 1, 1, 2}, {0, 1}, {1.0, 1.0}};
  const Factorization<double> without_rank(analyze(singular, on_one_thread()), singular);
  without_rank.save(folder.path("factors"));
  EXPECT_EQ(Factorization<double>::load(folder.path("factors"), singular).null_space().basis.values,
            without_rank.null_space().basis.values);
}

TEST(SavedFactors, ServeSeveralThreads) {
  const auto matrix = testing::laplacian<double>(8);
  const ScratchFolder folder;
  const Factorization<double> factorization(analyze(matrix, on_one_thread()), matrix);
  factorization.save(folder.path("factors"));
  SolverOptions options;
  options.factorization.num_threads = 3;
  EXPECT_EQ(solution(Factorization<double>::load(folder.path("factors"), matrix, options), 512, Operation::plain),
            solution(factorization, 512, Operation::plain));
}

// Reverses the entries of each column.
TEST(SavedFactors, AcceptEntriesInAnotherOrder) {
  const auto matrix = testing::random_matrix<double>(40, 3, Symmetry::general, Flavour::dominant, 4);
  auto reversed = matrix;
  for (std::size_t j = 0; j < 40; ++j) {
    std::reverse(reversed.row_indices.begin() + matrix.column_offsets[j],
                 reversed.row_indices.begin() + matrix.column_offsets[j + 1]);
    std::reverse(reversed.values.begin() + matrix.column_offsets[j], reversed.values.begin() + matrix.column_offsets[j + 1]);
  }
  const ScratchFolder folder;
  const Factorization<double> factorization(analyze(matrix, on_one_thread()), matrix);
  factorization.save(folder.path("factors"));
  const auto x = solution(factorization, 40, Operation::plain);
  const auto y = solution(Factorization<double>::load(folder.path("factors"), reversed), 40, Operation::plain);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(x[i], y[i], 1e-13 * std::abs(x[i]));  // residuals are summed in another order
  }
}

// A saved file and the result of loading it.
class DamagedFactors : public ::testing::Test {
 protected:
  DamagedFactors() : DamagedFactors(testing::random_matrix<double>(12, 2, Symmetry::general, Flavour::zero_diagonal, 4)) {}
  explicit DamagedFactors(SparseMatrix<double> matrix) : matrix_(std::move(matrix)) {
    Factorization<double>(analyze(matrix_), matrix_).save(path());
    bytes_ = folder_.read("factors");
  }

  [[nodiscard]] std::string path() const { return folder_.path("factors"); }

  // Returns the message of the error that a file with these bytes causes; empty if there is none.
  [[nodiscard]] std::string complaint(const std::string& bytes) const {
    folder_.write("factors", bytes);
    try {
      (void)Factorization<double>::load(path(), matrix_);
    } catch (const InputError& error) {
      EXPECT_EQ(error.file(), path());
      return error.what();
    }
    return "";
  }

  ScratchFolder folder_;
  SparseMatrix<double> matrix_;
  std::string bytes_;
};

TEST_F(DamagedFactors, AreRefusedWhereverTheyAreCutOff) {
  ASSERT_EQ(complaint(bytes_), "");
  for (std::size_t length = 0; length < bytes_.size(); ++length) {
    EXPECT_NE(complaint(bytes_.substr(0, length)), "") << length;
  }
  EXPECT_NE(complaint(bytes_.substr(0, bytes_.size() / 2)).find("is cut off"), std::string::npos);
  EXPECT_NE(complaint(bytes_ + '\0').find("1 bytes follow behind its end"), std::string::npos);
  EXPECT_NE(complaint("").find("is empty"), std::string::npos);
}

TEST_F(DamagedFactors, AreRefusedWhateverByteIsAnother) {
  const unsigned seed = 11;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (std::size_t place = 0; place < bytes_.size(); ++place) {
    std::string damaged = bytes_;
    damaged[place] = static_cast<char>(damaged[place] ^ static_cast<char>(1 + random() % 255));
    EXPECT_NE(complaint(damaged), "") << place;
  }
}

TEST_F(DamagedFactors, AreRefusedWhenStretchesAreLostOrExchanged) {
  const unsigned seed = 12;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int repetition = 0; repetition < 500; ++repetition) {
    const std::size_t length = 1 + random() % 64;
    const std::size_t from = random() % (bytes_.size() - length);
    const std::size_t to = random() % (bytes_.size() - length);
    std::string damaged = bytes_;
    switch (random() % 3) {
      case 0:
        damaged.replace(to, length, length, '\0');
        break;
      case 1:
        damaged.replace(to, length, bytes_, from, length);
        break;
      default:
        damaged.erase(to, length);
    }
    if (damaged != bytes_) {
      EXPECT_NE(complaint(damaged), "") << repetition;
    }
  }
}

// Writes a number into the preamble, and updates the checksum.
std::string with_preamble(std::string bytes, std::size_t offset, std::uint64_t number) {
  constexpr std::size_t kChecksum = 64;
  std::memcpy(bytes.data() + offset, &number, sizeof(number));
  Checksum checksum;
  checksum.add_all(std::span<const char>(bytes.data(), kChecksum));
  const std::uint64_t sum = checksum.value();
  std::memcpy(bytes.data() + kChecksum, &sum, sizeof(sum));
  return bytes;
}

TEST_F(DamagedFactors, OfOtherVersionsAreRefusedByName) {
  EXPECT_EQ(complaint(with_preamble(bytes_, 24, kSavedFormat)), "");
  const std::string newer = complaint(with_preamble(bytes_, 24, kSavedFormat + 1));
  const std::string version = "has version " + std::to_string(kSavedFormat + 1);
  EXPECT_NE(newer.find(version + " of the format for saved factors, written by " + frond_version()), std::string::npos) << newer;
  const std::string turned = complaint(with_preamble(bytes_, 16, 0x0807060504030201));
  EXPECT_NE(turned.find("another order of bytes"), std::string::npos) << turned;
  EXPECT_NE(
      complaint("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n" + std::string(100, ' ')).find("no file of saved"),
      std::string::npos);
}

TEST_F(DamagedFactors, ThatAreNoFilesAreRefused) {
  for (const std::string& path : {folder_.path("missing"), folder_.path(""), std::string("/dev/null")}) {
    EXPECT_THROW((void)Factorization<double>::load(path, matrix_), InputError) << path;
  }
}

TEST_F(DamagedFactors, OfOtherMatricesAreRefusedByName) {
  const auto load = [this](const auto& matrix) {
    return testing::complaint_of<UsageError>([&] { (void)Factorization<double>::load(path(), matrix); });
  };
  ASSERT_EQ(load(matrix_), "");
  auto other = matrix_;
  other.values.back() *= 2;
  EXPECT_NE(load(other).find("the values differ"), std::string::npos);
  EXPECT_NE(load(testing::random_matrix<double>(13, 2, Symmetry::general, Flavour::dominant, 4)).find("order 13"),
            std::string::npos);
  EXPECT_NE(load(testing::random_matrix<double>(12, 2, Symmetry::symmetric, Flavour::dominant, 4)).find("symmetric"),
            std::string::npos);
  EXPECT_NE(load(testing::random_matrix<double>(12, 4, Symmetry::general, Flavour::dominant, 5)).find("another matrix: the entry"),
            std::string::npos);
  const auto single = testing::random_matrix<float>(12, 2, Symmetry::general, Flavour::zero_diagonal, 4);
  const std::string scalars = testing::complaint_of<UsageError>([&] { (void)Factorization<float>::load(path(), single); });
  EXPECT_NE(scalars.find("real numbers in double precision, but one of real numbers in single"), std::string::npos) << scalars;
  SolverOptions options;
  options.method = Method::ldlt;
  const std::string method =
      testing::complaint_of<UsageError>([&] { (void)Factorization<double>::load(path(), matrix_, options); });
  EXPECT_NE(method.find("is asked for"), std::string::npos) << method;
}

TEST_F(DamagedFactors, NeedMemory) {
  SolverOptions options;
  options.factorization.memory_limit = 100;
  EXPECT_THROW((void)Factorization<double>::load(path(), matrix_, options), MemoryError);
}

TEST(SavingFactors, NeedsFactors) {
  SparseMatrix<double> matrix{1, 1, Symmetry::symmetric, {0, 1}, {0}, {-1.0}};
  SolverOptions options;
  options.method = Method::cholesky;
  const Factorization<double> factorization(analyze(matrix, options), matrix);
  const ScratchFolder folder;
  EXPECT_THROW(factorization.save(folder.path("factors")), UsageError);
  EXPECT_EQ(folder.num_files(), 0);
}

class FullDisk : public ::testing::Test {
 protected:
  SparseMatrix<double> matrix_ = testing::laplacian<double>(13);
  Factorization<double> factorization_{analyze(matrix_), matrix_};
};

TEST_F(FullDisk, LeavesTheOldFile) {
  const ScratchFolder folder;
  folder.write("factors", "old");
  for (const rlim_t num_bytes : {100, 100000, 1000000}) {
    const std::string text = [&] {
      const testing::FileSizeLimit limit(num_bytes);
      return testing::complaint_of<OutputError>([&] { factorization_.save(folder.path("factors")); });
    }();
    EXPECT_EQ(text.find(folder.path("factors") + ": cannot be written"), 0U) << text;
    EXPECT_NE(text.find("make room"), std::string::npos) << text;
    EXPECT_EQ(folder.read("factors"), "old");
    EXPECT_EQ(folder.num_files(), 1) << "a temporary was left";
  }
}

TEST_F(FullDisk, IsNamed) {
  const auto error = testing::error_of<OutputError>([&] { factorization_.save("/dev/full"); });
  EXPECT_EQ(std::string(error.what()).find("/dev/full: cannot be written: No space left on device"), 0U) << error.what();
  EXPECT_THROW(factorization_.save("/no/such/folder/factors"), OutputError);
  factorization_.save("/dev/null");
}

}  // namespace
}  // namespace frond
