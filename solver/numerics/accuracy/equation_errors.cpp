// SPDX-License-Identifier: BSD-3-Clause
// Counts entries, finds equations among rounding errors, and measures extreme equations with more exponents.
#include "solver/numerics/accuracy/equation_errors.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <vector>

#include "matrices/terms.hpp"
#include "solver/numerics/accuracy/wide_sum.hpp"
#include "solver/numerics/problem/finite.hpp"

namespace frond {
namespace {

// Rounding adds at most one unit for each entry, and a few for the right-hand side, the residual and the quotient.
constexpr double kUnitsBesideEntries = 4;

struct Equation {
  Index num_entries = 0;
  bool is_negligible = false;  // its right-hand side is 0, and all of its unknowns are rounding errors, or its residual is one
};

// The largest |x_j / scales_j|, without overflow or underflow.
template <Scalar S>
long double largest_scaled(std::span<const S> x, std::span<const RealOf<S>> scales) {
  long double largest = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    largest = std::max(largest, static_cast<long double>(std::abs(x[j])) / static_cast<long double>(scales[j]));
  }
  return largest;
}

// [j]: unknown j is a rounding error: no larger than its last correction, or so small that products with it leave the range of
// numbers, and no larger than the rounding of the largest unknowns, in the units of the system and in those in which unknowns are
// well scaled.
template <Scalar S>
std::vector<char> find_rounding_errors(const MeasuredEquations<S>& equations) {
  const std::span<const S> x = equations.x;
  const long double most = kComponentwiseAccuracy<S> * static_cast<long double>(largest_magnitude<S>(x));
  const bool has_scales = !equations.scales.empty();
  const long double most_scaled = has_scales ? kComponentwiseAccuracy<S> * largest_scaled<S>(x, equations.scales) : most;
  std::vector<char> are_errors(x.size(), 0);
  for (std::size_t j = 0; j < x.size(); ++j) {
    const long double size = std::abs(x[j]);
    const long double scale = has_scales ? equations.scales[j] : RealOf<S>(1);
    const RealOf<S> correction = equations.correction.empty() ? RealOf<S>(0) : std::abs(equations.correction[j]);
    const bool is_uncertain = size <= std::max(correction, kLeastEquationSize<RealOf<S>>);
    are_errors[j] = is_uncertain && size <= most && size <= most_scaled * scale ? 1 : 0;
  }
  return are_errors;
}

template <Scalar S>
std::vector<Equation> look_at_entries(const MeasuredEquations<S>& equations) {
  const std::vector<char> are_errors = find_rounding_errors(equations);
  std::vector<Equation> found(equations.b.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i].is_negligible = equations.b[i] == S(0);  // otherwise an unknown would have to be more than a rounding error
  }
  for_each_term_of(equations.matrix, equations.operation, [&](std::size_t to, std::size_t from, S a) {
    if (a != S(0)) {  // otherwise the unknown does not occur in this equation
      ++found[to].num_entries;
      found[to].is_negligible = found[to].is_negligible && are_errors[from] != 0;
    }
  });
  return found;
}

// b_i - (op(A) x)_i and (|op(A)| |x| + |b|)_i in a range that no product of two numbers exceeds.
struct ExtremeEquation {
  WideSum<long double> real;
  WideSum<long double> imaginary;
  long double size = 0;

  template <Scalar S>
  void subtract_product(S a, S x) {
    const auto product = [](auto one, auto other) {
      return WideSum<long double>::of_product(-static_cast<long double>(one), static_cast<long double>(other));
    };
    real += product(std::real(a), std::real(x));
    if constexpr (kIsComplex<S>) {
      real += product(-std::imag(a), std::imag(x));
      imaginary += product(std::real(a), std::imag(x));
      imaginary += product(std::imag(a), std::real(x));
    }
    size += static_cast<long double>(std::abs(a)) * static_cast<long double>(std::abs(x));
  }
  [[nodiscard]] long double residual() const { return std::hypot(real.rounded(), imaginary.rounded()); }
  template <Scalar S>
  [[nodiscard]] S residual_as() const {
    using R = RealOf<S>;
    if constexpr (kIsComplex<S>) {
      return {static_cast<R>(real.rounded()), static_cast<R>(imaginary.rounded())};
    } else {
      return static_cast<R>(real.rounded());
    }
  }
};

template <Scalar S>
class ExtremeEquations {
 public:
  explicit ExtremeEquations(const MeasuredEquations<S>& equations) : places_(equations.b.size(), kNone) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const RealOf<S> size = equations.products[i] + std::abs(equations.b[i]);
      if (!(size >= kLeastEquationSize<RealOf<S>> && std::isfinite(size) && is_finite(equations.residual[i]))) {
        places_[i] = list_.size();
        list_.push_back({{std::real(equations.b[i])}, {std::imag(equations.b[i])}, std::abs(equations.b[i])});
      }
    }
    if (list_.empty()) {
      return;
    }
    for_each_term_of(equations.matrix, equations.operation, [&](std::size_t to, std::size_t from, S a) {
      if (places_[to] != kNone) {
        list_[places_[to]].subtract_product(a, equations.x[from]);
      }
    });
  }

  /// Null if equation i is an ordinary one.
  [[nodiscard]] const ExtremeEquation* find(std::size_t i) const { return places_[i] == kNone ? nullptr : &list_[places_[i]]; }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> places_;  // [i]: the place of equation i in the list
  std::vector<ExtremeEquation> list_;
};

// Whether a residual is no more than what rounding to multiples of the smallest number leaves.
template <Scalar S>
bool is_from_underflow(const Equation& equation, long double residual) {
  constexpr long double kSmallest = std::numeric_limits<RealOf<S>>::denorm_min();
  return residual <= (static_cast<long double>(equation.num_entries) + kUnitsBesideEntries) * kSmallest;
}

// Counts an equation whose residual is `ratio` times its terms, which are `relative_size` of those of the whole system.
template <Scalar S>
void count_equation(const Equation& equation, double ratio, double relative_size, ColumnReport& report) {
  constexpr double kEps = std::numeric_limits<RealOf<S>>::epsilon();
  report.componentwise_backward_error = std::max(report.componentwise_backward_error, ratio);
  const double most = kEps * std::max(kComponentwiseUnits, static_cast<double>(equation.num_entries) + kUnitsBesideEntries);
  if (!equation.is_negligible || ratio == kInfinity) {
    report.improvable_backward_error = std::max(report.improvable_backward_error, ratio);
    report.num_missed_equations += ratio <= most ? 0 : 1;
  } else if (!(ratio <= most)) {
    ++report.num_negligible_equations;
    report.negligible_size = std::max(report.negligible_size, relative_size);
  }
}

}  // namespace

double error_ratio(long double residual, long double size) {
  if (residual == 0) {
    return 0;
  }
  const auto ratio = static_cast<double>(residual / size);
  return std::isfinite(ratio) && std::isfinite(size) ? ratio : kInfinity;
}

template <Scalar S>
long double measure_equations(const MeasuredEquations<S>& equations, long double whole, ColumnReport& report) {
  std::vector<Equation> found = look_at_entries(equations);
  const ExtremeEquations<S> extreme(equations);
  long double largest_residual = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    long double size = static_cast<long double>(equations.products[i]) + std::abs(equations.b[i]);
    long double residual = std::abs(equations.residual[i]);
    if (const ExtremeEquation* equation = extreme.find(i)) {
      size = equation->size;
      residual = equation->residual();
      equations.residual[i] = equation->template residual_as<S>();
    }
    largest_residual = std::max(largest_residual, residual);
    found[i].is_negligible = found[i].is_negligible || is_from_underflow<S>(found[i], residual);
    count_equation<S>(found[i], error_ratio(residual, size), error_ratio(size, whole), report);
  }
  return largest_residual;
}

#define FROND_INSTANTIATE(S) template long double measure_equations(const MeasuredEquations<S>&, long double, ColumnReport&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
