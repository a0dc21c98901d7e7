// SPDX-License-Identifier: BSD-3-Clause
// Parts of about as many entries, and the terms between them.
#include "solver/shared_product.hpp"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "matrices/error.hpp"
#include "matrices/product_terms.hpp"

namespace frond {
namespace {

constexpr std::size_t kMostParts = 16;
constexpr std::size_t kEntriesPerPart = 8192;  // at least: some 10 us

}  // namespace

template <Scalar S>
SharedProduct<S>::SharedProduct(const MatrixView<S>& matrix, Operation operation) : matrix_(matrix), operation_(operation) {
  if (matrix.pattern.num_rows != matrix.pattern.num_cols) {
    throw UsageError(fmt::format("products are shared among threads with square matrices, but this one is {} by {}",
                                 matrix.pattern.num_rows, matrix.pattern.num_cols));
  }
  part_begins_ = cut(std::clamp(matrix.values.size() / kEntriesPerPart, std::size_t{1}, kMostParts));
  if (!has_few_far_terms()) {
    part_begins_ = cut(1);
  }
  list_far_terms();
}

// Boundaries between columns, so that parts have about the same number of entries.
template <Scalar S>
std::vector<Index> SharedProduct<S>::cut(std::size_t num_parts) const {
  const PatternView& pattern = matrix_.pattern;
  std::vector<Index> begins(num_parts + 1, 0);
  for (std::size_t part = 1; part < num_parts; ++part) {
    const auto first_entry = static_cast<Count>(matrix_.values.size() / num_parts * part);
    const auto column = std::lower_bound(pattern.column_offsets.begin(), pattern.column_offsets.end(), first_entry);
    begins[part] = static_cast<Index>(column - pattern.column_offsets.begin());
  }
  begins[num_parts] = pattern.num_cols;
  return begins;
}

template <Scalar S>
std::size_t SharedProduct<S>::part_of(std::size_t row) const {
  const auto next = std::upper_bound(part_begins_.begin(), part_begins_.end(), static_cast<Index>(row));
  return static_cast<std::size_t>(next - part_begins_.begin()) - 1;
}

template <Scalar S>
bool SharedProduct<S>::is_within(std::size_t part, std::size_t row) const {
  return row >= static_cast<std::size_t>(part_begins_[part]) && row < static_cast<std::size_t>(part_begins_[part + 1]);
}

// Of all parts, by all threads.
template <Scalar S>
template <class Visit>
void SharedProduct<S>::for_each_part(const Visit& visit) const {
  tbb::parallel_for(std::size_t{0}, num_parts(), visit);
}

// Of the columns of this part to rows of others.
template <Scalar S>
template <class Visit>
void SharedProduct<S>::for_each_far_term(std::size_t part, const Visit& visit) const {
  for_each_term_of(matrix_, {part_begins_[part], part_begins_[part + 1]}, operation_,
                   [&](std::size_t to, std::size_t from, S value) {
                     if (!is_within(part, to)) {
                       visit(to, from, value);
                     }
                   });
}

template <Scalar S>
bool SharedProduct<S>::has_few_far_terms() const {
  std::vector<std::size_t> num_far(num_parts(), 0);
  for_each_part([&](std::size_t part) {
    std::size_t count = 0;
    for_each_far_term(part, [&](std::size_t, std::size_t, S) { ++count; });
    num_far[part] = count;
  });
  return std::accumulate(num_far.begin(), num_far.end(), std::size_t{0}) <= matrix_.values.size() / 2;
}

template <Scalar S>
void SharedProduct<S>::list_far_terms() {
  far_terms_.resize(num_parts() * num_parts());
  for_each_part([&](std::size_t part) {
    for_each_far_term(part, [&](std::size_t to, std::size_t from, S value) {
      far_terms_[part * num_parts() + part_of(to)].push_back({static_cast<Index>(to), static_cast<Index>(from), value});
    });
  });
}

// Calls add(to, from, a) for all terms y_to += a x_from of the rows of this part.
template <Scalar S>
template <class Add>
void SharedProduct<S>::for_each_term_to(std::size_t part, const Add& add) const {
  for_each_term_of(matrix_, {part_begins_[part], part_begins_[part + 1]}, operation_,
                   [&](std::size_t to, std::size_t from, S value) {
                     if (is_within(part, to)) {
                       add(to, from, value);
                     }
                   });
  for (std::size_t other = 0; other < num_parts(); ++other) {
    for (const Term& term : far_terms_[other * num_parts() + part]) {
      add(static_cast<std::size_t>(term.to), static_cast<std::size_t>(term.from), term.value);
    }
  }
}

template <Scalar S>
void SharedProduct<S>::multiply(std::span<const S> x, std::span<S> y, std::span<R> magnitudes) const {
  for_each_part([&](std::size_t part) {
    std::fill(y.begin() + part_begins_[part], y.begin() + part_begins_[part + 1], S(0));
    std::fill(magnitudes.begin() + part_begins_[part], magnitudes.begin() + part_begins_[part + 1], R(0));
    for_each_term_to(part, [&](std::size_t to, std::size_t from, S value) {
      y[to] += value * x[from];
      magnitudes[to] += std::abs(value) * std::abs(x[from]);
    });
  });
}

template <Scalar S>
void SharedProduct<S>::multiply_magnitudes(std::span<const R> x, std::span<R> y) const {
  for_each_part([&](std::size_t part) {
    std::fill(y.begin() + part_begins_[part], y.begin() + part_begins_[part + 1], R(0));
    for_each_term_to(part, [&](std::size_t to, std::size_t from, S value) { y[to] += std::abs(value) * x[from]; });
  });
}

template class SharedProduct<float>;
template class SharedProduct<double>;
template class SharedProduct<std::complex<float>>;
template class SharedProduct<std::complex<double>>;

}  // namespace frond
