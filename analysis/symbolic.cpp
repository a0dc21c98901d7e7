// SPDX-License-Identifier: BSD-3-Clause
// The predictions that the result of the analysis makes.
#include "analysis/symbolic.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/elimination.hpp"

namespace frond {
namespace {

/// From the sums over the columns of L of c and c^2: flops and entries, as FactorizationEstimate defines them.
double flops_from_sums(Method method, double order, double sum_c, double sum_c2) {
  if (is_symmetric(method)) return sum_c2;
  const double sum_below = sum_c - order;                       // of c - 1
  const double sum_below_squared = sum_c2 - 2 * sum_c + order;  // of (c - 1)^2
  return sum_below + 2 * sum_below_squared;
}

Count entries_from_sum(Method method, Index order, double sum_c) {
  const Count entries_of_l = std::llround(sum_c);
  return is_symmetric(method) ? entries_of_l : 2 * entries_of_l - order;
}

}  // namespace

Symbolic::Symbolic(Permutation permutation, AssemblyTree tree, EntryMap entries, OrderingReport ordering, Symmetry symmetry,
                   double exact_sum_c, double exact_sum_c2)
    : permutation_(std::move(permutation)),
      tree_(std::move(tree)),
      entries_(std::move(entries)),
      ordering_(ordering),
      symmetry_(symmetry),
      exact_sum_c_(exact_sum_c),
      exact_sum_c2_(exact_sum_c2) {}

FactorizationEstimate Symbolic::estimate(Method method) const {
  FactorizationEstimate result;
  double front_sum_c = 0;
  double front_sum_c2 = 0;
  for (NodeId node = 0; node < tree_.num_nodes(); ++node) {
    front_sum_c += sum_of_counts(tree_.front_order(node), tree_.num_fully_summed(node));
    front_sum_c2 += sum_of_squared_counts(tree_.front_order(node), tree_.num_fully_summed(node));
    result.max_front_order = std::max(result.max_front_order, tree_.front_order(node));
  }
  result.elimination_flops = flops_from_sums(method, order(), exact_sum_c_, exact_sum_c2_);
  result.front_flops = flops_from_sums(method, order(), front_sum_c, front_sum_c2);
  result.exact_factor_entries = entries_from_sum(method, order(), exact_sum_c_);
  result.factor_entries = entries_from_sum(method, order(), front_sum_c);
  return result;
}

Count Symbolic::memory_bytes() const {
  const std::size_t permutation_bytes = (permutation_.perm.size() + permutation_.inverse_perm.size()) * sizeof(Index);
  return static_cast<Count>(sizeof(Symbolic) + permutation_bytes) + tree_.memory_bytes() + entries_.memory_bytes();
}

}  // namespace frond
