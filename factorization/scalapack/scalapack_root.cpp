// SPDX-License-Identifier: BSD-3-Clause
// Calls ScaLAPACK on the parts of a grid, and moves matrices between the grid and its first rank.
#include "factorization/scalapack/scalapack_root.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <type_traits>
#include <utility>

#include "factorization/kernels/blas_threads.hpp"
#include "factorization/scalapack/routines.hpp"
#include "loadinfo/mpi/communicator_handle.hpp"

namespace frond {
namespace {

// ScaLAPACK counts the entries of a part with 32 bits. The first rank has the largest part.
template <Scalar S>
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

// Calls visit(begin, end) for as many columns at a time as there are in one block of each column of the grid: so what is moved
// beside the root stays small.
template <class Visit>
void for_each_slice(const RootLayout& layout, Index num_cols, Visit visit) {
  const Count width = static_cast<Count>(layout.block_size()) * layout.shape().num_cols;
  for (Count begin = 0; begin < num_cols; begin += width) {
    visit(static_cast<Index>(begin), static_cast<Index>(std::min<Count>(begin + width, num_cols)));
  }
}

}  // namespace

template <Scalar S>
ScalapackRoot<S>::ScalapackRoot(const Communicator& all, const RootGrid& grid, Method method, RealOf<S> null_pivot)
    : all_(all), grid_(grid), method_(method), null_pivot_(null_pivot) {}

// What may fail on one rank alone comes first, so that nobody waits inside ScaLAPACK for a rank that has failed. Throws what
// `prepare` throws; false if it has thrown on another rank.
template <Scalar S>
bool ScalapackRoot<S>::is_done_by_all(const std::function<void()>& prepare) const {
  std::exception_ptr failure;
  try {
    prepare();
  } catch (...) {
    failure = std::current_exception();
  }
  int is_done = failure ? 0 : 1;
  {
    const auto inside = blacs_->communicator().gate().enter();
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &is_done, 1, MPI_INT, MPI_MIN, blacs_->communicator().handle().comm), "MPI_Allreduce");
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
  return is_done != 0;
}

template <Scalar S>
void ScalapackRoot<S>::factorize(const RootPart<S>& part, std::function<void(const RootOutcome&)> then) {
  check_size<S>(part.layout);
  if (!blacs_) {
    blacs_.emplace(all_.of_ranks(grid_.ranks), grid_.shape);
  }
  part_ = part;
  std::optional<BlasThreadsGuard> one_thread;
  const bool is_ready = is_done_by_all([&] {
    one_thread.emplace();
    const Index num_rows = part.layout.rows().local_size(part.position.row);
    exchanged_.resize(method_ == Method::lu ? static_cast<std::size_t>(num_rows + static_cast<Count>(part.layout.block_size()))
                                            : 0);
  });
  if (is_ready) {
    then(factorize_part());
  }
}

template <Scalar S>
RootOutcome ScalapackRoot<S>::factorize_part() {
  const BlacsUse inside = blacs_->enter();
  const RootLayout& layout = part_.layout;
  const Index n = layout.order();
  const scalapack::Matrix<S> matrix = on_grid(part_, blacs_->context());
  if (method_ == Method::cholesky) {
    const Index failed = scalapack::potrf(n, matrix);
    RootOutcome mine = examine_pivots(method_, null_pivot_, part_, failed < 0 ? n : failed);
    if (failed >= 0) {
      mine += not_positive_definite_at(failed);
    }
    return joined(mine);
  }
  scalapack::getrf(n, matrix, exchanged_.data());
  RootOutcome mine = examine_pivots(method_, null_pivot_, part_, n);
  const Index num_rows = part_.position.col == 0 ? layout.rows().local_size(part_.position.row) : 0;  // all columns have the same
  for (Index row = 0; row < num_rows; ++row) {
    const Index k = layout.rows().global(part_.position.row, row);
    mine.num_exchanges += exchanged_[static_cast<std::size_t>(row)] != k + 1 ? 1 : 0;
  }
  return joined(mine);
}

template <Scalar S>
RootOutcome ScalapackRoot<S>::joined(const RootOutcome& mine) const {
  static_assert(std::is_trivially_copyable_v<RootOutcome>);
  std::vector<RootOutcome> all(grid_.ranks.size());
  check_mpi(MPI_Allgather(&mine, sizeof(RootOutcome), MPI_BYTE, all.data(), sizeof(RootOutcome), MPI_BYTE,
                          blacs_->communicator().handle().comm),
            "MPI_Allgather");
  RootOutcome outcome;
  for (const RootOutcome& part : all) {
    outcome += part;
  }
  return outcome;
}

template <Scalar S>
void ScalapackRoot<S>::gather(const RootPart<S>& part, S* whole, std::function<void()> then) {
  {
    const BlacsUse inside = blacs_->enter();
    const scalapack::Matrix<S> matrix = on_grid(part, blacs_->context());
    for_each_slice(part.layout, part.layout.order(), [&](Index begin, Index end) {
      const Index n = part.layout.order();
      const scalapack::Matrix<S> target =
          on_first_rank(DenseView<S>{whole + static_cast<Count>(begin) * n, n, end - begin, n}, blacs_->context());
      scalapack::copy_columns<S>({matrix, begin}, {target, 0}, end - begin, blacs_->context());
    });
  }
  then();
}

template <Scalar S>
void ScalapackRoot<S>::solve(Operation operation, DenseView<S> b, std::function<void()> then) {
  std::optional<BlasThreadsGuard> one_thread;
  std::vector<S> memory;
  const bool is_ready = is_done_by_all([&] {
    one_thread.emplace();
    const Count ld = part_.layout.leading_dimension(part_.position);
    memory.resize(static_cast<std::size_t>(ld * std::min(part_.layout.block_size(), std::max(b.cols, 1))));
  });
  if (!is_ready) {
    return;
  }
  {
    const BlacsUse inside = blacs_->enter();
    for_each_slice(part_.layout, b.cols, [&](Index begin, Index end) {
      solve_columns(grid_operation(method_, operation), b.columns(begin, end), memory.data());
    });
  }
  then();
}

// `memory` is for a block column of this rank.
template <Scalar S>
void ScalapackRoot<S>::solve_columns(GridOperation operation, DenseView<S> b, S* memory) const {
  const RootLayout& layout = part_.layout;
  const int context = blacs_->context();
  const bool is_conjugated_here = operation.is_conjugated && part_.position == GridPosition{};
  if (is_conjugated_here) {
    conjugate_entries(b);
  }
  const scalapack::Matrix<S> given = on_first_rank(b, context);
  const scalapack::Matrix<S> factors = on_grid(part_, context);
  const scalapack::Matrix<S> x = scalapack::matrix(memory, context, b.rows, b.cols, layout.block_size(), layout.block_size(),
                                                   layout.leading_dimension(part_.position));
  scalapack::copy_columns<S>({given, 0}, {x, 0}, b.cols, context);
  if (method_ == Method::cholesky) {
    scalapack::potrs(b.rows, b.cols, factors, x);
  } else {
    scalapack::getrs(operation.op_on_grid, b.rows, b.cols, factors, exchanged_.data(), x);
  }
  scalapack::copy_columns<S>({x, 0}, {given, 0}, b.cols, context);
  if (is_conjugated_here) {
    conjugate_entries(b);
  }
}

template class ScalapackRoot<float>;
template class ScalapackRoot<double>;
template class ScalapackRoot<std::complex<float>>;
template class ScalapackRoot<std::complex<double>>;

}  // namespace frond
