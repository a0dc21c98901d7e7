// SPDX-License-Identifier: BSD-3-Clause
// Determines which ranks exchange which rows of a panel, and runs the loop that keeps one panel ahead.
//
// With kc the grid column of the panel, rank (i, j) needs from the panel the rows of its own rows, which (i, kc) has, and those of
// its own columns: the blocks b with b = j modulo the grid's columns. Of these (b modulo the grid's rows, kc) has the rows.
#include "factorization/scalapack/grid_cholesky.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "factorization/kernels/rank_update.hpp"
#include "factorization/kernels/routine.hpp"
#include "factorization/kernels/triangular_solve.hpp"
#include "loadinfo/messages/mpi/mpi_communicator.hpp"
#include "loadinfo/messages/wake_period.hpp"

namespace frond {
namespace {

enum Tag : int { diagonal_tag = 1, rows_tag, blocks_tag };

template <Scalar S>
MPI_Datatype mpi_type() {
  return routine<S>(MPI_FLOAT, MPI_DOUBLE, MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX);
}

template <Scalar S>
void copy_entries(DenseView<const S> from, DenseView<S> to) {
  for (Index j = 0; j < from.cols; ++j) {
    std::copy_n(from.column(j), from.rows, to.column(j));
  }
}

}  // namespace

// Pending sends or receipts of entries, which stay in place meanwhile. Memory for all of them is allocated beforehand: no rank may
// fail alone while others wait for it.
template <Scalar S>
class GridCholesky<S>::Messages {
 public:
  Messages(const Communicator& ranks, Rank most) : ranks_(ranks) { requests_.reserve(static_cast<std::size_t>(most)); }

  void send(Tag tag, Rank to, const S* entries, Count count) {
    const auto inside = ranks_.gate().enter();
    check_mpi(MPI_Isend(entries, static_cast<int>(count), mpi_type<S>(), to, tag, mpi_comm(ranks_), &requests_.emplace_back()),
              "MPI_Isend");
  }

  void receive(Tag tag, Rank from, S* entries, Count count) {
    const auto inside = ranks_.gate().enter();
    check_mpi(MPI_Irecv(entries, static_cast<int>(count), mpi_type<S>(), from, tag, mpi_comm(ranks_), &requests_.emplace_back()),
              "MPI_Irecv");
  }

  // Polls MPI, and lets it make progress.
  bool are_finished() {
    const auto inside = ranks_.gate().enter();
    int flag = 0;
    check_mpi(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &flag, MPI_STATUSES_IGNORE), "MPI_Testall");
    if (flag != 0) {
      requests_.clear();
    }
    return flag != 0;
  }

  void wait() {
    WakePeriod period(std::chrono::microseconds(5), std::chrono::microseconds(200));
    while (!are_finished()) {
      std::this_thread::sleep_for(period.after(false));
    }
  }

 private:
  const Communicator& ranks_;
  std::vector<MPI_Request> requests_;
};

// A rank's part of a panel, with a flag in front of some entries that is not zero if there is no next pivot.
template <Scalar S>
struct GridCholesky<S>::Panel {
  Panel(const Communicator& ranks, GridShape shape)
      : diagonal_receipt(ranks, 1),
        receipts(ranks, 1 + shape.num_rows),
        sends(ranks, shape.num_rows + shape.num_cols + shape.size()) {}

  std::vector<S> diagonal;             // flag and block
  std::vector<S> rows;                 // flag, then those of this rank's rows that are below the block
  std::vector<std::vector<S>> blocks;  // [grid row] = those of this rank's columns that the grid row has; own one: nothing
  std::vector<std::vector<S>> packed;  // [grid column] = of this rank's rows, those that the grid column's other ranks need
  Messages diagonal_receipt;
  Messages receipts;
  Messages sends;
};

template <Scalar S>
GridCholesky<S>::GridCholesky(const Communicator& grid_ranks, const RootPart<S>& part)
    : grid_ranks_(grid_ranks),
      part_(part),
      layout_(part.layout),
      num_local_rows_(layout_.rows().local_size(part.position.row)),
      num_blocks_((layout_.order() + layout_.block_size() - 1) / layout_.block_size()) {
  const GridShape shape = layout_.shape();
  const auto entries = [&](Index rows) { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(layout_.block_size()); };
  panels_.reserve(2);
  for (int copy = 0; copy < 2; ++copy) {
    Panel& panel = panels_.emplace_back(grid_ranks, shape);
    panel.diagonal.resize(1 + entries(layout_.block_size()));
    panel.rows.resize(1 + entries(num_local_rows_));
    for (Rank row = 0; row < shape.num_rows; ++row) {
      const bool is_own = row == part.position.row;
      panel.blocks.emplace_back(is_own ? 0 : entries(crossing_rows(0, num_blocks_, {row, part.position.col})));
    }
    for (Rank col = 0; col < shape.num_cols; ++col) {
      panel.packed.emplace_back(shape.num_rows == 1 ? 0 : entries(crossing_rows(0, num_blocks_, {part.position.row, col})));
    }
  }
}

template <Scalar S>
GridCholesky<S>::~GridCholesky() = default;

// Returns the number of rows of those of the blocks [block_begin, block_end) whose rows the grid row has and whose columns the grid
// column has.
template <Scalar S>
Index GridCholesky<S>::crossing_rows(Index block_begin, Index block_end, GridPosition position) const {
  Index rows = 0;
  for (Index block = block_begin; block < block_end; ++block) {
    if (grid_row(block) == position.row && grid_col(block) == position.col) {
      rows += width(block);
    }
  }
  return rows;
}

// Returns the block's columns, which this rank has, from its row `row` on.
template <Scalar S>
DenseView<S> GridCholesky<S>::local_columns(Index block, Index row) const {
  const Index ld = layout_.leading_dimension(part_.position);
  return {part_.entries + row + static_cast<Count>(layout_.cols().local(begin(block))) * ld, num_local_rows_ - row, width(block),
          ld};
}

template <Scalar S>
Index GridCholesky<S>::run() {
  if (num_blocks_ > 0) {
    expect(0);
  }
  if (has_column(0)) {
    factorize_panel(0);
  }
  for (Index block = 0; block < num_blocks_; ++block) {
    panel(block).receipts.wait();
    if (panel(block).rows.front() != S(0)) {
      break;
    }
    num_pivots_ = begin(block + 1);
    const Index next = block + 1;
    if (next < num_blocks_) {
      expect(next);
      if (has_column(next)) {
        update(block, next);
        factorize_panel(next);
      }
    }
    for (Index later = next + 1; later < num_blocks_; ++later) {
      if (has_column(later)) {
        update(block, later);
        static_cast<void>(panel(next).sends.are_finished());
      }
    }
  }
  for (Panel& last : panels_) {
    last.sends.wait();
  }
  return num_pivots_;
}

// Prepares for the parts of the panel that others will send.
template <Scalar S>
void GridCholesky<S>::expect(Index block) {
  Panel& expected = panel(block);
  expected.sends.wait();  // of the previous panel
  const Rank kc = grid_col(block);
  const Rank num_rows = layout_.shape().num_rows;
  if (!has_column(block)) {
    const Count height = num_local_rows_ - rows_before(begin(block + 1));
    expected.receipts.receive(rows_tag, layout_.grid_rank({part_.position.row, kc}), expected.rows.data(),
                              1 + height * width(block));
  }
  for (Rank row = 0; row < num_rows; ++row) {
    const Index crossing = crossing_rows(block + 1, num_blocks_, {row, part_.position.col});
    if (row != part_.position.row && crossing > 0) {
      expected.receipts.receive(blocks_tag, layout_.grid_rank({row, kc}), expected.blocks[row].data(),
                                static_cast<Count>(crossing) * width(block));
    }
  }
}

// Eliminates the block column, which this rank's grid column has, and sends the others the parts that they need.
template <Scalar S>
void GridCholesky<S>::factorize_panel(Index block) {
  Panel& own = panel(block);
  factorize_diagonal(block);
  const Index num_pivots = width(block);
  const DenseView<S> below = local_columns(block, rows_before(begin(block + 1)));
  own.rows.front() = own.diagonal.front();
  if (own.diagonal.front() == S(0)) {
    solve_right<S>(blas::Op::conjugate_transpose, blas::Diagonal::stored,
                   DenseView<const S>{own.diagonal.data() + 1, num_pivots, num_pivots, num_pivots}, below);
  }
  copy_entries<S>(below, {own.rows.data() + 1, below.rows, num_pivots, below.rows});
  send_rows(block);
  send_blocks(block);
}

// Eliminates the diagonal block, or waits for the rank that does.
template <Scalar S>
void GridCholesky<S>::factorize_diagonal(Index block) {
  Panel& own = panel(block);
  const Index size = width(block);
  const Count count = 1 + static_cast<Count>(size) * size;
  const Rank kr = grid_row(block);
  if (!has_row(block)) {
    own.diagonal_receipt.receive(diagonal_tag, layout_.grid_rank({kr, part_.position.col}), own.diagonal.data(), count);
    own.diagonal_receipt.wait();
    return;
  }
  const DenseView<S> diagonal = local_columns(block, rows_before(begin(block))).block(0, 0, size, size);
  const Index failed = blas::potrf(diagonal);
  own.diagonal.front() = S(failed < 0 ? 0 : 1);
  if (failed >= 0) {
    num_pivots_ = begin(block) + failed;
  }
  copy_entries<S>(diagonal, {own.diagonal.data() + 1, size, size, size});
  for (Rank row = 0; row < layout_.shape().num_rows; ++row) {
    if (row != kr) {
      own.sends.send(diagonal_tag, layout_.grid_rank({row, part_.position.col}), own.diagonal.data(), count);
    }
  }
}

// Sends rows to the ranks of this grid row.
template <Scalar S>
void GridCholesky<S>::send_rows(Index block) {
  Panel& own = panel(block);
  const Count height = num_local_rows_ - rows_before(begin(block + 1));
  for (Rank col = 0; col < layout_.shape().num_cols; ++col) {
    if (col != part_.position.col) {
      own.sends.send(rows_tag, layout_.grid_rank({part_.position.row, col}), own.rows.data(), 1 + height * width(block));
    }
  }
}

// Packs those of this rank's rows of the panel that the grid column needs for its columns, one block below the other. Returns their
// number.
template <Scalar S>
Index GridCholesky<S>::pack_blocks(Index block, Rank col) {
  Panel& own = panel(block);
  const Index above = rows_before(begin(block + 1));
  const Index height = num_local_rows_ - above;
  const DenseView<const S> rows{own.rows.data() + 1, height, width(block), height};
  const Index crossing = crossing_rows(block + 1, num_blocks_, {part_.position.row, col});
  const DenseView<S> packed{own.packed[col].data(), crossing, width(block), crossing};
  Index first = 0;
  for (Index of = block + 1; of < num_blocks_; ++of) {
    if (has_row(of) && grid_col(of) == col) {
      copy_entries<S>(rows.block(rows_before(begin(of)) - above, 0, width(of), rows.cols),
                      packed.block(first, 0, width(of), rows.cols));
      first += width(of);
    }
  }
  return crossing;
}

// Sends blocks to the other grid rows, to each grid column its own.
template <Scalar S>
void GridCholesky<S>::send_blocks(Index block) {
  if (layout_.shape().num_rows == 1) {
    return;
  }
  Panel& own = panel(block);
  for (Rank col = 0; col < layout_.shape().num_cols; ++col) {
    const Index crossing = pack_blocks(block, col);
    for (Rank row = 0; row < layout_.shape().num_rows && crossing > 0; ++row) {
      if (row != part_.position.row) {
        own.sends.send(blocks_tag, layout_.grid_rank({row, col}), own.packed[col].data(),
                       static_cast<Count>(crossing) * width(block));
      }
    }
  }
}

// Subtracts the product of the panel `pivots` from this rank's columns of `block`.
template <Scalar S>
void GridCholesky<S>::update(Index pivots, Index block) {
  Panel& known = panel(pivots);
  const Index num_pivots = width(pivots);
  const Index above = rows_before(begin(pivots + 1));
  const Index row = rows_before(begin(block));
  const DenseView<S> target = local_columns(block, row);
  const Index ld = std::max<Index>(num_local_rows_ - above, 1);
  const DenseView<const S> rows{known.rows.data() + 1 + (row - above), target.rows, num_pivots, ld};
  if (has_row(block)) {
    subtract_product_lower<S>(blas::Op::conjugate_transpose, rows, rows.block(0, 0, target.cols, num_pivots), target);
    return;
  }
  const GridPosition owner{grid_row(block), part_.position.col};
  const Index before = crossing_rows(pivots + 1, block, owner);
  const Index crossing = crossing_rows(pivots + 1, num_blocks_, owner);
  const DenseView<const S> cols{known.blocks[owner.row].data() + before, target.cols, num_pivots, crossing};
  blas::gemm<S>(blas::Op::none, blas::Op::conjugate_transpose, S(-1), rows, cols, target);
}

FROND_INSTANTIATE_CLASS(GridCholesky)

}  // namespace frond
