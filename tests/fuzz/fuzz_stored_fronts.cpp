// SPDX-License-Identifier: BSD-3-Clause
// Fuzzes the logs of a checkpoint: changes pieces of valid ones, writes them with matching checksums, and resumes from them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "frond/factorization.hpp"
#include "solver/storage/checkpoint/checkpoint_list.hpp"
#include "solver/storage/checkpoint/front_log.hpp"
#include "tests/fuzz/fuzz_input.hpp"
#include "tests/support/matrices/test_systems.hpp"
#include "tests/support/observers.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

/// A stored piece with its entries.
struct GoodPiece {
  StoredPiece piece;
  std::vector<std::byte> entries;
};

/// The checkpoint of a factorization that was stopped half-way.
class GoodCheckpoint {
 public:
  GoodCheckpoint() {
    options_.checkpoint.directory = folder_.path("good");
    options_.observer = std::make_shared<testing::StopAt>(kSteps + 1);
    try {
      static_cast<void>(Factorization<double>(analyze(matrix_, options_), matrix_));
    } catch (const StoppedError&) {
      options_.observer = {};
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_.path("good"))) {
      if (entry.is_directory()) {
        attempt_ = entry.path().filename().string();
      }
    }
    list_ = last_list(folder_.path("good/" + attempt_)).value();
    const FrontLogReader log(folder_.path("good/" + attempt_) + "/" + list_.logs.front().stem, list_.key, -1);
    for (const StoredPiece& piece : log.pieces()) {
      pieces_.push_back({piece, std::vector<std::byte>(static_cast<std::size_t>(piece.num_bytes))});
      log.read(piece, 0, pieces_.back().entries);
    }
  }

  [[nodiscard]] const std::vector<GoodPiece>& pieces() const { return pieces_; }

  // Resumes from these pieces instead of the valid ones.
  void resume(const std::vector<GoodPiece>& pieces) const {
    SolverOptions options = options_;
    options.checkpoint.directory = folder_.path("forged");
    const std::string attempt = folder_.path("forged/" + attempt_);
    fs::remove_all(options.checkpoint.directory);
    fs::create_directories(attempt);
    fs::copy(folder_.path("good/system"), folder_.path("forged/system"));
    fs::copy(folder_.path("good/" + attempt_ + "/about"), attempt + "/about");
    {
      FrontLogWriter log(attempt + "/" + list_.logs.front().stem, list_.key);
      std::vector<StoredPiece> stored;
      for (const GoodPiece& one : pieces) {
        log.begin(one.piece.kind);
        log.append(one.entries);
        stored.push_back(log.end(one.piece.node, one.piece.rows, one.piece.described));
      }
      log.commit(stored);
      CheckpointList list = list_;
      list.logs.front().num_index_bytes = log.num_index_bytes();
      static_cast<void>(seal(attempt, list));
    }
    const Factorization<double> factorization = Factorization<double>::resume(matrix_, options);
    const std::vector<double> b(static_cast<std::size_t>(matrix_.num_cols), 1);
    std::vector<double> x(b.size());
    static_cast<void>(factorization.solve(b, x).describe());
  }

 private:
  static constexpr int kSteps = 60;

  testing::ScratchFolder folder_;
  SparseMatrix<double> matrix_ = testing::random_matrix<double>(200, 3, Symmetry::symmetric, testing::Flavour::zero_diagonal, 9);
  SolverOptions options_{.analysis = {.ordering = {.matching = Use::never}},
                         .factorization = {.num_threads = 1, .memory_limit = Count{1} << 28}};
  std::string attempt_;  // the name of its folder
  CheckpointList list_;
  std::vector<GoodPiece> pieces_;
};

/// The fields of a record apart from the position of its entries, which is fixed when they are written.
struct Head {
  StoredKind kind;
  NodeId node;
  RowRange rows;
};

void apply_to_head(const testing::Edit& edit, StoredPiece& piece) {
  Head head{piece.kind, piece.node, piece.rows};
  const auto bytes = std::as_writable_bytes(std::span(&head, 1));
  std::vector<std::byte> changed(bytes.begin(), bytes.end());
  testing::apply(edit, changed);
  changed.resize(bytes.size());
  std::copy(changed.begin(), changed.end(), bytes.begin());
  piece.kind = head.kind;
  piece.node = head.node;
  piece.rows = head.rows;
}

}  // namespace
}  // namespace frond

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const frond::GoodCheckpoint kGood;
  frond::FuzzInput input(data, size);
  std::vector<frond::GoodPiece> pieces = kGood.pieces();
  while (!input.is_empty()) {
    frond::GoodPiece& one = pieces[input.take<std::uint16_t>() % pieces.size()];
    const std::size_t part = input.take_below(3);
    const frond::testing::Edit edit = input.take_edit();
    if (part == 0) {
      frond::apply_to_head(edit, one.piece);
    } else {
      frond::testing::apply(edit, part == 1 ? one.piece.described : one.entries);
    }
  }
  try {
    kGood.resume(pieces);
  } catch (const frond::InternalError&) {
    throw;  // a finding
  } catch (const frond::Error&) {
    // Anything else is a finding, too.
  }
  return 0;
}
