// SPDX-License-Identifier: BSD-3-Clause
// Broadcasts arrays and gathers triplets.
#include "solver/distributed/mpi/replicate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/agreement.hpp"
#include "solver/distributed/mpi/rank_team.hpp"

namespace frond {
namespace {

struct Shape {
  Index num_rows = 0;
  Index num_cols = 0;
  Symmetry symmetry = Symmetry::general;
  Count num_entries = 0;
};

bool is_same_matrix(const Shape& a, const Shape& b) {
  return a.num_rows == b.num_rows && a.num_cols == b.num_cols && a.symmetry == b.symmetry;
}

template <class T>
void broadcast_list(const Communicator& ranks, std::vector<T>& list) {
  broadcast(ranks, 0, std::as_writable_bytes(std::span(list)));
}

void check_same_matrix(const std::vector<Shape>& shapes) {
  for (std::size_t rank = 1; rank < shapes.size(); ++rank) {
    if (!is_same_matrix(shapes[rank], shapes[0])) {
      throw UsageError(
          fmt::format("rank {} gives triplets of a {} by {} matrix, rank 0 of a {} by {} one, or of another symmetry: "
                      "all must be of the same matrix",
                      rank, shapes[rank].num_rows, shapes[rank].num_cols, shapes[0].num_rows, shapes[0].num_cols));
    }
  }
}

}  // namespace

template <Scalar S>
SparseMatrix<S> replicate(const Communicator& ranks, const MatrixView<S>* matrix) {
  const bool is_source = ranks.rank() == 0;
  agree(ranks, [&] {
    if (is_source && matrix == nullptr) {
      throw UsageError("there is no matrix: rank 0 must pass it");
    }
  });
  Shape shape;
  if (is_source) {
    const PatternView& pattern = matrix->pattern;
    shape = {pattern.num_rows, pattern.num_cols, pattern.symmetry, pattern.num_entries()};
  }
  broadcast(ranks, 0, std::as_writable_bytes(std::span(&shape, 1)));
  SparseMatrix<S> copy;
  copy.num_rows = shape.num_rows;
  copy.num_cols = shape.num_cols;
  copy.symmetry = shape.symmetry;
  agree(ranks, [&] {
    copy.column_offsets.resize(static_cast<std::size_t>(shape.num_cols) + 1);
    copy.row_indices.resize(static_cast<std::size_t>(shape.num_entries));
    copy.values.resize(static_cast<std::size_t>(shape.num_entries));
  });
  if (is_source) {
    std::copy(matrix->pattern.column_offsets.begin(), matrix->pattern.column_offsets.end(), copy.column_offsets.begin());
    std::copy(matrix->pattern.row_indices.begin(), matrix->pattern.row_indices.end(), copy.row_indices.begin());
    std::copy(matrix->values.begin(), matrix->values.end(), copy.values.begin());
  }
  broadcast_list(ranks, copy.column_offsets);
  broadcast_list(ranks, copy.row_indices);
  broadcast_list(ranks, copy.values);
  return copy;
}

template <Scalar S>
std::optional<SparseMatrix<S>> gather_triplets(const Communicator& ranks, const Triplets<S>& mine) {
  const std::vector<Shape> shapes = all_gather_values(ranks, Shape{mine.num_rows, mine.num_cols, mine.symmetry});
  Triplets<S> all{.num_rows = mine.num_rows, .num_cols = mine.num_cols, .symmetry = mine.symmetry};
  agree(ranks, [&] {
    check_same_matrix(shapes);
    if (mine.rows.size() != mine.cols.size() || mine.rows.size() != mine.values.size()) {
      throw UsageError(fmt::format("the triplets have {} rows, {} columns and {} values; one of each is needed per entry",
                                   mine.rows.size(), mine.cols.size(), mine.values.size()));
    }
  });
  const RankTeam team(ranks);
  all.rows = gather_list<Index>(team, mine.rows);
  all.cols = gather_list<Index>(team, mine.cols);
  all.values = gather_list<S>(team, mine.values);
  std::optional<SparseMatrix<S>> matrix;
  agree(ranks, [&] {
    if (ranks.rank() == 0) {
      matrix = compress(std::move(all));
    }
  });
  return matrix;
}

#define FROND_INSTANTIATE(S)                                                     \
  template SparseMatrix<S> replicate(const Communicator&, const MatrixView<S>*); \
  template std::optional<SparseMatrix<S>> gather_triplets(const Communicator&, const Triplets<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
