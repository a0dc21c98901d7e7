// SPDX-License-Identifier: BSD-3-Clause
// Implements flexible GMRES with modified Gram-Schmidt and Givens rotations.
#include "solver/numerics/accuracy/krylov_course.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "solver/numerics/accuracy/refinement_course.hpp"

namespace frond {
namespace {

constexpr std::size_t kMostDirections = 20;  // of a cycle, which stores two vectors for each
constexpr double kInnerTolerance = 1e-4;     // reduction of the residual by a cycle; the next one starts from the true residual

template <Scalar S>
double norm_of(std::span<const S> x) {
  double largest = 0;
  for (const S& value : x) {
    largest = std::max(largest, static_cast<double>(std::abs(value)));
  }
  if (largest == 0 || !std::isfinite(largest)) {
    return largest;
  }
  double sum = 0;
  for (const S& value : x) {
    const double ratio = static_cast<double>(std::abs(value)) / largest;
    sum += ratio * ratio;
  }
  return largest * std::sqrt(sum);
}

template <Scalar S>
S dot(std::span<const S> x, std::span<const S> y) {
  S sum(0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += conjugate(x[i]) * y[i];
  }
  return sum;
}

template <Scalar S>
void add_multiple(S factor, std::span<const S> x, std::span<S> y) {
  std::transform(x.begin(), x.end(), y.begin(), y.begin(), [factor](S a, S b) { return b + factor * a; });
}

}  // namespace

template <Scalar S>
bool wants_krylov(const ColumnReport& report, const RefinementOptions& options) {
  return options.max_krylov_steps > 0 && std::isfinite(report.componentwise_backward_error) && is_inaccurate<S>(report);
}

template <Scalar S>
void KrylovCourse<S>::take(const ColumnReport& measured) {
  if (expands_) {
    expand();
  } else {
    judge(measured);
  }
}

// The candidate is x or its correction.
template <Scalar S>
void KrylovCourse<S>::judge(const ColumnReport& measured) {
  const double error = refinement_error<S>(measured, this->options_);
  this->keep_if_better(measured, this->report_.refinement_steps, num_steps_);
  for (std::size_t i = 0; i < this->residual_.size(); ++i) {
    this->residual_[i] /= size_of_equation(i);
  }
  const double norm = norm_of<S>(this->residual_);
  const bool has_halved = error <= last_error_ / 2 || norm <= last_norm_ / 2;
  last_error_ = error;
  last_norm_ = norm;
  const bool has_ended =
      error <= 1 || !has_halved || num_steps_ >= this->options_.max_krylov_steps || !(norm > 0) || !std::isfinite(norm);
  if (has_ended) {
    this->end();
  } else {
    begin_cycle(norm);
  }
}

// Starts from the residual of the candidate, divided by the sizes of the equations.
template <Scalar S>
void KrylovCourse<S>::begin_cycle(double norm) {
  iterate_ = this->work_;
  first_norm_ = norm;
  basis_.assign(1, this->residual_);
  for (S& value : basis_.front()) {
    value /= static_cast<R>(first_norm_);
  }
  directions_.clear();
  triangle_.clear();
  cosines_.clear();
  sines_.clear();
  right_.assign(1, S(static_cast<R>(first_norm_)));
  expands_ = true;
  for (std::size_t i = 0; i < this->work_.size(); ++i) {
    this->work_[i] = basis_.back()[i] * size_of_equation(i);
  }
}

// The candidate is the factors' result for the last basis vector, and the residual minus its product with the matrix.
template <Scalar S>
void KrylovCourse<S>::expand() {
  ++num_steps_;
  directions_.push_back(this->work_);
  std::vector<S> next(this->residual_.size());
  for (std::size_t i = 0; i < next.size(); ++i) {
    next[i] = -this->residual_[i] / size_of_equation(i);
  }
  std::vector<S> column;
  for (const std::vector<S>& vector : basis_) {
    column.push_back(dot<S>(vector, next));
    add_multiple<S>(-column.back(), vector, next);
  }
  const double norm = norm_of<S>(next);
  for (std::size_t k = 0; k < cosines_.size(); ++k) {
    const S above = column[k];
    column[k] = cosines_[k] * above + sines_[k] * column[k + 1];
    column[k + 1] = -conjugate(sines_[k]) * above + cosines_[k] * column[k + 1];
  }
  // The rotation that maps (a, norm) to (r, 0).
  const S a = column.back();
  const double hypotenuse = std::hypot(static_cast<double>(std::abs(a)), norm);
  if (!(hypotenuse > 0) || !std::isfinite(hypotenuse)) {  // the factors map this vector to zero, or overflow
    directions_.pop_back();
    end_cycle();
    return;
  }
  const S phase = std::abs(a) > 0 ? a / static_cast<R>(std::abs(a)) : S(1);
  cosines_.push_back(static_cast<R>(static_cast<double>(std::abs(a)) / hypotenuse));
  sines_.push_back(phase * static_cast<R>(norm / hypotenuse));
  column.back() = phase * static_cast<R>(hypotenuse);
  triangle_.push_back(std::move(column));
  right_.push_back(-conjugate(sines_.back()) * right_.back());
  right_[right_.size() - 2] *= cosines_.back();
  const bool is_enough = static_cast<double>(std::abs(right_.back())) <= kInnerTolerance * first_norm_;
  if (is_enough || directions_.size() == kMostDirections || num_steps_ >= this->options_.max_krylov_steps) {
    end_cycle();
    return;
  }
  for (S& value : next) {
    value /= static_cast<R>(norm);
  }
  basis_.push_back(std::move(next));
  for (std::size_t i = 0; i < this->work_.size(); ++i) {
    this->work_[i] = basis_.back()[i] * size_of_equation(i);
  }
}

// The candidate becomes the iterate plus the combination of directions that minimizes the residual.
template <Scalar S>
void KrylovCourse<S>::end_cycle() {
  std::vector<S> weights(right_.begin(), right_.begin() + static_cast<std::ptrdiff_t>(directions_.size()));
  for (std::size_t k = weights.size(); k-- > 0;) {
    weights[k] /= triangle_[k][k];
    for (std::size_t i = 0; i < k; ++i) {
      weights[i] -= triangle_[k][i] * weights[k];
    }
  }
  change_.assign(iterate_.size(), S(0));
  for (std::size_t k = 0; k < weights.size(); ++k) {
    add_multiple<S>(weights[k], directions_[k], change_);
  }
  std::transform(iterate_.begin(), iterate_.end(), change_.begin(), this->work_.begin(), std::plus<>());
  expands_ = false;
}

#define FROND_INSTANTIATE(S)                                                    \
  template bool wants_krylov<S>(const ColumnReport&, const RefinementOptions&); \
  template class KrylovCourse<S>;
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
