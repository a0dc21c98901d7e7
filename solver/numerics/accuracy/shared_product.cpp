// SPDX-License-Identifier: BSD-3-Clause
// Divides the matrix into parts with about the same number of entries, and lists the terms between them.
#include "solver/numerics/accuracy/shared_product.hpp"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "frond/error.hpp"
#include "matrices/modulus.hpp"
#include "solver/numerics/accuracy/wide_sum.hpp"

namespace frond {
namespace {

constexpr std::size_t kMostParts = 16;
constexpr std::size_t kEntriesPerPart = 8192;  // minimum: about 10 us
constexpr Index kColumnsAtOnce = 256;

// Whether some of the rows are not in [begin, end). The loop has no early exit, so that it compares many rows at once.
bool any_outside(const Index* rows, Count count, Index begin, Index end) {
  Index num_outside = 0;
  for (Count k = 0; k < count; ++k) {
    num_outside |= rows[k] < begin || rows[k] >= end ? 1 : 0;
  }
  return num_outside != 0;
}

// y += a x and magnitudes += |a| |x|.
template <Scalar S>
struct ProductSink {
  static constexpr bool kIsWide = true;

  struct Sum {
    WideNumber<S> product;
    RealOf<S> magnitude;
    void operator+=(const Sum& other) {
      product += other.product;
      magnitude += other.magnitude;
    }
  };
  struct Factor {
    S value;
    RealOf<S> magnitude;
  };
  const S* x;
  S* high;
  S* low;
  RealOf<S>* magnitudes;

  void clear(Index begin, Index end) const {
    std::fill(high + begin, high + end, S(0));
    std::fill(low + begin, low + end, S(0));
    std::fill(magnitudes + begin, magnitudes + end, RealOf<S>(0));
  }
  [[nodiscard]] Factor factor(Index from) const { return {x[from], modulus(x[from])}; }
  [[nodiscard]] Sum term(S a, const Factor& factor) const {
    return {WideNumber<S>::of_product(a, factor.value), modulus(a) * factor.magnitude};
  }
  void add(const Sum& sum, Index to) const {
    auto total = WideNumber<S>::of_parts(high[to], low[to]);
    total += sum.product;
    high[to] = total.high();
    low[to] = total.low();
    magnitudes[to] += sum.magnitude;
  }
};

// sums += |a|.
template <Scalar S>
struct SumSink {
  static constexpr bool kIsWide = false;
  using Sum = RealOf<S>;
  struct Factor {};
  RealOf<S>* sums;

  void clear(Index begin, Index end) const { std::fill(sums + begin, sums + end, Sum(0)); }
  [[nodiscard]] Factor factor(Index) const { return {}; }
  [[nodiscard]] Sum term(S a, Factor) const { return modulus(a); }
  void add(Sum sum, Index to) const { sums[to] += sum; }
};

// plain += |a| and scaled += |a| scale.
template <Scalar S>
struct ScaledSumSink {
  static constexpr bool kIsWide = false;
  using R = RealOf<S>;
  struct Sum {
    R plain;
    R scaled;
    void operator+=(const Sum& other) {
      plain += other.plain;
      scaled += other.scaled;
    }
  };
  const R* scales;
  R* plain;
  R* scaled;

  void clear(Index begin, Index end) const {
    std::fill(plain + begin, plain + end, R(0));
    std::fill(scaled + begin, scaled + end, R(0));
  }
  [[nodiscard]] R factor(Index from) const { return scales[from]; }
  [[nodiscard]] Sum term(S a, R scale) const {
    const R magnitude = modulus(a);
    return {magnitude, magnitude * scale};
  }
  void add(const Sum& sum, Index to) const {
    plain[to] += sum.plain;
    scaled[to] += sum.scaled;
  }
};

}  // namespace

// In a symmetric matrix an entry outside the diagonal gives two terms: its own, and that of its mirror image. Which of them goes to
// the entry's own row depends on the operation.
template <Scalar S>
SharedProduct<S>::Terms::Terms(Symmetry symmetry, Operation operation) {
  const bool is_transposed = operation != Operation::plain;
  const bool image_is_conjugate = (symmetry == Symmetry::hermitian) != (operation == Operation::adjoint);
  const bool is_skew = symmetry == Symmetry::skew_symmetric;  // the image has the opposite sign
  go_to_rows_ = !is_transposed || symmetry != Symmetry::general;
  go_to_columns_ = is_transposed || symmetry != Symmetry::general;
  direct_is_conjugate_ = operation == Operation::adjoint;
  row_is_conjugate_ = is_transposed ? image_is_conjugate : direct_is_conjugate_;
  column_is_conjugate_ = is_transposed ? direct_is_conjugate_ : image_is_conjugate;
  row_is_negated_ = is_transposed && is_skew;
  column_is_negated_ = !is_transposed && is_skew;
}

template <Scalar S>
SharedProduct<S>::SharedProduct(const MatrixView<S>& matrix, Operation operation)
    : matrix_(matrix), terms_(matrix.pattern.symmetry, operation) {
  if (matrix.pattern.num_rows != matrix.pattern.num_cols) {
    throw UsageError(fmt::format("products are shared among threads with square matrices, but this one is {} by {}",
                                 matrix.pattern.num_rows, matrix.pattern.num_cols));
  }
  part_begins_ = cut(std::clamp(matrix.values.size() / kEntriesPerPart, std::size_t{1}, kMostParts));
  list_far_terms();
}

// Chooses boundaries between columns, so that parts have about the same number of entries.
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
std::size_t SharedProduct<S>::part_of(Index row) const {
  const auto next = std::upper_bound(part_begins_.begin(), part_begins_.end(), row);
  return static_cast<std::size_t>(next - part_begins_.begin()) - 1;
}

template <Scalar S>
void SharedProduct<S>::check_length(std::size_t length) const {
  if (length != static_cast<std::size_t>(matrix_.pattern.num_rows)) {
    throw UsageError(fmt::format("a vector of length {} beside a matrix of order {}", length, matrix_.pattern.num_rows));
  }
}

// Visits all parts, on all threads.
template <Scalar S>
template <class Visit>
void SharedProduct<S>::for_each_part(const Visit& visit) const {
  tbb::parallel_for(std::size_t{0}, num_parts(), visit);
}

// Visits the terms from columns of this part to rows of others: visit(row, column, value). Most columns have none, which is checked
// for many at once.
template <Scalar S>
template <class Visit>
void SharedProduct<S>::for_each_far_term(std::size_t part, const Visit& visit) const {
  const Count* offsets = matrix_.pattern.column_offsets.data();
  const Index* rows = matrix_.pattern.row_indices.data();
  const Index begin_row = part_begins_[part];
  const Index end_row = part_begins_[part + 1];
  if (!terms_.go_to_rows()) {
    return;
  }
  Index end = begin_row;
  while (end < end_row) {
    const Index begin = end;
    end += std::min(end_row - begin, kColumnsAtOnce);
    if (!any_outside(rows + offsets[begin], offsets[end] - offsets[begin], begin_row, end_row)) {
      continue;
    }
    for (Index j = begin; j < end; ++j) {
      for (Count k = offsets[j]; k < offsets[j + 1]; ++k) {
        if (rows[k] < begin_row || rows[k] >= end_row) {
          visit(rows[k], j, matrix_.values[k]);
        }
      }
    }
  }
}

// [pair(p, q)] = number of terms from part p to part q.
template <Scalar S>
std::vector<std::size_t> SharedProduct<S>::count_far_terms() const {
  std::vector<std::size_t> counts(num_parts() * num_parts(), 0);
  for_each_part([&](std::size_t part) {
    std::array<std::size_t, kMostParts> to_parts{};  // threads do not write to adjacent memory
    for_each_far_term(part, [&](Index row, Index, S) { ++to_parts[part_of(row)]; });
    std::copy_n(to_parts.begin(), num_parts(), counts.begin() + static_cast<std::ptrdiff_t>(pair(part, 0)));
  });
  return counts;
}

// Merges all parts into one if there are too many terms.
template <Scalar S>
void SharedProduct<S>::list_far_terms() {
  std::vector<std::size_t> counts = count_far_terms();
  if (std::accumulate(counts.begin(), counts.end(), std::size_t{0}) > matrix_.values.size() / 2) {
    part_begins_ = cut(1);
    counts.assign(1, 0);
  }
  far_offsets_.assign(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), far_offsets_.begin() + 1);
  far_terms_.resize(far_offsets_.back());
  if (far_terms_.empty()) {
    return;
  }
  for_each_part([&](std::size_t part) {
    std::array<std::size_t, kMostParts> next{};
    std::copy_n(far_offsets_.begin() + static_cast<std::ptrdiff_t>(pair(part, 0)), num_parts(), next.begin());
    for_each_far_term(part, [&](Index row, Index column, S value) {
      far_terms_[next[part_of(row)]++] = {row, column, terms_.to_row(value)};
    });
  });
}

// Adds to the rows of this part, zero so far, the terms of its own columns, then those from the lists. `sink` holds the vectors:
// sink.term(a, sink.factor(from)) is the contribution of a x_from to a row, a Sink::Sum, and sink.add(term, to) adds it to row
// `to`.
//
// Terms to row j of column j are added up before they are stored.
template <Scalar S>
template <bool GoToRows, bool GoToColumns, class Sink>
[[gnu::always_inline]] inline void SharedProduct<S>::add_terms(std::size_t part, const Sink& sink) const {
  const Terms terms = terms_;  // a local copy that no store can change
  const Count* offsets = matrix_.pattern.column_offsets.data();
  const Index* rows = matrix_.pattern.row_indices.data();
  const S* values = matrix_.values.data();
  const Index begin_row = part_begins_[part];
  const Index end_row = part_begins_[part + 1];
  for (Index j = begin_row; j < end_row; ++j) {
    typename Sink::Sum sum{};
    const auto own = sink.factor(j);
    const Count end = offsets[j + 1];
    for (Count k = offsets[j]; k < end; ++k) {
      const Index i = rows[k];
      if (i == j) {
        sum += sink.term(terms.direct(values[k]), own);
        continue;
      }
      if constexpr (GoToColumns) {
        sum += sink.term(terms.to_column(values[k]), sink.factor(i));
      }
      if constexpr (GoToRows) {
        if (i >= begin_row && i < end_row) {
          sink.add(sink.term(terms.to_row(values[k]), own), i);
        }
      }
    }
    sink.add(sum, j);
  }
  for (std::size_t other = 0; other < num_parts(); ++other) {
    for (std::size_t k = far_offsets_[pair(other, part)]; k < far_offsets_[pair(other, part) + 1]; ++k) {
      const Term& term = far_terms_[k];
      sink.add(sink.term(term.value, sink.factor(term.from)), term.to);
    }
  }
}

template <Scalar S>
template <class Sink>
[[gnu::always_inline]] inline void SharedProduct<S>::add_terms_of_part(std::size_t part, const Sink& sink) const {
  if (!terms_.go_to_rows()) {
    add_terms<false, true>(part, sink);
  } else if (!terms_.go_to_columns()) {
    add_terms<true, false>(part, sink);
  } else {
    add_terms<true, true>(part, sink);
  }
}

// Uses the instruction for the error of a product, which processors have had since 2013, but which the compiler must not assume.
// Without it a function of the system's library gives the same bits. GCC 12 can forget to clear the upper halves of the registers
// that it fills here, after which all SSE code takes twice its time.
template <Scalar S>
template <class Sink>
[[gnu::target("fma")]] void SharedProduct<S>::add_terms_with_fma(std::size_t part, const Sink& sink) const {
  add_terms_of_part(part, sink);
  __builtin_ia32_vzeroupper();
}

// Adds on all threads, starting from zeros.
template <Scalar S>
template <class Sink>
void SharedProduct<S>::add_all_terms(const Sink& sink) const {
  const bool uses_fma = Sink::kIsWide && __builtin_cpu_supports("fma") != 0;
  for_each_part([&](std::size_t part) {
    sink.clear(part_begins_[part], part_begins_[part + 1]);
    if (uses_fma) {
      add_terms_with_fma(part, sink);
    } else {
      add_terms_of_part(part, sink);
    }
  });
}

template <Scalar S>
void SharedProduct<S>::multiply(std::span<const S> x, const WideVector<S>& y, std::span<R> magnitudes) const {
  check_length(x.size());
  check_length(y.high.size());
  check_length(y.low.size());
  check_length(magnitudes.size());
  add_all_terms(ProductSink<S>{x.data(), y.high.data(), y.low.data(), magnitudes.data()});
}

template <Scalar S>
RowSums<RealOf<S>> SharedProduct<S>::row_sums(std::span<const R> scales) const {
  RowSums<R> sums;
  sums.plain.resize(static_cast<std::size_t>(matrix_.pattern.num_rows));
  if (scales.empty()) {
    add_all_terms(SumSink<S>{sums.plain.data()});
    return sums;
  }
  check_length(scales.size());
  sums.scaled.resize(sums.plain.size());
  add_all_terms(ScaledSumSink<S>{scales.data(), sums.plain.data(), sums.scaled.data()});
  return sums;
}

FROND_INSTANTIATE_CLASS(SharedProduct)

}  // namespace frond
