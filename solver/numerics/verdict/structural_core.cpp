// SPDX-License-Identifier: BSD-3-Clause
// Removes singleton entries one after the other, and applies complete pivoting to the rest.
#include "solver/numerics/verdict/structural_core.hpp"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "factorization/fronts/pivot_tolerances.hpp"
#include "factorization/kernels/blas.hpp"
#include "factorization/kernels/blas_threads.hpp"
#include "factorization/scheduling/thread_arena.hpp"
#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "matrices/explicit_zeros.hpp"
#include "solver/numerics/problem/finite.hpp"
#include "solver/numerics/problem/rank_proof.hpp"
#include "solver/numerics/scaling/scaling.hpp"
#include "solver/numerics/verdict/bauer_skeel.hpp"
#include "solver/numerics/verdict/null_vectors.hpp"
#include "solver/numerics/verdict/scaled_system.hpp"

namespace frond {
namespace {

// Removes lines: the columns of a square matrix and, numbered after them, its rows.
template <Scalar S>
class Peeling {
 public:
  explicit Peeling(const SparseMatrix<S>& matrix)
      : by_cols_(matrix), by_rows_(transpose(matrix.view())), num_cols_(static_cast<std::size_t>(matrix.num_cols)) {
    for (std::size_t line = 0; line < 2 * num_cols_; ++line) {
      num_left_.push_back(static_cast<Count>(crossing(line).size()));
      note_singleton(line);
    }
  }

  // Returns the number of pivots.
  Index run() {
    Index num_pivots = 0;
    while (!singletons_.empty()) {
      const std::size_t line = singletons_.back();
      singletons_.pop_back();
      if (num_left_[line] == 1) {  // it may have changed meanwhile
        const std::span<const Index> lines = crossing(line);
        const auto other = std::find_if(lines.begin(), lines.end(), [&](Index number) { return is_left(across(line, number)); });
        take_out(across(line, *other));
        take_out(line);
        ++num_pivots;
      }
    }
    return num_pivots;
  }

  // [column] = its number among the remaining ones, or -1.
  [[nodiscard]] std::vector<Index> numbers_of_cols() const { return numbers(0); }
  [[nodiscard]] std::vector<Index> numbers_of_rows() const { return numbers(num_cols_); }

 private:
  // The crossing lines, by their numbers as columns or rows.
  [[nodiscard]] std::span<const Index> crossing(std::size_t line) const {
    const bool is_col = line < num_cols_;
    const SparseMatrix<S>& matrix = is_col ? by_cols_ : by_rows_;
    const std::size_t number = is_col ? line : line - num_cols_;
    const auto begin = static_cast<std::size_t>(matrix.column_offsets[number]);
    return std::span(matrix.row_indices).subspan(begin, static_cast<std::size_t>(matrix.column_offsets[number + 1]) - begin);
  }
  [[nodiscard]] std::size_t across(std::size_t line, Index number) const {
    return static_cast<std::size_t>(number) + (line < num_cols_ ? num_cols_ : 0);
  }
  [[nodiscard]] bool is_left(std::size_t line) const { return num_left_[line] > 0; }

  void note_singleton(std::size_t line) {
    if (num_left_[line] == 1) singletons_.push_back(line);
  }

  void take_out(std::size_t line) {
    num_left_[line] = 0;
    for (const Index number : crossing(line)) {
      const std::size_t other = across(line, number);
      if (is_left(other)) {
        --num_left_[other];
        note_singleton(other);
      }
    }
  }

  [[nodiscard]] std::vector<Index> numbers(std::size_t begin) const {
    std::vector<Index> numbers;
    Index next = 0;
    for (std::size_t line = begin; line < begin + num_cols_; ++line) {
      numbers.push_back(is_left(line) ? next++ : -1);
    }
    return numbers;
  }

  const SparseMatrix<S>& by_cols_;
  SparseMatrix<S> by_rows_;
  std::size_t num_cols_;
  std::vector<Count> num_left_;  // [line] = entries not on removed lines; 0 for removed lines
  std::vector<std::size_t> singletons_;
};

// Calls visit(row, column, value) for all entries.
template <Scalar S, class Visit>
void for_each_entry(const SparseMatrix<S>& matrix, const Visit& visit) {
  for (std::size_t j = 0; j + 1 < matrix.column_offsets.size(); ++j) {
    for (auto k = static_cast<std::size_t>(matrix.column_offsets[j]); k < static_cast<std::size_t>(matrix.column_offsets[j + 1]);
         ++k) {
      visit(static_cast<std::size_t>(matrix.row_indices[k]), j, matrix.values[k]);
    }
  }
}

// LU with the largest remaining entry as the next pivot, until that is a rounding error.
template <Scalar S>
class CompletePivoting {
 public:
  using R = RealOf<S>;

  CompletePivoting(const SparseMatrix<S>& matrix, Index num_cols)
      : factors_(matrix.num_rows, num_cols),
        rows_(static_cast<std::size_t>(matrix.num_rows)),
        cols_(static_cast<std::size_t>(num_cols)) {
    for_each_entry(
        matrix, [this](std::size_t i, std::size_t j, S value) { factors_(static_cast<Index>(i), static_cast<Index>(j)) = value; });
    std::iota(rows_.begin(), rows_.end(), 0);
    std::iota(cols_.begin(), cols_.end(), 0);
    for (Index j = 0; j < num_cols; ++j) {
      largest_.push_back(largest_magnitude<S>(std::as_const(factors_).column(j)));
    }
  }

  void run() {
    const double threshold = default_null_threshold<S>(factors_.num_rows);
    for (Index k = 0; k < factors_.num_cols; ++k) {
      const auto largest = std::max_element(largest_.begin() + k, largest_.end());
      const auto size = static_cast<double>(*largest);
      if (!std::isfinite(size) || !(size > threshold * (k == 0 ? 0 : sizes_.front()))) {
        break;
      }
      bring_to_front(k, static_cast<Index>(largest - largest_.begin()));
      sizes_.push_back(size);
      eliminate(k);
    }
  }

  [[nodiscard]] const DenseMatrix<S>& factors() const { return factors_; }  // L and U, in the order of pivots
  [[nodiscard]] const std::vector<Index>& rows() const { return rows_; }    // [place] = number in the matrix
  [[nodiscard]] const std::vector<Index>& cols() const { return cols_; }
  [[nodiscard]] const std::vector<double>& sizes() const { return sizes_; }  // of pivots, roughly decreasing

 private:
  void bring_to_front(Index k, Index col) {
    const auto first = static_cast<std::size_t>(k);
    const auto other = static_cast<std::size_t>(col);
    std::swap_ranges(factors_.column(k).begin(), factors_.column(k).end(), factors_.column(col).begin());
    std::swap(cols_[first], cols_[other]);
    std::swap(largest_[first], largest_[other]);
    const Index row = k + blas::index_of_max(factors_.num_rows - k, &factors_(k, k));
    std::swap(rows_[first], rows_[row]);
    for (Index j = 0; j < factors_.num_cols; ++j) {
      std::swap(factors_(k, j), factors_(row, j));
    }
  }

  void eliminate(Index k) {
    const auto below = static_cast<std::size_t>(k) + 1;
    const std::span<S> pivots = factors_.column(k).subspan(below);
    std::transform(pivots.begin(), pivots.end(), pivots.begin(), [pivot = factors_(k, k)](S value) { return value / pivot; });
    tbb::parallel_for(k + 1, factors_.num_cols, [&](Index j) {
      if (const S multiplier = factors_(k, j); multiplier != S(0)) {
        const std::span<S> column = factors_.column(j).subspan(below);
        std::transform(column.begin(), column.end(), pivots.begin(), column.begin(),
                       [multiplier](S value, S factor) { return value - multiplier * factor; });
        largest_[j] = largest_magnitude<S>(column);
      }
    });
  }

  DenseMatrix<S> factors_;
  std::vector<Index> rows_;
  std::vector<Index> cols_;
  std::vector<R> largest_;  // [place] = magnitude of its column below the pivots
  std::vector<double> sizes_;
};

// Rows and columns in the order of pivots, for the first `order` of them.
template <Scalar S>
SparseMatrix<S> in_order_of_pivots(const SparseMatrix<S>& matrix, const CompletePivoting<S>& pivots, Index order) {
  const auto places_of = [](const std::vector<Index>& numbers) {
    std::vector<Index> places(numbers.size());
    for (std::size_t place = 0; place < numbers.size(); ++place) {
      places[numbers[place]] = static_cast<Index>(place);
    }
    return places;
  };
  const std::vector<Index> row_places = places_of(pivots.rows());
  const std::vector<Index> col_places = places_of(pivots.cols());
  Triplets<S> ordered{.num_rows = order, .num_cols = order};
  for_each_entry(matrix, [&](std::size_t i, std::size_t j, S value) {
    if (row_places[i] < order && col_places[j] < order) {
      ordered.add(row_places[i], col_places[j], value);
    }
  });
  return compress(std::move(ordered));
}

// Uses the first `rank` pivots; later unknowns have none.
template <Scalar S>
SolveInPlace<S> solve_by(const DenseMatrix<S>& factors, Index rank) {
  return [whole = view_of(factors), rank](const Sweep<S>& sweep) {
    using enum blas::Op;
    const DenseView<const S> block = whole.block(0, 0, rank, rank);
    const DenseView<S> x = sweep.x;
    const DenseView<S> first = x.block(0, 0, rank, x.cols);
    const auto divide = [&](blas::Triangle triangle, blas::Op op) {
      const auto diagonal = triangle == blas::Triangle::lower ? blas::Diagonal::unit : blas::Diagonal::stored;
      blas::trsm<S>(blas::Side::left, triangle, op, diagonal, block, first);
    };
    if (sweep.part == SweepPart::second) {
      const Index num_null = whole.cols - rank;
      blas::gemm<S>(none, none, S(-1), whole.block(0, rank, rank, num_null), x.block(rank, 0, num_null, x.cols), first);
      divide(blas::Triangle::upper, none);
      return;
    }
    const bool is_plain = sweep.operation == Operation::plain;
    const blas::Op op = is_plain ? none : sweep.operation == Operation::adjoint ? conjugate_transpose : transpose;
    divide(is_plain ? blas::Triangle::lower : blas::Triangle::upper, op);
    divide(is_plain ? blas::Triangle::upper : blas::Triangle::lower, op);
    for (Index j = 0; j < x.cols; ++j) {
      std::fill(x.column(j) + rank, x.column(j) + x.rows, S(0));
    }
  };
}

template <Scalar S>
class CoreRank {
 public:
  // `core` as in StructuralCore, its entries about 1.
  CoreRank(SparseMatrix<S> core, Index num_cols, int num_threads)
      : core_(std::move(core)),
        question_{.order = num_cols, .structural_rank = num_cols},
        num_threads_(num_threads),
        pivots_(core_, num_cols) {}

  RankProof run() {
    pivots_.run();
    RankProof proof = prove(static_cast<Index>(pivots_.sizes().size()));
    if (!(proof.rest < 1)) {  // the last pivots are close to rounding errors
      const Index highest = proof.highest;
      proof = prove(num_before_gap());
      proof.highest = std::min(proof.highest, highest);
    }
    return proof;
  }

 private:
  [[nodiscard]] RankProof prove(Index rank) const {
    ProofEvidence evidence = look_at_block(rank);
    if (rank < question_.order) {
      evidence.nulls = test_others(rank);
    }
    return proof_of<S>(evidence, question_.order - rank, question_);
  }

  [[nodiscard]] ProofEvidence look_at_block(Index rank) const {
    const SparseMatrix<S> block = in_order_of_pivots(core_, pivots_, rank);
    const SolveInPlace<S> solve = solve_by(pivots_.factors(), rank);
    const ScaledSystem<S> system{block.view(), {}, {}, solve};
    const BauerSkeel<RealOf<S>> rest = estimate_bauer_skeel(system, 1 / kSingularTolerance<S>, rank);
    ProofEvidence evidence;
    evidence.bauer_skeel = rest.bound;
    evidence.contraction = estimate_contraction(system, rest.weights);
    return evidence;
  }

  [[nodiscard]] NullVectorTest test_others(Index rank) const {
    std::vector<Index> others(static_cast<std::size_t>(question_.order - rank));
    std::iota(others.begin(), others.end(), rank);
    const SparseMatrix<S> ordered = in_order_of_pivots(core_, pivots_, core_.num_rows);
    const SolveInPlace<S> solve = solve_by(pivots_.factors(), rank);
    return test_null_pivots<S>({ordered.view(), {}, {}, solve}, others, kMostCoreBytes, num_threads_);
  }

  // The number of pivots before the widest gap between successive ones.
  [[nodiscard]] Index num_before_gap() const {
    const std::vector<double>& sizes = pivots_.sizes();
    std::size_t best = 0;
    for (std::size_t k = 1; k < sizes.size(); ++k) {
      best = best == 0 || sizes[k - 1] / sizes[k] > sizes[best - 1] / sizes[best] ? k : best;
    }
    return static_cast<Index>(best);
  }

  SparseMatrix<S> core_;
  ProofQuestion question_;
  int num_threads_;
  CompletePivoting<S> pivots_;
};

// D_r C D_c, without rounding.
template <Scalar S>
SparseMatrix<S> equilibrated(SparseMatrix<S> core) {
  const Scaling<RealOf<S>> scaling = find_scaling<S>(core.view(), {.kind = ScalingKind::equilibrate});
  for (std::size_t j = 0; j < scaling.cols.size(); ++j) {
    for (auto k = static_cast<std::size_t>(core.column_offsets[j]); k < static_cast<std::size_t>(core.column_offsets[j + 1]); ++k) {
      core.values[k] *= scaling.rows[core.row_indices[k]];
      core.values[k] *= scaling.cols[j];
    }
  }
  return core;
}

/// The rest of a matrix when its pivots are removed.
template <Scalar S>
struct StructuralCore {
  Index num_pivots = 0;
  Index num_cols = 0;
  SparseMatrix<S> matrix =
      {};  // or its transpose: no fewer rows than columns, with columns of zeros behind these so that it is square
};

template <Scalar S>
StructuralCore<S> find_core(const MatrixView<S>& matrix) {
  const SparseMatrix<S> entries = without_zeros(expand_to_general(matrix).view());
  Peeling<S> peeling(entries);
  StructuralCore<S> core{.num_pivots = peeling.run()};
  const std::vector<Index> rows = peeling.numbers_of_rows();
  const std::vector<Index> cols = peeling.numbers_of_cols();
  const auto count = [](const std::vector<Index>& numbers) {
    return numbers.empty() ? Index{0} : *std::max_element(numbers.begin(), numbers.end()) + 1;
  };
  const bool is_wide = count(rows) < count(cols);
  core.num_cols = std::min(count(rows), count(cols));
  const Index order = std::max(count(rows), count(cols));
  Triplets<S> triplets{.num_rows = order, .num_cols = order};
  for_each_entry(entries, [&](std::size_t i, std::size_t j, S value) {
    if (rows[i] >= 0 && cols[j] >= 0) {
      triplets.add(is_wide ? cols[j] : rows[i], is_wide ? rows[i] : cols[j], value);
    }
  });
  core.matrix = compress(std::move(triplets));
  return core;
}

// Whether its elimination, and up to three inverses and products with them, are affordable.
template <Scalar S>
bool is_small(const StructuralCore<S>& core) {
  const auto rows = static_cast<double>(core.matrix.num_rows);
  const auto cols = static_cast<double>(core.num_cols);
  const double flops = cols * cols * (rows + 12 * cols) * (kIsComplex<S> ? 4 : 1);
  return flops <= kMostCoreFlops && rows * cols * sizeof(S) <= static_cast<double>(kMostCoreBytes);
}

}  // namespace

template <Scalar S>
RankProof bound_rank_by_core(const MatrixView<S>& matrix, int num_threads) {
  try {
    const StructuralCore<S> core = find_core(matrix);
    RankProof proof{.status = RankVerdict::in_doubt, .highest = core.num_cols};
    if (is_small(core)) {
      const BlasThreadsGuard guard;
      proof = on_threads(num_threads, [&] { return CoreRank<S>(equilibrated(core.matrix), core.num_cols, num_threads).run(); });
    }
    proof.lowest += core.num_pivots;
    proof.highest += core.num_pivots;
    return proof;
  } catch (const std::bad_alloc&) {
  } catch (const MemoryError&) {
  }
  return {.status = RankVerdict::in_doubt, .highest = matrix.pattern.num_cols};
}

bool wants_core(const RankProof& rank, Index order, Index structural_rank) {
  return rank.status == RankVerdict::in_doubt && structural_rank < order;
}

void heed_core(const RankProof& by_core, Index order, Index structural_rank, SystemReport& report) {
  RankProof& rank = report.rank;
  if (by_core.lowest > rank.highest || rank.lowest > by_core.highest) {
    return;
  }
  if (by_core.highest <= rank.highest) {
    rank.highest = by_core.highest;
    rank.num_vectors = by_core.num_vectors;
    rank.is_sample = by_core.is_sample;
    rank.number = by_core.number;
  }
  if (by_core.lowest >= rank.lowest) {
    rank.lowest = by_core.lowest;
    rank.rest = by_core.rest;
  }
  if (rank.lowest == rank.highest) {
    rank.status = rank.highest == structural_rank ? RankVerdict::structural : RankVerdict::singular;
    const bool is_shown = order - static_cast<Index>(report.factorization.null_pivots.size()) == rank.highest;
    report.notes.push_back(fmt::format(
        "the rank is proved by taking out entries that are alone in a row or a column, and by dense factors of what remains{}",
        is_shown ? "" : "; the null pivots of the factors do not show it"));
  }
}

#define FROND_INSTANTIATE(S) template RankProof bound_rank_by_core(const MatrixView<S>&, int);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
