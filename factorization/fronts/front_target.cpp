// SPDX-License-Identifier: BSD-3-Clause
// Computes pointers into parts of fronts.
#include "factorization/fronts/front_target.hpp"

namespace frond {

template <Scalar S>
FrontTarget<S>::FrontTarget(Method method, const NumericFront<S>& front)
    : front_(&front), num_fully_summed_(front.factor.num_fully_summed), num_delayed_in_(front.num_delayed_in) {
  row_end_ = num_fully_summed_ + front.cb_layout.order;
  if (method == Method::lu && front.factor.upper != nullptr && front.factor.cb_order() > 0) {
    const Count p = num_fully_summed_;
    summed_ld_ = front.factor.cb_order();
    summed_ = front.factor.upper - p;
    contribution_ld_ = front.cb_layout.order;
    contribution_ = front.cb - p * contribution_ld_ - p;
  }
}

template <Scalar S>
FrontTarget<S>::FrontTarget(Method method, const SlaveRows<S>& rows)
    : num_fully_summed_(rows.size.num_fully_summed), num_delayed_in_(rows.size.num_delayed_in) {
  const Count p = num_fully_summed_;
  const Count first_row = p + rows.row_begin;
  row_begin_ = num_fully_summed_ + rows.row_begin;
  row_end_ = row_begin_ + rows.num_rows;
  summed_ld_ = rows.num_rows;
  summed_ = rows.summed - first_row;
  if (method == Method::lu) {
    contribution_ld_ = rows.size.cb_order();
    contribution_ = rows.cb - first_row * contribution_ld_ - p;
  } else {
    contribution_ld_ = rows.num_rows;
    contribution_ = rows.cb - p * contribution_ld_ - first_row;
  }
}

FROND_INSTANTIATE_CLASS(FrontTarget)

}  // namespace frond
