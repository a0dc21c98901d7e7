// SPDX-License-Identifier: BSD-3-Clause
// Bounds what a factorization may cost before another way is taken.
#pragma once

#include <limits>
#include <string>

#include "frond/error.hpp"
#include "frond/types.hpp"

namespace frond {

/// Limits beyond which a factorization stops with a BudgetError, so that another way can be taken. Delayed pivots can make
/// fronts grow until they cost thousands of times what was predicted.
///
/// Each rank has its own budget. All work that is added to a front shared by several ranks counts for its master, and none for its
/// slaves.
struct WorkBudget {
  /// Flops that eliminations may take: those predicted for the whole tree plus those that delayed pivots have added in the fronts
  /// so far.
  double flops = std::numeric_limits<double>::infinity();
  Count bytes = 0;  ///< of factors and active memory together, as the meter counts them; 0: no limit. Several threads need more at
                    ///< a time than one
};

/// A factorization that stopped before it would have exceeded its budget.
class BudgetError : public Error {
 public:
  /// The state at the stop. Plain values, so that they can be sent as they are; on several ranks, those of the rank that stopped.
  struct Figures {
    double flops_done = 0;         ///< for the fronts eliminated so far
    double needed_flops = 0;       ///< flops_done and the next step; above budget_flops if that is why it stopped
    double budget_flops = 0;       ///< see WorkBudget::flops
    Count needed_bytes = 0;        ///< the peak so far, or with the next step; above budget_bytes if that is why it stopped
    Count budget_bytes = 0;        ///< 0: unlimited
    Count num_delayed_pivots = 0;  ///< so far; a pivot delayed through k fronts counts k times

    friend bool operator==(const Figures&, const Figures&) = default;
  };

  BudgetError(const std::string& text, const Figures& figures) : Error(text), figures_(figures) {}  ///< for a text with figures

  [[nodiscard]] const Figures& figures() const { return figures_; }  ///< at the stop

 private:
  Figures figures_;
};

}  // namespace frond
