// SPDX-License-Identifier: BSD-3-Clause
// Sends the columns of B to all ranks, blocks of them to each rank that asks next, and the results to the first rank.
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "factorization/scheduling/thread_arena.hpp"
#include "frond/batch.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "loadinfo/messages/ranks/point_to_point.hpp"
#include "matrices/stop_request.hpp"
#include "solver/course/system_answers.hpp"
#include "solver/distributed/mpi/field_exchange.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "solver/distributed/mpi/replicated_factors.hpp"
#include "solver/numerics/verdict/appended_columns.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "solver/storage/saved/saved_system.hpp"

namespace frond {

template <class Fields>
void visit(Fields& fields, SolveReport& report) {
  fields(report.verdict, report.target, report.columns, report.epsilon, report.condition, report.equilibrated_condition,
         report.rank, report.notes, report.bound_seconds, report.order, report.null_pivots);
}

namespace {

// This many bytes of columns of B are packed together.
constexpr Count kPackedBytes = Count{1} << 24;
// At most this much of X is sent as one message: longer ones need many polls of MPI, between which waits grow.
constexpr std::size_t kMessageBytes = std::size_t{1} << 20;

/// The report of a block to the first rank.
struct SolvedBlock {
  Rank rank = 0;  ///< that holds its columns of X
  SolveReport report;
};

template <class Fields>
void visit(Fields& fields, SolvedBlock& block) {
  fields(block.rank, block.report);
}

std::string to_text(const SolvedBlock& block) {
  const std::vector<std::byte> bytes = encoded(block);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

SolvedBlock from_text(const std::string& text) { return decoded<SolvedBlock>(std::as_bytes(std::span(text))); }

/// What all ranks must know about the call of the first rank.
struct BlockProblem {
  Index num_columns = 0;
  Operation operation = Operation::plain;
};

template <Scalar S>
class BlockSolve {
 public:
  BlockSolve(const Place& place, SystemCourse<S>& replica)
      : place_(place), ranks_(communicator_of(place)), course_(replica), order_(course_.backend().symbolic().order()) {}

  [[nodiscard]] SolveReport run(DenseView<const S> b, DenseView<S> x, Operation operation) {
    begin(b, x, operation);
    share_sides(b);
    const Batch batch({.solver = {.observer = course_.backend().options().observer}, .num_workers = 1, .reissues = false});
    batch.run(
        place_, numbers_, [&](Count block) { return solve(block, b, x); },
        [&](Count block, const std::string& text) { take(block, text); });
    collect(x);
    return joined_report();
  }

 private:
  [[nodiscard]] bool leads() const { return ranks_.rank() == 0; }

  void begin(DenseView<const S> b, DenseView<S> x, Operation operation) {
    agree(ranks_, [&] {
      course_.check_factors();
      stop_if(course_.backend().options().observer.get());
      if (course_.backend().team().size() > 1 || dynamic_cast<const LocalBackend<S>*>(&course_.backend()) == nullptr) {
        throw UsageError("blocks of columns are solved with factors that each process has for itself: make copies of them first");
      }
      if (leads()) {
        check_right_hand_sides<S>(order_, b, x);
      }
      problem_ = {b.cols, operation};
    });
    broadcast(ranks_, 0, std::as_writable_bytes(std::span(&problem_, 1)));
    agree(ranks_, [&] {
      blocks_.emplace(problem_.num_columns, ranks_.num_ranks());
      owners_.resize(static_cast<std::size_t>(blocks_->num_blocks));
      if (leads()) {
        numbers_.resize(owners_.size());
        std::iota(numbers_.begin(), numbers_.end(), Count{0});
        reports_.resize(numbers_.size());
      } else {
        sides_ = DenseMatrix<S>(order_, problem_.num_columns);
      }
    });
  }

  // Sends B to all ranks, some columns at a time.
  void share_sides(DenseView<const S> b) {
    const Count column_bytes = std::max<Count>(order_, 1) * static_cast<Count>(sizeof(S));
    const auto num_together =
        static_cast<Index>(std::clamp<Count>(kPackedBytes / column_bytes, 1, std::max(problem_.num_columns, 1)));
    const auto order = static_cast<std::size_t>(order_);
    std::vector<S> packed;
    agree(ranks_, [&] { packed.resize(leads() ? order * static_cast<std::size_t>(num_together) : 0); });
    for (Index begin = 0; begin < problem_.num_columns && order_ > 0; begin += num_together) {
      const Index end = std::min(problem_.num_columns, begin + num_together);
      const std::size_t length = order * static_cast<std::size_t>(end - begin);
      for (Index j = begin; j < end && leads(); ++j) {
        std::copy_n(b.column(j), order, packed.data() + order * static_cast<std::size_t>(j - begin));
      }
      S* place = leads() ? packed.data() : sides_.column(begin).data();
      broadcast(ranks_, 0, std::as_writable_bytes(std::span(place, length)));
    }
  }

  // Called by the worker of any rank. On the first rank, columns of X are written directly to their place.
  [[nodiscard]] std::string solve(Count block, DenseView<const S> b, DenseView<S> x) {
    const Index begin = blocks_->begin(block);
    const Index end = blocks_->end(block);
    SolvedBlock solved{ranks_.rank(), {}};
    if (leads()) {
      solved.report = solve_here(block, b.columns(begin, end), x.columns(begin, end));
    } else {
      DenseMatrix<S>& own = solved_[block];
      own = DenseMatrix<S>(order_, end - begin);
      solved.report = solve_here(block, view_of(std::as_const(sides_)).columns(begin, end), view_of(own));
    }
    return to_text(solved);
  }

  [[nodiscard]] SolveReport solve_here(Count block, DenseView<const S> b, DenseView<S> x) {
    const SystemBackend<S>& backend = course_.backend();
    const ErrorBounds bounds = backend.options().error_bounds;
    const LedSides<S> sides(backend.team(), order_, b, x);
    return on_threads(backend.num_threads(), [&] {
      return course_.solve(sides.view(), problem_.operation, block == 0 ? bounds : bounds_of_others(bounds));
    });
  }

  // Called on the first rank, once for each block.
  void take(Count block, const std::string& text) {
    SolvedBlock solved = from_text(text);
    owners_[block] = solved.rank;
    reports_[block] = std::move(solved.report);
  }

  // Sends columns of X from their owners to the first rank, when all are computed.
  void collect(DenseView<S> x) {
    broadcast(ranks_, 0, std::as_writable_bytes(std::span(owners_)));
    DenseMatrix<S> arrived;
    for (Count block = 0; block < blocks_->num_blocks; ++block) {
      const Rank owner = owners_[block];
      if (owner == 0) {
        continue;
      }
      const Index begin = blocks_->begin(block);
      const Index end = blocks_->end(block);
      agree(ranks_, [&] { arrived = leads() ? DenseMatrix<S>(order_, end - begin) : DenseMatrix<S>(); });
      std::vector<S>& values = leads() ? arrived.values : solved_[block].values;
      for (std::span<std::byte> rest = std::as_writable_bytes(std::span(values)); !rest.empty();) {
        const std::span<std::byte> piece = rest.first(std::min(rest.size(), kMessageBytes));
        rest = rest.subspan(piece.size());
        if (leads()) {
          (void)receive(ranks_, owner, piece);
        } else if (owner == ranks_.rank()) {
          send(ranks_, 0, piece);
        }
      }
      for (Index j = begin; j < end && leads(); ++j) {
        std::copy_n(arrived.column(j - begin).data(), static_cast<std::size_t>(order_), x.column(j));
      }
    }
  }

  [[nodiscard]] SolveReport joined_report() {
    SolveReport report;
    agree(ranks_, [&] {
      for (std::size_t block = 0; block < reports_.size(); ++block) {
        if (block == 0) {
          report = std::move(reports_[block]);
        } else {
          append_columns(report, reports_[block]);
        }
      }
    });
    broadcast_fields(ranks_, report);
    return report;
  }

  const Place& place_;
  const Communicator& ranks_;
  SystemCourse<S>& course_;
  Index order_;
  BlockProblem problem_;
  std::optional<ColumnBlocks> blocks_;
  DenseMatrix<S> sides_;                    // B, on ranks other than the first
  std::vector<Count> numbers_;              // of the blocks, on the first rank
  std::vector<SolveReport> reports_;        // [block] on the first rank
  std::vector<Rank> owners_;                // [block] = the rank that solved it
  std::map<Count, DenseMatrix<S>> solved_;  // by this rank, unless it is the first; one worker writes it
};

}  // namespace

ColumnBlocks::ColumnBlocks(Index columns, Rank num_ranks) : num_columns(columns) {
  const Count least = (columns + kSolveBlock - 1) / kSolveBlock;
  num_blocks = std::clamp<Count>((least + num_ranks - 1) / num_ranks * num_ranks, 1, std::max(columns, Index{1}));
}

template <Scalar S>
SolveReport solve_blocks(const Place& place, SystemCourse<S>& replica, DenseView<const S> b, DenseView<S> x, Operation operation) {
  return BlockSolve<S>(place, replica).run(b, x, operation);
}

#define FROND_INSTANTIATE(S) \
  template SolveReport solve_blocks(const Place&, SystemCourse<S>&, DenseView<const S>, DenseView<S>, Operation);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
