// SPDX-License-Identifier: BSD-3-Clause
// Refines null vectors, and compares A z with |A| |z|, equation by equation.
#include "solver/numerics/verdict/null_vectors.hpp"

#include <fmt/core.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <iterator>
#include <new>
#include <random>
#include <utility>

#include "factorization/scheduling/thread_arena.hpp"
#include "frond/error.hpp"
#include "frond/matrix.hpp"
#include "solver/numerics/accuracy/wide_sum.hpp"
#include "solver/numerics/problem/finite.hpp"
#include "solver/numerics/problem/rank_proof.hpp"
#include "solver/numerics/sweeps/solve.hpp"

namespace frond {
namespace {

constexpr int kMostCorrections = 10;
constexpr int kMostIdle = 3;

// From this correction on a nonzero component has settled: each correction leaves the factors' errors of the previous one.
constexpr int kFirstThatSettles = 2;

// A residual of this fraction of the terms of an equation does not come from rounding in larger terms of the same equation.
constexpr double kGrossFailure = 1e-3;

// A null vector may have few components: the time of a product is in proportion to the columns of these.
template <Scalar S>
class ColumnProduct {
 public:
  using R = RealOf<S>;

  // Multiplies with B = D_r A D_c, whose entries are those of A times powers of 2.
  explicit ColumnProduct(const ScaledSystem<S>& system) : whole_(expand_to_general(system.matrix)) {
    for (std::size_t j = 0; j < system.col_scaling.size(); ++j) {
      for (auto k = static_cast<std::size_t>(whole_.column_offsets[j]); k < static_cast<std::size_t>(whole_.column_offsets[j + 1]);
           ++k) {
        whole_.values[k] *= system.row_scaling[whole_.row_indices[k]];
        whole_.values[k] *= system.col_scaling[j];
      }
    }
  }

  // residual = -B z, accumulated in twice the working precision, and sizes = |B| |z|.
  void subtract(std::span<const S> z, std::span<S> residual, std::span<R> sizes) const {
    std::vector<S> low(z.size());
    std::fill(residual.begin(), residual.end(), S(0));
    std::fill(sizes.begin(), sizes.end(), R(0));
    if (__builtin_cpu_supports("fma") != 0) {
      add_columns_with_fma(z, residual, low, sizes);
    } else {
      add_columns(z, residual, low, sizes);
    }
    std::transform(residual.begin(), residual.end(), low.begin(), residual.begin(), [](S high, S rest) { return -(high + rest); });
  }

  // Calls visit(row, variable, entry) for all entries of columns where z is not zero.
  template <class Visit>
  [[gnu::always_inline]] inline void for_each_term(std::span<const S> z, const Visit& visit) const {
    const Count* offsets = whole_.column_offsets.data();
    for (std::size_t j = 0; j < z.size(); ++j) {
      if (z[j] == S(0)) {
        continue;
      }
      for (auto k = static_cast<std::size_t>(offsets[j]); k < static_cast<std::size_t>(offsets[j + 1]); ++k) {
        visit(static_cast<std::size_t>(whole_.row_indices[k]), j, whole_.values[k]);
      }
    }
  }

 private:
  [[gnu::always_inline]] inline void add_columns(std::span<const S> z, std::span<S> high, std::span<S> low,
                                                 std::span<R> sizes) const {
    for_each_term(z, [&](std::size_t row, std::size_t variable, S entry) {
      auto sum = WideNumber<S>::of_parts(high[row], low[row]);
      sum += WideNumber<S>::of_product(entry, z[variable]);
      high[row] = sum.high();
      low[row] = sum.low();
      sizes[row] += std::abs(entry) * std::abs(z[variable]);
    });
  }
  // As in SharedProduct.
  [[gnu::target("fma")]] void add_columns_with_fma(std::span<const S> z, std::span<S> high, std::span<S> low,
                                                   std::span<R> sizes) const {
    add_columns(z, high, low, sizes);
  }

  SparseMatrix<S> whole_;
};

// 0 / 0 = 0.
template <Scalar S>
double relative(S residual, RealOf<S> size) {
  const auto magnitude = static_cast<double>(std::abs(residual));
  return magnitude == 0 ? 0 : magnitude / static_cast<double>(size);
}

// The largest |B z| / |B| |z| over all equations. residual = -B z, sizes = |B| |z|.
template <Scalar S>
double measure(const ColumnProduct<S>& product, std::span<const S> z, std::span<S> residual, std::span<RealOf<S>> sizes) {
  if (std::all_of(z.begin(), z.end(), [](S value) { return value == S(0); })) {
    return kInfinity;
  }
  product.subtract(z, residual, sizes);
  double largest = 0;
  for (std::size_t i = 0; i < residual.size(); ++i) {
    if (!is_finite(residual[i]) || !std::isfinite(sizes[i])) {
      return kInfinity;
    }
    largest = std::max(largest, relative(residual[i], sizes[i]));
  }
  return largest;
}

// Most null vectors have components of similar size, and much smaller ones are noise: without these no correction is needed.
template <Scalar S>
void remove_noise(const std::vector<char>& stays, std::span<S> z) {
  constexpr RealOf<S> kNoise = 1000 * std::numeric_limits<RealOf<S>>::epsilon();
  const RealOf<S> largest = largest_magnitude<S>(z);
  for (std::size_t i = 0; i < z.size(); ++i) {
    z[i] = stays[i] != 0 || std::abs(z[i]) > kNoise * largest ? z[i] : S(0);
  }
}

// Up to kSolveBlock vectors during refinement; of B, so that no product overflows.
template <Scalar S>
class NullVectorBlock {
 public:
  using R = RealOf<S>;

  // `stays[i]`: whether component i is fixed in all columns, as for unknowns without a pivot. `anchors`, unless empty, are
  // components that the factors do not fix: column k is 1 at anchors[k], and 0 at the others.
  NullVectorBlock(const ScaledSystem<S>& system, const ColumnProduct<S>& product, DenseMatrix<S> z, const std::vector<char>& stays,
                  std::span<const Index> anchors = {})
      : system_(system),
        product_(product),
        z_(std::move(z)),
        stays_(stays),
        anchors_(anchors),
        residuals_(z_.num_rows, z_.num_cols),
        sizes_(z_.num_rows, z_.num_cols),
        is_zero_(z_.values.size(), 0),
        errors_(static_cast<std::size_t>(z_.num_cols), kInfinity),
        is_open_(errors_.size(), 1) {}

  // [column] = its error
  const std::vector<double>& run() {
    tbb::parallel_for(Index{0}, z_.num_cols, [this](Index k) { try_without_noise(k); });
    measure();
    for (int step = 1; step <= kMostCorrections && has_open(); ++step) {
      correct(step);
      measure();
    }
    return errors_;
  }

 private:
  [[nodiscard]] bool has_open() const {
    return std::any_of(is_open_.begin(), is_open_.end(), [](char open) { return open != 0; });
  }

  // Computes -A z, and the errors, of the open columns. A column that has not improved is not corrected any more.
  void measure() {
    tbb::parallel_for(Index{0}, z_.num_cols, [this](Index k) {
      const auto column = static_cast<std::size_t>(k);
      if (is_open_[column] == 0) {
        return;
      }
      const double error = measure_column(k);
      num_idle_[column] = error < errors_[column] / 2 || has_new_zeros_[column] != 0 ? 0 : num_idle_[column] + 1;
      errors_[column] = std::min(errors_[column], error);
      is_open_[column] = error > kSingularTolerance<S> && num_idle_[column] < kMostIdle ? 1 : 0;
    });
  }

  void try_without_noise(Index k) {
    const std::span<S> z = z_.column(k);
    const std::vector<S> original(z.begin(), z.end());
    remove_noise<S>(stays_, z);
    if (const double error = measure_column(k); error <= kSingularTolerance<S>) {
      errors_[k] = error;
      is_open_[k] = 0;
    } else {
      std::copy(original.begin(), original.end(), z.begin());
    }
  }

  double measure_column(Index k) {
    return frond::measure<S>(product_, std::as_const(z_).column(k), residuals_.column(k), sizes_.column(k));
  }

  void correct(int step) {
    std::vector<Index> open;
    for (Index k = 0; k < z_.num_cols; ++k) {
      if (is_open_[k] != 0) {
        open.push_back(k);
      }
    }
    DenseMatrix<S> changes(z_.num_rows, static_cast<Index>(open.size()));
    for (Index t = 0; t < changes.num_cols; ++t) {
      const std::span<const S> residual = std::as_const(residuals_).column(open[t]);
      std::copy(residual.begin(), residual.end(), changes.column(t).begin());
      ScaledSystem<S>::divide(system_.row_scaling, changes.column(t));
    }
    system_.solve({Operation::plain, view_of(changes)});
    tbb::parallel_for(Index{0}, changes.num_cols, [&](Index t) {
      ScaledSystem<S>::divide(system_.col_scaling, changes.column(t));
      remove_part_of_null_vectors(changes.column(t));
    });
    tbb::parallel_for(Index{0}, changes.num_cols, [&](Index t) { correct_column(open[t], changes.column(t), step); });
  }

  void correct_column(Index k, std::span<S> change, int step) {
    const std::span<S> z = z_.column(k);
    const std::vector<char> is_noise = step >= kFirstThatSettles ? noise_of(k) : std::vector<char>(z.size(), 0);
    has_new_zeros_[k] = 0;
    char* const is_zero = is_zero_.data() + static_cast<std::size_t>(k) * z.size();
    for (std::size_t i = 0; i < z.size(); ++i) {
      const bool is_unsettled = step >= kFirstThatSettles && 2 * std::abs(change[i]) >= std::abs(z[i]);
      if (stays_[i] == 0 && (is_noise[i] != 0 || is_unsettled)) {
        if (is_zero[i] == 0 && z[i] != S(0)) {
          has_new_zeros_[k] = 1;
        }
        is_zero[i] = 1;
      }
      z[i] = is_zero[i] != 0 ? S(0) : z[i] + change[i];
    }
  }

  // Finds components in grossly failing equations that are below rounding errors in all their other equations: there they
  // compensate the rounding of larger ones, and stand for zeros.
  [[nodiscard]] std::vector<char> noise_of(Index k) const {
    const std::span<const S> z = z_.column(k);
    const std::span<const S> residual = residuals_.column(k);
    const std::span<const R> sizes = sizes_.column(k);
    std::vector<char> fails(z.size());
    for (std::size_t i = 0; i < z.size(); ++i) {
      fails[i] = relative(residual[i], sizes[i]) > kGrossFailure ? 1 : 0;
    }
    std::vector<char> is_met(z.size(), 0);  // occurs in a failing equation
    std::vector<char> counts(z.size(), 0);  // matters in another equation
    product_.for_each_term(z, [&](std::size_t row, std::size_t variable, S value) {
      if (fails[row] != 0) {
        is_met[variable] = 1;
      } else if (static_cast<double>(std::abs(value) * std::abs(z[variable])) >
                 kSingularTolerance<S> / 2 * static_cast<double>(sizes[row])) {
        counts[variable] = 1;
      }
    });
    std::transform(is_met.begin(), is_met.end(), counts.begin(), is_met.begin(),
                   [](char met, char count) { return met != 0 && count == 0 ? 1 : 0; });
    return is_met;
  }

  // The factors amplify the null vectors themselves, so their components are removed from changes.
  void remove_part_of_null_vectors(std::span<S> change) const {
    for (std::size_t k = 0; k < anchors_.size(); ++k) {
      const S part = change[anchors_[k]];
      const std::span<const S> z = z_.column(static_cast<Index>(k));
      std::transform(change.begin(), change.end(), z.begin(), change.begin(),
                     [part](S value, S entry) { return value - part * entry; });
    }
  }

  const ScaledSystem<S>& system_;
  const ColumnProduct<S>& product_;
  DenseMatrix<S> z_;
  const std::vector<char>& stays_;
  std::span<const Index> anchors_;
  DenseMatrix<S> residuals_;  // -A Z
  DenseMatrix<R> sizes_;      // |A| |Z|
  std::vector<char> is_zero_;
  std::vector<double> errors_;  // [column], the smallest so far
  std::vector<char> is_open_;
  std::vector<char> has_new_zeros_ = std::vector<char>(errors_.size(), 0);  // by the last correction
  std::vector<int> num_idle_ = std::vector<int>(errors_.size(), 0);         // successive corrections without improvement
};

// All null pivots, or a sample of kMostTestedVectors.
std::vector<Index> tested_pivots(std::span<const Index> null_pivots) {
  std::vector<Index> tested;
  std::mt19937_64 random(1);
  std::sample(null_pivots.begin(), null_pivots.end(), std::back_inserter(tested), kMostTestedVectors, random);
  return tested;
}

template <Scalar S>
DenseMatrix<S> vectors_of(const ScaledSystem<S>& system, std::span<const Index> null_pivots) {
  DenseMatrix<S> z(system.matrix.pattern.num_cols, static_cast<Index>(null_pivots.size()));
  for (Index k = 0; k < z.num_cols; ++k) {
    z(null_pivots[k], k) = S(1);
  }
  system.solve({Operation::plain, view_of(z), SweepPart::second});
  for (Index k = 0; k < z.num_cols; ++k) {
    ScaledSystem<S>::divide(system.col_scaling, z.column(k));
  }
  return z;
}

// The memory of a vector during refinement, with its residual, sizes, changes and marks; and before, in a solve.
template <Scalar S>
constexpr std::size_t kBytesOfRefined = 6 * sizeof(S) + 2 * sizeof(RealOf<S>);
template <Scalar S>
constexpr std::size_t kBytesOfSolved = 3 * sizeof(S);

std::size_t block_width(std::size_t order, std::size_t bytes_of_component, Count most_bytes) {
  const auto bytes_of_vector = static_cast<Count>(order * bytes_of_component);
  return static_cast<std::size_t>(std::clamp(most_bytes / std::max(bytes_of_vector, Count{1}), Count{1}, Count{kSolveBlock}));
}

// Adds the vectors that need no refinement to `test`; returns the pivots of all others.
template <Scalar S>
std::vector<Index> test_without_noise(const ColumnProduct<S>& product, const std::vector<char>& stays,
                                      std::span<const Index> null_pivots, DenseMatrix<S> z, NullVectorTest& test) {
  constexpr Index kColumnsOfTask = 4;
  std::vector<double> errors(null_pivots.size());
  tbb::parallel_for(tbb::blocked_range<Index>(0, z.num_cols, kColumnsOfTask), [&](const tbb::blocked_range<Index>& range) {
    std::vector<S> residual(stays.size());
    std::vector<RealOf<S>> sizes(stays.size());
    for (Index k = range.begin(); k < range.end(); ++k) {
      remove_noise<S>(stays, z.column(k));
      errors[k] = measure<S>(product, std::as_const(z).column(k), residual, sizes);
    }
  });
  std::vector<Index> others;
  for (std::size_t k = 0; k < errors.size(); ++k) {
    if (errors[k] <= kSingularTolerance<S>) {
      test += {1, 1, errors[k]};
    } else {
      others.push_back(null_pivots[k]);
    }
  }
  return others;
}

// Calls visit() on blocks of that width.
template <class Visit>
void for_each_block(std::span<const Index> pivots, std::size_t width, const Visit& visit) {
  for (std::size_t begin = 0; begin < pivots.size(); begin += width) {
    visit(pivots.subspan(begin, std::min(width, pivots.size() - begin)));
  }
}

// Calls work(), which needs the memory of a block of vectors.
template <class Work>
NullVectorTest within_memory(Index order, int num_threads, const Work& work) {
  try {
    return on_threads(num_threads, work);
  } catch (const std::bad_alloc&) {
    throw MemoryError(fmt::format("no memory to test null vectors, {} of {} entries at a time: free some memory, or raise the "
                                  "limit of the process",
                                  kSolveBlock, order),
                      0, 0);
  }
}

template <Scalar S>
NullVectorTest count_proved(const std::vector<double>& errors) {
  NullVectorTest test;
  for (const double error : errors) {
    const bool is_proved = error <= kSingularTolerance<S>;
    test += {1, is_proved ? 1 : 0, is_proved ? error : 0};
  }
  return test;
}

}  // namespace

NullVectorTest& NullVectorTest::operator+=(const NullVectorTest& other) {
  num_tested += other.num_tested;
  num_proved += other.num_proved;
  worst_proved = std::max(worst_proved, other.worst_proved);
  is_sample = is_sample || other.is_sample;
  return *this;
}

template <Scalar S>
Index num_refined_at_once(Index order, Count most_bytes) {
  return static_cast<Index>(block_width(static_cast<std::size_t>(order), kBytesOfRefined<S>, most_bytes));
}

template <Scalar S>
NullVectorTest test_null_pivots(const ScaledSystem<S>& system, std::span<const Index> null_pivots, Count most_bytes,
                                int num_threads) {
  return within_memory(system.matrix.pattern.num_cols, num_threads, [&] {
    const std::vector<Index> tested = tested_pivots(null_pivots);
    const ColumnProduct<S> product(system);
    const std::vector<char> stays = system.find_unknowns_without_pivot();
    NullVectorTest all;
    all.is_sample = tested.size() < null_pivots.size();
    std::vector<Index> others;
    for_each_block(tested, block_width(system.order(), kBytesOfSolved<S>, most_bytes), [&](std::span<const Index> block) {
      const std::vector<Index> left = test_without_noise(product, stays, block, vectors_of(system, block), all);
      others.insert(others.end(), left.begin(), left.end());
    });
    for_each_block(others, block_width(system.order(), kBytesOfRefined<S>, most_bytes), [&](std::span<const Index> block) {
      all += count_proved<S>(NullVectorBlock<S>(system, product, vectors_of(system, block), stays).run());
    });
    return all;
  });
}

template <Scalar S>
std::vector<double> refine_reduced(const ScaledSystem<S>& system, DenseMatrix<S> z, std::span<const Index> anchors) {
  std::vector<char> stays(system.order(), 0);
  for (const Index anchor : anchors) {
    stays[anchor] = 1;
  }
  const ColumnProduct<S> product(system);
  return NullVectorBlock<S>(system, product, std::move(z), stays, anchors).run();
}

#define FROND_INSTANTIATE(S)                                                                            \
  template NullVectorTest test_null_pivots(const ScaledSystem<S>&, std::span<const Index>, Count, int); \
  template Index num_refined_at_once<S>(Index, Count);                                                  \
  template std::vector<double> refine_reduced(const ScaledSystem<S>&, DenseMatrix<S>, std::span<const Index>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
