// SPDX-License-Identifier: BSD-3-Clause
// Holds right-hand sides and their solutions for a second look.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// The first columns of B and X, on the leader.
template <Scalar S>
class SolvedColumns {
 public:
  explicit SolvedColumns(Index num_wanted = 0) : num_wanted_(num_wanted) {}
  SolvedColumns(const SolvedColumns&) = delete;  // the spans refer to the copies
  SolvedColumns& operator=(const SolvedColumns&) = delete;
  SolvedColumns(SolvedColumns&&) noexcept = default;
  SolvedColumns& operator=(SolvedColumns&&) noexcept = default;
  ~SolvedColumns() = default;

  [[nodiscard]] Index num_wanted() const { return num_wanted_; }
  [[nodiscard]] Index size() const { return static_cast<Index>(b_.size()); }
  [[nodiscard]] std::span<const S> b(Index column) const { return b_[column]; }
  [[nodiscard]] std::span<const S> x(Index column) const { return x_[column]; }

  /// The arrays are not copied.
  void add(std::span<const S> b_column, std::span<const S> x_column) {
    b_.push_back(b_column);
    x_.push_back(x_column);
  }
  void add_copies(std::span<const S> b_column, std::span<const S> x_column) { add(kept(b_column), kept(x_column)); }

 private:
  std::span<const S> kept(std::span<const S> column) {
    copies_.emplace_back(column.begin(), column.end());
    return copies_.back();
  }

  Index num_wanted_;
  std::vector<std::span<const S>> b_;
  std::vector<std::span<const S>> x_;
  std::vector<std::vector<S>> copies_;
};

}  // namespace frond
