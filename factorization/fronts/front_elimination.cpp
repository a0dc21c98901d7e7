// SPDX-License-Identifier: BSD-3-Clause
// Eliminates a front's columns, then its upper part, then updates its contribution block.
#include "factorization/fronts/front_elimination.hpp"

#include <algorithm>

#include "factorization/fronts/elimination.hpp"
#include "factorization/kernels/cholesky.hpp"
#include "factorization/kernels/ldlt.hpp"
#include "factorization/kernels/lu.hpp"
#include "factorization/kernels/rank_update.hpp"
#include "frond/error.hpp"
#include "matrices/stop_request.hpp"

namespace frond {

template <Scalar S>
std::unique_ptr<FrontKernel<S>> make_kernel(Method method, const FrontFactor<S>& front, PivotTolerances<RealOf<S>> tolerances) {
  switch (method) {
    case Method::cholesky:
      return std::make_unique<CholeskyKernel<S>>(front, tolerances);
    case Method::ldlt:
    case Method::ldlh:
      return std::make_unique<LdltKernel<S>>(front, method == Method::ldlh, tolerances);
    case Method::lu:
      return std::make_unique<LuKernel<S>>(front, tolerances);
  }
  throw InternalError("a factorization method without a kernel");
}

Index update_width(const PanelLayout& contribution) { return std::min(contribution.width, 2 * kPanelWidth); }

template <Scalar S>
PivotCounts eliminate_whole_front(Method method, NumericFront<S>& front, PivotTolerances<RealOf<S>> tolerances, bool delays_nothing,
                                  Observer* observer) {
  FrontFactor<S>& factor = front.factor;
  const auto kernel = make_kernel(method, factor, tolerances);
  factor.num_eliminated = eliminate(*kernel, factor.num_fully_summed, delays_nothing, observer);
  const Index cb_order = front.cb_layout.cols;
  for (Index begin = 0; factor.upper != nullptr && begin < cb_order; begin += kPanelWidth) {
    kernel->finish_upper(factor.num_eliminated, begin, std::min(cb_order, begin + kPanelWidth));
  }
  const Index width = update_width(front.cb_layout);
  for (Index begin = 0; begin < cb_order; begin += width) {
    stop_if(observer);
    kernel->update_contribution(front.cb_layout, front.cb, begin, std::min(cb_order, begin + width));
  }
  return kernel->counts();
}

#define FROND_INSTANTIATE(S)                                                                                       \
  template std::unique_ptr<FrontKernel<S>> make_kernel(Method, const FrontFactor<S>&, PivotTolerances<RealOf<S>>); \
  template PivotCounts eliminate_whole_front(Method, NumericFront<S>&, PivotTolerances<RealOf<S>>, bool, Observer*);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
