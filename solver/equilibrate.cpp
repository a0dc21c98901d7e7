// SPDX-License-Identifier: BSD-3-Clause
// Ruiz's iteration, in double whatever the scalar.
#include "solver/equilibrate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace frond {
namespace {

// The largest magnitudes of D_r |A| D_c by rows and by columns.
struct Maxima {
  std::vector<double> rows;
  std::vector<double> cols;
};

template <Scalar S>
class Equilibrator {
 public:
  explicit Equilibrator(const MatrixView<S>& matrix)
      : matrix_(matrix),
        is_general_(matrix.pattern.symmetry == Symmetry::general),
        rows_(static_cast<std::size_t>(matrix.pattern.num_rows), 1.0),
        cols_(static_cast<std::size_t>(matrix.pattern.num_cols), 1.0) {
    if (!is_general_) {
      start_from_diagonal();
    }
  }

  // Returns the number of sweeps.
  int run(const EquilibrationOptions& options) {
    for (int sweep = 0; sweep < options.max_sweeps; ++sweep) {
      const Maxima maxima = measure();
      if (spread(maxima.rows) <= options.tolerance && spread(maxima.cols) <= options.tolerance) {
        return sweep;
      }
      divide(maxima.rows, rows_);
      divide(maxima.cols, cols_);
    }
    return options.max_sweeps;
  }

  [[nodiscard]] const std::vector<double>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<double>& cols() const { return cols_; }

 private:
  // Many scalings bring all maxima of a symmetric matrix to one, and the sweeps come to one near the start. Here diagonal entries
  // are made one first, then the maxima of the rows without any: in a saddle point problem the diagonals of the first block stay as
  // large as they can, and its pivots pass their tests.
  void start_from_diagonal() {
    const std::vector<double> diagonal = diagonal_magnitudes();
    divide(diagonal, rows_);
    cols_ = rows_;
    Maxima maxima = measure();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      maxima.rows[i] = diagonal[i] > 0 ? 1 : maxima.rows[i] * maxima.rows[i];  // the other factor of these entries is final
    }
    divide(maxima.rows, rows_);
    cols_ = rows_;
  }

  [[nodiscard]] std::vector<double> diagonal_magnitudes() const {
    std::vector<double> diagonal(rows_.size());
    const PatternView& pattern = matrix_.pattern;
    for (std::size_t j = 0; j < cols_.size(); ++j) {
      for (auto k = static_cast<std::size_t>(pattern.column_offsets[j]);
           k < static_cast<std::size_t>(pattern.column_offsets[j + 1]); ++k) {
        if (static_cast<std::size_t>(pattern.row_indices[k]) == j) {
          diagonal[j] = static_cast<double>(std::abs(matrix_.values[k]));
        }
      }
    }
    return diagonal;
  }

  [[nodiscard]] Maxima measure() const {
    Maxima maxima{std::vector<double>(rows_.size()), std::vector<double>(cols_.size())};
    const PatternView& pattern = matrix_.pattern;
    for (std::size_t j = 0; j < cols_.size(); ++j) {
      for (auto k = static_cast<std::size_t>(pattern.column_offsets[j]);
           k < static_cast<std::size_t>(pattern.column_offsets[j + 1]); ++k) {
        const auto i = static_cast<std::size_t>(pattern.row_indices[k]);
        const double magnitude = static_cast<double>(std::abs(matrix_.values[k])) * rows_[i] * cols_[j];
        maxima.rows[i] = std::max(maxima.rows[i], magnitude);
        maxima.cols[j] = std::max(maxima.cols[j], magnitude);
      }
    }
    if (!is_general_) {  // the other triangle: row i is column i
      std::transform(maxima.rows.begin(), maxima.rows.end(), maxima.cols.begin(), maxima.rows.begin(),
                     [](double a, double b) { return std::max(a, b); });
      maxima.cols = maxima.rows;
    }
    return maxima;
  }

  static double spread(const std::vector<double>& maxima) {
    double largest = 0;
    for (const double maximum : maxima) {
      largest = maximum > 0 ? std::max(largest, std::abs(maximum - 1)) : largest;
    }
    return largest;
  }

  static void divide(const std::vector<double>& maxima, std::vector<double>& scales) {
    const double limit = std::ldexp(1.0, std::numeric_limits<RealOf<S>>::max_exponent / 2 - 8);
    for (std::size_t i = 0; i < scales.size(); ++i) {
      if (maxima[i] > 0) {
        scales[i] = std::clamp(scales[i] / std::sqrt(maxima[i]), 1 / limit, limit);
      }
    }
  }

  const MatrixView<S>& matrix_;
  bool is_general_;
  std::vector<double> rows_;
  std::vector<double> cols_;
};

template <class R>
std::vector<R> rounded_to_powers_of_two(const std::vector<double>& scales) {
  std::vector<R> rounded(scales.size());
  std::transform(scales.begin(), scales.end(), rounded.begin(),
                 [](double scale) { return static_cast<R>(std::ldexp(1.0, static_cast<int>(std::lround(std::log2(scale))))); });
  return rounded;
}

}  // namespace

template <Scalar S>
Scaling<RealOf<S>> equilibrate(const MatrixView<S>& matrix, const EquilibrationOptions& options) {
  using R = RealOf<S>;
  Scaling<R> scaling;
  if (!options.enabled) {
    return scaling;
  }
  Equilibrator<S> equilibrator(matrix);
  scaling.num_sweeps = equilibrator.run(options);
  scaling.rows = rounded_to_powers_of_two<R>(equilibrator.rows());
  scaling.cols = rounded_to_powers_of_two<R>(equilibrator.cols());
  const auto is_one = [](R scale) { return scale == R(1); };
  if (std::all_of(scaling.rows.begin(), scaling.rows.end(), is_one) &&
      std::all_of(scaling.cols.begin(), scaling.cols.end(), is_one)) {
    scaling.rows.clear();
    scaling.cols.clear();
  }
  return scaling;
}

template <Scalar S>
std::vector<double> magnitudes_for_pivots(const MatrixView<S>& matrix, Method method, const SolverOptions& options) {
  const OrderingOptions& ordering = options.analysis.ordering;
  std::vector<double> magnitudes;
  if (method == Method::cholesky || ordering.matching == MatchingUse::never || ordering.kind == OrderingKind::given ||
      ordering.kind == OrderingKind::natural) {
    return magnitudes;
  }
  const Scaling<RealOf<S>> scaling = equilibrate(matrix, options.equilibration);
  const PatternView& pattern = matrix.pattern;
  magnitudes.resize(matrix.values.size());
  for (std::size_t j = 0; j < static_cast<std::size_t>(pattern.num_cols); ++j) {
    for (auto k = static_cast<std::size_t>(pattern.column_offsets[j]); k < static_cast<std::size_t>(pattern.column_offsets[j + 1]);
         ++k) {
      magnitudes[k] = static_cast<double>(std::abs(matrix.values[k]));
      if (!scaling.rows.empty()) {
        const auto i = static_cast<std::size_t>(pattern.row_indices[k]);
        magnitudes[k] *= static_cast<double>(scaling.rows[i]) * static_cast<double>(scaling.cols[j]);
      }
    }
  }
  return magnitudes;
}

template Scaling<float> equilibrate(const MatrixView<float>&, const EquilibrationOptions&);
template Scaling<double> equilibrate(const MatrixView<double>&, const EquilibrationOptions&);
template Scaling<float> equilibrate(const MatrixView<std::complex<float>>&, const EquilibrationOptions&);
template Scaling<double> equilibrate(const MatrixView<std::complex<double>>&, const EquilibrationOptions&);
template std::vector<double> magnitudes_for_pivots(const MatrixView<float>&, Method, const SolverOptions&);
template std::vector<double> magnitudes_for_pivots(const MatrixView<double>&, Method, const SolverOptions&);
template std::vector<double> magnitudes_for_pivots(const MatrixView<std::complex<float>>&, Method, const SolverOptions&);
template std::vector<double> magnitudes_for_pivots(const MatrixView<std::complex<double>>&, Method, const SolverOptions&);

}  // namespace frond
