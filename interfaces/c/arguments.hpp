// SPDX-License-Identifier: BSD-3-Clause
// What callers of C pass, checked and as the calls of C++ take it.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "frond.h"
#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "frond/types.hpp"

namespace frond {

/// Throws UsageError.
[[nodiscard]] inline Operation operation_of(int operation) {
  switch (operation) {
    case FROND_PLAIN:
      return Operation::plain;
    case FROND_TRANSPOSED:
      return Operation::transposed;
    case FROND_ADJOINT:
      return Operation::adjoint;
  }
  throw UsageError(fmt::format("{} is no operation: give FROND_PLAIN, FROND_TRANSPOSED or FROND_ADJOINT", operation));
}

/// Throws UsageError unless there is an array where there are entries.
inline void require(const void* array, bool has_entries, const char* name) {
  if (array == nullptr && has_entries) {
    throw UsageError(fmt::format("{} is NULL", name));
  }
}

/// Whether two blocks of columns have memory in common.
template <Scalar S>
[[nodiscard]] bool overlap(const DenseView<const S>& a, const DenseView<S>& b) {
  if (a.empty() || b.empty()) {
    return false;
  }
  const std::less<> before;
  const auto end = [](const auto& view) -> const S* { return view.column(view.cols - 1) + view.rows; };
  return before(a.data, end(b)) && before(static_cast<const S*>(b.data), end(a));
}

/// B, copied if X lies in its place.
template <Scalar S>
class Sides {
 public:
  Sides(DenseView<const S> b, const DenseView<S>& x) : b_(b) {
    if (overlap(b, x)) {
      copy_ = DenseMatrix<S>(b.rows, b.cols);
      for (Index j = 0; j < b.cols; ++j) {
        std::copy_n(b.column(j), b.rows, copy_.column(j).begin());
      }
      b_ = view_of(std::as_const(copy_));
    }
  }
  [[nodiscard]] DenseView<const S> view() const { return b_; }

 private:
  DenseMatrix<S> copy_;
  DenseView<const S> b_;
};

}  // namespace frond
