// SPDX-License-Identifier: BSD-3-Clause
// Calls ScaLAPACK on the parts of a grid, and moves matrices between the grid and its first rank.
#include "factorization/scalapack/scalapack_root.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "factorization/kernels/blas_threads.hpp"
#include "loadinfo/messages/mpi/mpi_communicator.hpp"
#include "loadinfo/messages/mpi/run_request.hpp"

namespace frond {
namespace {

// ScaLAPACK counts the entries of a part with 32 bits. The first rank has the largest part.
void check_size(const RootLayout& layout) {
  const Count entries = layout.num_entries({0, 0});
  constexpr Count kMostEntries = std::numeric_limits<int>::max();
  if (entries > kMostEntries) {
    throw UsageError(fmt::format(
        "The root of order {} has {} entries on one of {} x {} processes, and ScaLAPACK cannot count beyond {}: use at "
        "least {} times as many processes.",
        layout.order(), entries, layout.shape().num_rows, layout.shape().num_cols, kMostEntries, entries / kMostEntries + 1));
  }
}

template <Scalar S>
scalapack::Matrix<S> on_grid(const RootPart<S>& part, int context) {
  const RootLayout& layout = part.layout;
  return scalapack::matrix(part.entries, context, layout.order(), layout.order(), layout.block_size(), layout.block_size(),
                           layout.leading_dimension(part.position));
}

// A matrix that is one block, and so on the first rank.
template <Scalar S>
scalapack::Matrix<S> on_first_rank(DenseView<S> view, int context) {
  return scalapack::matrix(view.data, context, view.rows, view.cols, std::max(view.rows, 1), std::max(view.cols, 1), view.ld);
}

// Calls visit(begin, end) for as many columns at a time as there are in one block of each column of the grid: so the memory for
// moves, in addition to the root, stays small.
template <class Visit>
void for_each_slice(const RootLayout& layout, Index num_cols, Visit visit) {
  const Count width = static_cast<Count>(layout.block_size()) * layout.shape().num_cols;
  for (Count begin = 0; begin < num_cols; begin += width) {
    visit(static_cast<Index>(begin), static_cast<Index>(std::min<Count>(begin + width, num_cols)));
  }
}

// Waits until all ranks have arrived; returns whether all are prepared.
bool meet(const Communicator& communicator, bool is_prepared) {
  int are_prepared = is_prepared ? 1 : 0;
  run_request(communicator.gate(), [&](MPI_Request* request) {
    check_mpi(MPI_Iallreduce(MPI_IN_PLACE, &are_prepared, 1, MPI_INT, MPI_MIN, mpi_comm(communicator), request), "MPI_Iallreduce");
  });
  return are_prepared != 0;
}

// Runs `prepare`, which may fail on one rank alone, on all ranks before they enter ScaLAPACK. Rethrows its exception here; returns
// false if it has thrown on another rank.
template <class Prepare>
bool is_prepared_by_all(const Communicator& communicator, Prepare prepare) {
  std::exception_ptr failure;
  try {
    prepare();
  } catch (...) {
    failure = std::current_exception();
  }
  const bool are_prepared = meet(communicator, !failure);
  if (failure) {
    std::rethrow_exception(failure);
  }
  return are_prepared;
}

}  // namespace

template <Scalar S>
ScalapackRoot<S>::ScalapackRoot(Communicator grid_ranks, GridShape shape, Method method, RealOf<S> null_pivot)
    : method_(method), null_pivot_(null_pivot), grid_(std::move(grid_ranks), shape) {}

template <Scalar S>
void ScalapackRoot<S>::factorize(const RootPart<S>& part, std::function<void(const RootOutcome&)> then) {
  check_size(part.layout);
  part_ = part;
  std::optional<BlasThreadsGuard> one_thread;
  std::optional<GridCholesky<S>> cholesky;
  const bool is_ready = is_prepared_by_all(grid_.communicator(), [&] {
    one_thread.emplace();
    outcomes_.resize(static_cast<std::size_t>(grid_.communicator().num_ranks()));
    const Index num_rows = part.layout.rows().local_size(part.position.row);
    if (method_ == Method::lu) {
      exchanged_.resize(static_cast<std::size_t>(num_rows + static_cast<Count>(part.layout.block_size())));
    } else {
      cholesky.emplace(grid_.communicator(), part_);
    }
  });
  if (is_ready) {
    then(joined(cholesky ? eliminate(*cholesky) : eliminate_by_lu()));
  }
}

// Factorizes by Cholesky; returns the outcome of this rank's pivots.
template <Scalar S>
RootOutcome ScalapackRoot<S>::eliminate(GridCholesky<S>& cholesky) const {
  const Index num_pivots = cholesky.run();
  RootOutcome outcome = examine_pivots(method_, null_pivot_, part_, num_pivots);
  if (num_pivots < part_.layout.order() && part_.layout.owner(num_pivots, num_pivots) == part_.position) {
    outcome += not_positive_definite_at(num_pivots);
  }
  return outcome;
}

// The same by LU.
template <Scalar S>
RootOutcome ScalapackRoot<S>::eliminate_by_lu() {
  const BlacsUse inside = grid_.enter();
  const RootLayout& layout = part_.layout;
  const Index n = layout.order();
  const scalapack::Matrix<S> matrix = on_grid(part_, grid_.context());
  scalapack::getrf(n, matrix, exchanged_.data());
  RootOutcome outcome = examine_pivots(method_, null_pivot_, part_, n);
  const Index num_rows = part_.position.col == 0 ? layout.rows().local_size(part_.position.row) : 0;  // the same for all columns
  for (Index row = 0; row < num_rows; ++row) {
    const Index k = layout.rows().global(part_.position.row, row);
    if (exchanged_[row] != k + 1) {
      outcome.determinant.negate();
    }
  }
  return outcome;
}

template <Scalar S>
RootOutcome ScalapackRoot<S>::joined(const RootOutcome& mine) {
  static_assert(std::is_trivially_copyable_v<RootOutcome>);
  run_request(grid_.communicator().gate(), [&](MPI_Request* request) {
    check_mpi(MPI_Iallgather(&mine, sizeof(RootOutcome), MPI_BYTE, outcomes_.data(), sizeof(RootOutcome), MPI_BYTE,
                             mpi_comm(grid_.communicator()), request),
              "MPI_Iallgather");
  });
  RootOutcome outcome;
  for (const RootOutcome& of_rank : outcomes_) {
    outcome += of_rank;
  }
  return outcome;
}

template <Scalar S>
void ScalapackRoot<S>::gather(const RootPart<S>& part, S* whole, std::function<void()> then) {
  if (!is_prepared_by_all(grid_.communicator(), [] {})) {
    return;
  }
  {
    const BlacsUse inside = grid_.enter();
    const scalapack::Matrix<S> matrix = on_grid(part, grid_.context());
    for_each_slice(part.layout, part.layout.order(), [&](Index begin, Index end) {
      const Index n = part.layout.order();
      const scalapack::Matrix<S> target =
          on_first_rank(DenseView<S>{whole + static_cast<Count>(begin) * n, n, end - begin, n}, grid_.context());
      scalapack::copy_columns<S>({matrix, begin}, {target, 0}, end - begin, grid_.context());
    });
  }
  then();
}

template <Scalar S>
void ScalapackRoot<S>::abandon() {
  meet(grid_.communicator(), false);
}

template <Scalar S>
std::vector<Index> ScalapackRoot<S>::exchanges() const {
  std::vector<Index> rows(exchanged_.begin(), exchanged_.begin() + num_exchanged_rows());
  std::transform(rows.begin(), rows.end(), rows.begin(), [](Index counted_from_1) { return counted_from_1 - 1; });
  return rows;
}

template <Scalar S>
void ScalapackRoot<S>::adopt(const RootPart<S>& part) {
  check_size(part.layout);
  part_ = part;
  exchanged_.resize(static_cast<std::size_t>(num_exchanged_rows()));
  for (Index row = 0; row < num_exchanged_rows(); ++row) {
    exchanged_[row] = part.layout.rows().global(part.position.row, row) + 1;
  }
}

template <Scalar S>
void ScalapackRoot<S>::solve(RootFactors factors, Operation operation, DenseView<S> b, std::function<void()> then) {
  std::optional<BlasThreadsGuard> one_thread;
  std::vector<S> memory;
  const bool is_ready = is_prepared_by_all(grid_.communicator(), [&] {
    one_thread.emplace();
    const Count ld = part_.layout.leading_dimension(part_.position);
    memory.resize(static_cast<std::size_t>(ld * std::min(part_.layout.block_size(), std::max(b.cols, 1))));
  });
  if (!is_ready) {
    return;
  }
  {
    const BlacsUse inside = grid_.enter();
    for_each_slice(part_.layout, b.cols, [&](Index begin, Index end) {
      solve_columns(factors, grid_operation(method_, operation), b.columns(begin, end), memory.data());
    });
  }
  then();
}

// `memory` is for a block column of this rank.
template <Scalar S>
void ScalapackRoot<S>::solve_columns(RootFactors factors, GridOperation operation, DenseView<S> b, S* memory) const {
  const RootLayout& layout = part_.layout;
  const int context = grid_.context();
  const bool is_conjugated_here = operation.is_conjugated && part_.position == GridPosition{};
  if (is_conjugated_here) {
    conjugate_entries(b);
  }
  const scalapack::Matrix<S> given = on_first_rank(b, context);
  const scalapack::Matrix<S> x = scalapack::matrix(memory, context, b.rows, b.cols, layout.block_size(), layout.block_size(),
                                                   layout.leading_dimension(part_.position));
  scalapack::copy_columns<S>({given, 0}, {x, 0}, b.cols, context);
  if (factors != RootFactors::second) {
    solve_with(first_triangle(method_, operation.op_on_grid), x);
  }
  if (factors != RootFactors::first) {
    solve_with(second_triangle(method_, operation.op_on_grid), x);
  }
  scalapack::copy_columns<S>({x, 0}, {given, 0}, b.cols, context);
  if (is_conjugated_here) {
    conjugate_entries(b);
  }
}

template <Scalar S>
void ScalapackRoot<S>::solve_with(const RootTriangle& factor, const scalapack::Matrix<S>& x) const {
  const scalapack::Exchanges exchanges{exchanged_.data(), num_exchanged_rows(), part_.layout.shape().num_rows, part_.position.col};
  if (factor.exchanges_before) {
    scalapack::exchange_rows(true, exchanges, x);
  }
  scalapack::trsm(factor.triangle, factor.op, factor.diagonal, on_grid(part_, grid_.context()), x);
  if (factor.exchanges_after) {
    scalapack::exchange_rows(false, exchanges, x);
  }
}

FROND_INSTANTIATE_CLASS(ScalapackRoot)

}  // namespace frond
