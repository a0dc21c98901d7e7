// SPDX-License-Identifier: BSD-3-Clause
// A slave's part of a row-distributed front.
#pragma once

#include "factorization/kernels/row_panel.hpp"
#include "factorization/scheduling/front_part.hpp"

namespace frond {

/// The contribution rows [row_begin, row_begin + num_rows) of a front. Does not own its memory.
template <Scalar S>
struct SlaveRows {
  FrontSize size;
  Index row_begin = 0;
  Index num_rows = 0;
  Index num_eliminated = 0;
  S* summed = nullptr;  ///< num_rows x p, column-major: the fully summed columns
  S* cb = nullptr;      ///< LU: cb_order x num_rows; symmetric methods: num_rows x (row_begin + num_rows)

  [[nodiscard]] DenseView<S> summed_view() const { return {summed, num_rows, size.num_fully_summed, num_rows}; }
  [[nodiscard]] LuRowBlock<S> lu() const { return {summed_view(), {cb, size.cb_order(), num_rows, size.cb_order()}}; }
  [[nodiscard]] SymmetricRowBlock<S> symmetric() const {
    return {row_begin, summed_view(), {cb, num_rows, row_begin + num_rows, num_rows}};
  }
  [[nodiscard]] Count summed_entries() const { return static_cast<Count>(num_rows) * size.num_fully_summed; }
  [[nodiscard]] Count cb_entries(Method method) const {
    return static_cast<Count>(num_rows) * (method == Method::lu ? size.cb_order() : row_begin + num_rows);
  }
};

}  // namespace frond
