// SPDX-License-Identifier: BSD-3-Clause
// Tests factorizations that stop and resume: they must give the same bits as without a stop, and recompute nothing that was stored.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <complex>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "frond/solve.hpp"
#include "solver/storage/checkpoint/checkpoint_directory.hpp"
#include "tests/support/matrices/reducible_systems.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/observers.hpp"
#include "tests/support/programs/file_size_limit.hpp"
#include "tests/support/programs/scratch_folder.hpp"
#include "tests/support/ranks/report_bits.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

using testing::Flavour;
using testing::ScratchFolder;

struct Case {
  std::string name;
  Symmetry symmetry = Symmetry::general;
  Flavour flavour = Flavour::dominant;
  std::optional<Method> method = {};
  bool is_mixed = false;
};

template <class S>
class CheckpointTest : public ::testing::Test {
 protected:
  [[nodiscard]] static std::vector<Case> cases() {
    std::vector<Case> list = {{"LU", Symmetry::general},
                              {"LU with delays", Symmetry::general, Flavour::zero_diagonal},
                              {"LDLT with delays", Symmetry::symmetric, Flavour::zero_diagonal}};
    if constexpr (kIsComplex<S>) {
      list.push_back({"LDLH with delays", Symmetry::hermitian, Flavour::zero_diagonal});
      list.push_back({"Cholesky", Symmetry::hermitian});
    } else {
      list.push_back({"Cholesky", Symmetry::symmetric});
      list.push_back({"Cholesky in mixed precision", Symmetry::symmetric, Flavour::dominant, {}, true});
    }
    return list;
  }

  struct Answer {
    std::vector<std::uint64_t> report;
    std::vector<S> x;
    CheckpointReport checkpoint;
  };

  [[nodiscard]] static Answer answer_of(const Factorization<S>& factorization, const std::vector<S>& b) {
    Answer answer{test::report_bits(factorization.report().factorization), std::vector<S>(b.size()),
                  factorization.report().checkpoint};
    EXPECT_EQ(factorization.solve(b, answer.x).verdict, Verdict::solved);
    return answer;
  }

  ScratchFolder folder_;
};

using Doubles = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(CheckpointTest, Doubles);

TYPED_TEST(CheckpointTest, GoesOnToTheSameBitsAfterAnyStops) {
  using S = TypeParam;
  std::mt19937 random(11);
  int num_directories = 0;
  int num_stops = 0;
  Count num_found = 0;
  for (const Case& one : this->cases()) {
    const SparseMatrix<S> matrix = testing::random_matrix<S>(1500, 4, one.symmetry, one.flavour, 3);
    const std::vector<S> b = testing::random_dense<S>(matrix.num_rows, 1, 5).values;
    SolverOptions options;
    options.method = one.method;
    options.mixed_precision = one.is_mixed;
    options.factorization.num_threads = 2;
    const auto stop = std::make_shared<testing::StopAt>();
    options.observer = stop;
    const Analysis analysis = analyze<S>(matrix, options);
    stop->begin(0);
    const Factorization<S> uninterrupted(analysis, matrix);
    const int num_asked = stop->num_asked();
    const auto expected = this->answer_of(uninterrupted, b);
    ASSERT_GT(num_asked, 20);
    for (int trial = 0; trial < 4; ++trial) {
      SCOPED_TRACE(one.name + ", trial " + std::to_string(trial));
      options.checkpoint.directory = this->folder_.path("checkpoint-" + std::to_string(num_directories++));
      options.factorization.num_threads = 1 + trial % 2;
      const Analysis first = analysis.with_options(options);
      stop->begin(std::uniform_int_distribution<int>(1, num_asked / 2)(random));
      EXPECT_THROW((void)Factorization<S>(first, matrix), StoppedError);
      for (int again = 0; again < 4; ++again) {
        stop->begin(std::uniform_int_distribution<int>(1, num_asked / 2)(random));
        options.factorization.num_threads = std::uniform_int_distribution<int>(1, 2)(random);
        try {
          (void)Factorization<S>::resume(matrix, options);
        } catch (const StoppedError&) {
          ++num_stops;
        }
      }
      stop->begin(0);
      const auto answer = this->answer_of(Factorization<S>::resume(matrix, options), b);
      EXPECT_EQ(answer.report, expected.report);
      EXPECT_EQ(answer.x, expected.x);
      EXPECT_EQ(answer.checkpoint.error, "");
      num_found += answer.checkpoint.num_fronts_found;
      // A finished factorization is stored as a whole.
      const auto again = this->answer_of(Factorization<S>::resume(matrix, options), b);
      EXPECT_EQ(again.x, expected.x);
      EXPECT_EQ(again.checkpoint.bytes_written, 0);
      EXPECT_GE(again.checkpoint.num_fronts_found, answer.checkpoint.num_fronts_found);
    }
  }
  EXPECT_GT(num_found, 1000);
  EXPECT_GT(num_stops, 20);
}

class CheckpointErrors : public ::testing::Test {
 protected:
  // Stops after about half of the factorization.
  void make_checkpoint() {
    options_.observer = stop_;
    SolverOptions plain = options_;
    plain.checkpoint = {};
    const Analysis analysis = analyze<double>(matrix_, plain);
    stop_->begin(0);
    (void)Factorization<double>(analysis, matrix_);
    stop_->begin(stop_->num_asked() / 2);
    EXPECT_THROW((void)Factorization<double>(analysis.with_options(options_), matrix_), StoppedError);
    stop_->begin(0);
  }

  [[nodiscard]] std::vector<fs::path> files() const {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(options_.checkpoint.directory)) {
      if (entry.is_regular_file() && entry.file_size() > 0) {
        files.push_back(entry.path());
      }
    }
    std::sort(files.begin(), files.end());
    return files;
  }

  [[nodiscard]] bool solves() {
    const std::vector<double> b(static_cast<std::size_t>(matrix_.num_rows), 1);
    std::vector<double> x(b.size());
    return Factorization<double>::resume(matrix_, options_).solve(b, x).verdict == Verdict::solved;
  }

  ScratchFolder folder_;
  std::shared_ptr<testing::StopAt> stop_ = std::make_shared<testing::StopAt>();
  SparseMatrix<double> matrix_ = testing::laplacian<double>(16);
  SolverOptions options_ = [this] {
    SolverOptions options;
    options.factorization.num_threads = 2;
    options.checkpoint.directory = folder_.path("checkpoint");
    return options;
  }();
};

TEST_F(CheckpointErrors, DamageIsRefusedOrDoesNoHarm) {
  make_checkpoint();
  const std::string good = options_.checkpoint.directory;
  std::mt19937_64 random(5);
  int num_refused = 0;
  const std::size_t num_files = files().size();
  for (std::size_t k = 0; k < num_files; ++k) {
    for (int trial = 0; trial < 6; ++trial) {
      options_.checkpoint.directory = folder_.path("damaged");
      fs::remove_all(options_.checkpoint.directory);
      fs::copy(good, options_.checkpoint.directory, fs::copy_options::recursive);
      const fs::path file = files()[k];
      SCOPED_TRACE(file.string() + ", trial " + std::to_string(trial));
      const std::uintmax_t size = fs::file_size(file);
      const std::uintmax_t place = random() % size;
      if (trial % 3 == 2) {
        fs::resize_file(file, place);
      } else {
        std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
        stream.seekg(static_cast<std::streamoff>(place));
        const int byte = stream.get();
        stream.seekp(static_cast<std::streamoff>(place));
        stream.put(static_cast<char>(byte ^ (1 << (random() % 8))));
      }
      try {
        EXPECT_TRUE(solves());
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find(options_.checkpoint.directory), std::string::npos);
        ++num_refused;
      }
    }
  }
  EXPECT_GT(num_refused, 10);
}

TEST_F(CheckpointErrors, ADiskThatFillsUpEndsTheWritingAlone) {
  for (const rlim_t bytes : {rlim_t{60000}, rlim_t{400000}, rlim_t{1200000}}) {
    options_.checkpoint.directory = folder_.path("full-" + std::to_string(bytes));
    // The system file is larger than these limits and is written first.
    options_.observer = stop_;
    const Analysis analysis = analyze<double>(matrix_, options_);
    stop_->begin(1);
    EXPECT_THROW((void)Factorization<double>(analysis, matrix_), StoppedError);
    stop_->begin(0);
    {
      const testing::FileSizeLimit limit(bytes);
      const Factorization<double> factorization = Factorization<double>::resume(matrix_, options_);
      EXPECT_NE(factorization.report().checkpoint.error.find("File too large"), std::string::npos);
    }
    EXPECT_TRUE(solves());
  }
}

TEST_F(CheckpointErrors, OthersAreRefused) {
  make_checkpoint();
  EXPECT_THROW((void)Factorization<double>(analyze<double>(matrix_, options_), matrix_), UsageError);  // exists already
  SparseMatrix<double> other = matrix_;
  other.values[7] *= 2;
  EXPECT_THROW((void)Factorization<double>::resume(other, options_), UsageError);
  const SparseMatrix<double> smaller = testing::laplacian<double>(5);
  EXPECT_THROW((void)Factorization<double>::resume(smaller, options_), UsageError);
  SolverOptions elsewhere = options_;
  elsewhere.checkpoint.directory = folder_.path("other");
  fs::create_directory(elsewhere.checkpoint.directory);
  std::ofstream(elsewhere.checkpoint.directory + "/data") << "of somebody else";
  EXPECT_THROW((void)Factorization<double>::resume(matrix_, elsewhere), UsageError);
  {
    const Factorization<double> user = Factorization<double>::resume(matrix_, options_);
    EXPECT_THROW((void)Factorization<double>::resume(matrix_, options_), UsageError);  // in use
  }
  EXPECT_TRUE(solves());
  SolverOptions kept = options_;
  kept.checkpoint.directory = folder_.path("kept");
  kept.factorization.kept = KeptFactors::none;
  EXPECT_THROW((void)Factorization<double>(analyze<double>(matrix_, kept), matrix_), UsageError);
  EXPECT_FALSE(fs::exists(kept.checkpoint.directory));
}

// Readers must not lock anything that a run needs.
TEST_F(CheckpointErrors, LookingDisturbsNobody) {
  make_checkpoint();
  const std::string& directory = options_.checkpoint.directory;
  std::atomic<bool> is_over = false;
  std::atomic<int> num_seen = 0;
  std::thread reader([&] {
    while (!is_over) {
      num_seen += is_in_use(directory) ? 1 : 0;
    }
  });
  for (int run = 0; run < 2000; ++run) {
    EXPECT_NO_THROW((void)CheckpointDirectory::open(directory)) << run;
  }
  {
    const auto user = CheckpointDirectory::open(directory);
    EXPECT_TRUE(is_in_use(directory));
    EXPECT_THROW((void)CheckpointDirectory::open(directory), UsageError);
    const int before = num_seen;
    while (num_seen == before) {
      std::this_thread::yield();
    }
  }
  is_over = true;
  reader.join();
  EXPECT_FALSE(is_in_use(directory));
}

// Other pivots make another factorization, which begins anew and reports that.
TEST_F(CheckpointErrors, AnotherFactorizationSaysWhatItLeavesBehind) {
  options_.method = Method::ldlt;
  make_checkpoint();
  {
    SolverOptions other = options_;
    other.factorization.pivoting.pivot_threshold = 0.3;
    const CheckpointReport report = Factorization<double>::resume(matrix_, other).report().checkpoint;
    EXPECT_EQ(report.left_behind, "ldlt in double precision");
    EXPECT_EQ(report.num_fronts_found, 0);
  }
  const CheckpointReport report = Factorization<double>::resume(matrix_, options_).report().checkpoint;
  EXPECT_EQ(report.left_behind, "");
  EXPECT_GT(report.num_fronts_found, 0);
}

TEST_F(CheckpointErrors, AnEmptyDirectoryIsABeginning) {
  EXPECT_TRUE(solves());
  options_.checkpoint.directory = folder_.path("empty");
  fs::create_directory(options_.checkpoint.directory);
  std::ofstream(options_.checkpoint.directory + "/system.123.tmp") << "of a run that was killed";
  EXPECT_TRUE(solves());
  EXPECT_TRUE(solves());
}

// Where not even a log can be started, a run continues without one.
TEST_F(CheckpointErrors, AFullDiskIsReadAllTheSame) {
  make_checkpoint();
  std::vector<std::string> told;
  options_.observer =
      std::make_shared<testing::Calls>(&testing::Calls::text, [&told](const std::string& what) { told.push_back(what); });
  {
    const testing::FileSizeLimit limit(30);  // enough to record who uses the directory
    const Factorization<double> factorization = Factorization<double>::resume(matrix_, options_);
    EXPECT_GT(factorization.report().checkpoint.num_fronts_found, 0);
    EXPECT_NE(factorization.report().checkpoint.error.find("File too large"), std::string::npos);
  }
  EXPECT_EQ(told.size(), 1U);
  EXPECT_TRUE(solves());
}

// Cholesky fails, and LDLT is stopped: the failure of Cholesky must not be recomputed.
TEST_F(CheckpointErrors, AnAttemptThatFailedFailsAtOnce) {
  options_.factorization.num_threads = 1;  // several threads might name different pivots
  for (std::size_t entry = 0; entry < matrix_.values.size(); ++entry) {
    matrix_.values[entry] = matrix_.values[entry] > 0 ? 5 : matrix_.values[entry];
  }
  const SystemReport expected = Factorization<double>(analyze<double>(matrix_,
                                                                      [this] {
                                                                        SolverOptions plain = options_;
                                                                        plain.checkpoint = {};
                                                                        return plain;
                                                                      }()),
                                                      matrix_)
                                    .report();
  ASSERT_EQ(expected.method, Method::ldlt);
  ASSERT_FALSE(expected.notes.empty());
  make_checkpoint();
  const Factorization<double> factorization = Factorization<double>::resume(matrix_, options_);
  EXPECT_EQ(factorization.report().notes, expected.notes);
  EXPECT_EQ(test::report_bits(factorization.report().factorization), test::report_bits(expected.factorization));
}

}  // namespace
}  // namespace frond
