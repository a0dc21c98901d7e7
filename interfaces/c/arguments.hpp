// SPDX-License-Identifier: BSD-3-Clause
// Checks what callers of C pass, and converts it to what the calls of C++ take.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <utility>

#include "frond.h"
#include "frond/dense.hpp"
#include "frond/error.hpp"
#include "frond/types.hpp"
#include "solver/course/team.hpp"

namespace frond {

/// Returns the choice that the number of an enumerator of C stands for, which counts from 0. Throws UsageError, with the advice,
/// for any other number.
template <class Choice>
[[nodiscard]] Choice choice_of(int number, std::initializer_list<Choice> choices, const char* advice) {
  if (number < 0 || number >= static_cast<int>(choices.size())) {
    throw UsageError(fmt::format("{} is no {}", number, advice));
  }
  return choices.begin()[number];
}

[[nodiscard]] inline Operation operation_of(int operation) {
  return choice_of(operation, {Operation::plain, Operation::transposed, Operation::adjoint},
                   "operation: give FROND_PLAIN, FROND_TRANSPOSED or FROND_ADJOINT");
}

/// Throws UsageError, with the name of the argument.
template <class T>
T& required(T* pointer, const char* name) {
  if (pointer == nullptr) {
    throw UsageError(fmt::format("the argument {} is NULL", name));
  }
  return *pointer;
}
[[nodiscard]] inline const char* required_text(const char* text, const char* name) { return &required(text, name); }

/// Throws UsageError if there are entries but no array.
inline void require(const void* array, bool has_entries, const char* name) {
  if (array == nullptr && has_entries) {
    throw UsageError(fmt::format("{} is NULL", name));
  }
}

/// Whether two blocks of columns overlap in memory.
template <Scalar S>
[[nodiscard]] bool overlap(const DenseView<const S>& a, const DenseView<S>& b) {
  if (a.empty() || b.empty()) {
    return false;
  }
  const std::less<> before;
  const auto end = [](const auto& view) -> const S* { return view.column(view.cols - 1) + view.rows; };
  return before(a.data, end(b)) && before(static_cast<const S*>(b.data), end(a));
}

/// B and X as the caller passes them; B is copied if X overwrites it.
template <Scalar S>
class GivenSides {
 public:
  /// Takes the results of b() and x(); their exceptions are thrown everywhere.
  template <class B, class X>
  GivenSides(const Team& team, B b, X x) {
    team.agree([&] {
      x_ = x();
      b_ = b();
      if (overlap(b_, x_)) {
        copy_b();
      }
    });
  }
  GivenSides(const GivenSides&) = delete;
  GivenSides& operator=(const GivenSides&) = delete;

  [[nodiscard]] DenseView<const S> b() const { return b_; }
  [[nodiscard]] DenseView<S> x() const { return x_; }

 private:
  void copy_b() {
    copy_ = DenseMatrix<S>(b_.rows, b_.cols);
    for (Index j = 0; j < b_.cols; ++j) {
      std::copy_n(b_.column(j), b_.rows, copy_.column(j).begin());
    }
    b_ = view_of(std::as_const(copy_));
  }

  DenseMatrix<S> copy_;
  DenseView<const S> b_;
  DenseView<S> x_;
};

}  // namespace frond
