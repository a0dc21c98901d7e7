// SPDX-License-Identifier: BSD-3-Clause
// Runs simultaneous inverse iteration, and finds the gap after the directions that it amplifies.
#include "solver/numerics/verdict/hidden_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "factorization/scheduling/thread_arena.hpp"
#include "solver/numerics/problem/rank_proof.hpp"

namespace frond {
namespace {

constexpr Index kFirstWidth = 4;
constexpr Index kWidening = 4;
constexpr int kRounds = 2;  // of A^-H and A^-1: a gap of 10^3 leaves 10^-12 of the other directions
constexpr int kMostTries = 4;
constexpr double kHopeful = 100;  // times the tolerance

/// Columns in the order of their pivots: column k is 1 at anchors[k], and all later columns are 0 there.
struct Reduction {
  std::vector<Index> anchors;
  std::vector<double> sizes;  // of the pivots
};

// z - part * other
template <Scalar S>
void subtract_multiple(S part, std::span<const S> other, std::span<S> z) {
  std::transform(z.begin(), z.end(), other.begin(), z.begin(), [part](S value, S entry) { return value - part * entry; });
}

// Returns the column, from `begin` on, with the entry of largest magnitude, and that entry's row.
template <Scalar S>
std::pair<Index, Index> largest_entry(const DenseMatrix<S>& z, Index begin) {
  Index row = 0;
  Index col = begin;
  for (Index j = begin; j < z.num_cols; ++j) {
    for (Index i = 0; i < z.num_rows; ++i) {
      if (std::abs(z(i, j)) > std::abs(z(row, col))) {
        row = i;
        col = j;
      }
    }
  }
  return {row, col};
}

// Gaussian elimination of columns with complete pivoting. It ends when the rest is zero or not finite.
template <Scalar S>
Reduction eliminate_columns(DenseMatrix<S>& z) {
  Reduction reduction;
  for (Index k = 0; k < z.num_cols; ++k) {
    const auto [row, col] = largest_entry(z, k);
    const S pivot = z(row, col);
    if (pivot == S(0) || !std::isfinite(std::abs(pivot))) {
      break;
    }
    std::swap_ranges(z.column(k).begin(), z.column(k).end(), z.column(col).begin());
    for (S& value : z.column(k)) {
      value /= pivot;
    }
    z(row, k) = S(1);
    for (Index j = k + 1; j < z.num_cols; ++j) {
      subtract_multiple<S>(z(row, j), z.column(k), z.column(j));
      z(row, j) = S(0);
    }
    reduction.anchors.push_back(row);
    reduction.sizes.push_back(static_cast<double>(std::abs(pivot)));
  }
  return reduction;
}

// The first `count` columns, the identity on their anchors.
template <Scalar S>
DenseMatrix<S> reduced_columns(const DenseMatrix<S>& z, std::span<const Index> anchors, Index count) {
  DenseMatrix<S> first(z.num_rows, count);
  std::copy_n(z.values.begin(), first.values.size(), first.values.begin());
  for (Index k = count - 1; k > 0; --k) {
    const Index anchor = anchors[k];
    for (Index j = 0; j < k; ++j) {
      subtract_multiple<S>(first(anchor, j), std::as_const(first).column(k), first.column(j));
      first(anchor, j) = S(0);
    }
  }
  return first;
}

// How many of the first `most` directions stand out: those before the widest gap. At least one is examined. Directions outside
// the block count as not amplified.
Index num_before_gap(const std::vector<double>& sizes, Index most) {
  Index best = 1;
  double widest = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(most); ++k) {
    if (const double gap = sizes[k] / (k + 1 < sizes.size() ? sizes[k + 1] : 1); gap > widest) {
      widest = gap;
      best = static_cast<Index>(k + 1);
    }
  }
  return best;
}

template <Scalar S>
class HiddenVectorSearch {
 public:
  explicit HiddenVectorSearch(const ScaledSystem<S>& system) : system_(system), order_(system.matrix.pattern.num_cols) {}

  // Directions that all grow, none of them near to a null vector, are those of an ill-conditioned matrix, which has more of them.
  HiddenVectors run(Index most_vectors) {
    const Index most = std::min(most_vectors, order_);
    for (Index width = std::min(kFirstWidth, most);; width = std::min(kWidening * width, most)) {
      iterate(width);
      if (num_blown_up() < width || width == most) {
        return test();
      }
      const std::vector<double> errors = errors_of_first(width);
      if (std::ranges::none_of(errors, [](double error) { return error <= kHopeful * kSingularTolerance<S>; })) {
        return proved_by(errors);
      }
    }
  }

 private:
  void iterate(Index width) {
    z_ = DenseMatrix<S>(order_, width);
    std::mt19937_64 random(1);
    std::generate(z_.values.begin(), z_.values.end(),
                  [&random] { return S(static_cast<RealOf<S>>(static_cast<double>(random() >> 11) * 0x1p-52 - 1)); });
    for (int round = 0; round < kRounds; ++round) {
      for (const bool adjoint : {true, false}) {
        system_.apply_inverse(adjoint, view_of(z_));
        reduction_ = eliminate_columns(z_);
      }
    }
  }

  // The number of directions in which solves grow by more than rounding of the factors alone would explain.
  [[nodiscard]] Index num_blown_up() const {
    static const double kLarge = 1 / std::sqrt(static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon()));
    return static_cast<Index>(
        std::count_if(reduction_.sizes.begin(), reduction_.sizes.end(), [](double size) { return size >= kLarge; }));
  }

  [[nodiscard]] HiddenVectors test() const {
    HiddenVectors best;
    Index most = std::max(num_blown_up(), std::min(Index{1}, static_cast<Index>(reduction_.sizes.size())));
    for (int tries = 0; tries < kMostTries && most > 0; ++tries) {
      const Index count = num_before_gap(reduction_.sizes, most);
      const HiddenVectors found = proved_by(errors_of_first(count));
      if (tries == 0 || found.test.num_proved > best.test.num_proved) {
        best = found;
      }
      if (best.test.num_proved >= count) {
        break;
      }
      most = count - 1;
    }
    return best;
  }

  // Refines the first directions together.
  [[nodiscard]] std::vector<double> errors_of_first(Index count) const {
    const auto anchors = std::span<const Index>(reduction_.anchors).first(static_cast<std::size_t>(count));
    return refine_reduced(system_, reduced_columns(z_, anchors, count), anchors);
  }

  [[nodiscard]] HiddenVectors proved_by(const std::vector<double>& errors) const {
    HiddenVectors found;
    for (std::size_t k = 0; k < errors.size(); ++k) {
      const bool is_proved = errors[k] <= kSingularTolerance<S>;
      found.test += {1, is_proved ? 1 : 0, is_proved ? errors[k] : 0};
      if (is_proved) {
        found.anchors.add(reduction_.anchors[k]);
      }
    }
    return found;
  }

  const ScaledSystem<S>& system_;
  Index order_;
  DenseMatrix<S> z_;
  Reduction reduction_;
};

}  // namespace

template <Scalar S>
HiddenVectors find_hidden_vectors(const ScaledSystem<S>& system, Count most_bytes, int num_threads) {
  return on_threads(num_threads, [&] {
    const Index room = num_refined_at_once<S>(system.matrix.pattern.num_cols, most_bytes);
    return HiddenVectorSearch<S>(system).run(std::min(room, static_cast<Index>(FewVariables::kMost)));
  });
}

#define FROND_INSTANTIATE(S) template HiddenVectors find_hidden_vectors(const ScaledSystem<S>&, Count, int);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
