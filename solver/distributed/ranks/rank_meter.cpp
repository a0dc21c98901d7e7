// SPDX-License-Identifier: BSD-3-Clause
// Adds up the products of parts along the tree of ranks.
#include "solver/distributed/ranks/rank_meter.hpp"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "frond/error.hpp"
#include "solver/numerics/accuracy/wide_sum.hpp"

namespace frond {
namespace {

template <class T>
void check_lengths(const std::vector<T>& from, const std::vector<T>& to) {
  if (from.size() != to.size()) {
    throw InternalError(fmt::format("sums of {} numbers from one rank meet {} of another; do all processes solve the same system?",
                                    from.size(), to.size()));
  }
}

template <class T>
void add(const std::vector<T>& from, std::vector<T>& to) {
  check_lengths(from, to);
  std::transform(from.begin(), from.end(), to.begin(), to.begin(), std::plus<>());
}

// Adds high and low parts.
template <Scalar S>
void add_wide(std::span<const S> from_highs, std::span<const S> from_lows, std::span<S> highs, std::span<S> lows) {
  for (std::size_t i = 0; i < highs.size(); ++i) {
    auto sum = WideNumber<S>::of_parts(highs[i], lows[i]);
    sum += WideNumber<S>::of_parts(from_highs[i], from_lows[i]);
    highs[i] = sum.high();
    lows[i] = sum.low();
  }
}

}  // namespace

template <Scalar S>
auto RankMeter<S>::Sums::operator+=(const Sums& other) -> Sums& {
  check_lengths(other.products, products);
  check_lengths(other.lows, lows);
  add_wide<S>(other.products, other.lows, products, lows);
  add(other.magnitudes, magnitudes);
  add(other.row_sums.plain, row_sums.plain);
  add(other.row_sums.scaled, row_sums.scaled);
  return *this;
}

template <Scalar S>
RankMeter<S>::RankMeter(const MatrixView<S>& matrix, const MatrixView<S>& part, Operation operation,
                        std::span<const RealOf<S>> scales, Outbox& outbox)
    : matrix_(matrix), part_(part), operation_(operation), scales_(scales), outbox_(outbox) {}

template <Scalar S>
void RankMeter<S>::start(DenseView<const S> x) {
  std::vector<S> values;
  values.reserve(static_cast<std::size_t>(x.rows) * static_cast<std::size_t>(x.cols));
  for (Index j = 0; j < x.cols; ++j) {
    values.insert(values.end(), x.column(j), x.column(j) + x.rows);
  }
  send_down_the_tree(outbox_, encoded(SolveMessage::point, values));
  multiply_part(values);
}

template <Scalar S>
bool RankMeter<S>::receive(SolveMessage kind, Rank from, ByteReader& reader) {
  if (kind == SolveMessage::point) {
    const std::vector<S> x = reader.list<S>();
    reader.expect_end();
    multiply_part(x);
    return true;
  }
  if (kind != SolveMessage::sums) {
    return false;
  }
  Sums& sums = branch_sums_.at(static_cast<std::size_t>(from - (2 * outbox_.rank() + 1)));
  sums.products = reader.list<S>();
  sums.lows = reader.list<S>();
  sums.magnitudes = reader.list<R>();
  sums.row_sums.plain = reader.list<R>();
  sums.row_sums.scaled = reader.list<R>();
  reader.expect_end();
  --num_missing_;
  combine();
  return true;
}

template <Scalar S>
void RankMeter<S>::multiply_part(std::span<const S> x) {
  const auto n = static_cast<std::size_t>(part_.pattern.num_rows);
  const std::size_t num_columns = n > 0 ? x.size() / n : 0;
  if (num_columns * n != x.size()) {
    throw InternalError(
        fmt::format("{} numbers are no vectors of length {}; do all processes solve the same system?", x.size(), n));
  }
  sums_.products.resize(x.size());
  sums_.lows.resize(x.size());
  sums_.magnitudes.resize(x.size());
  sums_.row_sums = {};
  if (!product_) {
    product_.emplace(part_, operation_);
    sums_.row_sums = product_->row_sums(scales_);
  }
  tbb::parallel_for(std::size_t{0}, num_columns, [&](std::size_t k) {
    const auto column = [&](auto& vectors) { return std::span(vectors).subspan(k * n, n); };
    product_->multiply(x.subspan(k * n, n), {column(sums_.products), column(sums_.lows)}, column(sums_.magnitudes));
  });
  num_missing_ = num_branches(outbox_.rank(), outbox_.num_ranks());
  combine();
}

template <Scalar S>
void RankMeter<S>::combine() {
  if (num_missing_ > 0) {
    return;
  }
  for (Rank branch = 0; branch < num_branches(outbox_.rank(), outbox_.num_ranks()); ++branch) {
    sums_ += std::exchange(branch_sums_[branch], {});
  }
  if (outbox_.rank() == 0) {
    if (!scale_) {
      scale_.emplace(matrix_, operation_, std::move(sums_.row_sums), scales_);
    }
    has_products_ = true;
    return;
  }
  outbox_.send(trunk_of(outbox_.rank()), encoded(SolveMessage::sums, sums_.products, sums_.lows, sums_.magnitudes,
                                                 sums_.row_sums.plain, sums_.row_sums.scaled));
}

template <Scalar S>
ColumnReport RankMeter<S>::measure(Index k, std::span<const S> b, std::span<const S> x, std::span<S> residual,
                                   std::span<const S> correction) const {
  const std::size_t begin = static_cast<std::size_t>(k) * b.size();
  const auto column = [&](const auto& vectors) { return std::span(vectors).subspan(begin, b.size()); };
  return scale_->measure(b, x, {column(sums_.products), column(sums_.lows)}, column(sums_.magnitudes), residual, correction);
}

FROND_INSTANTIATE_CLASS(RankMeter)

}  // namespace frond
