// SPDX-License-Identifier: BSD-3-Clause
// The factors of a matrix, in one process.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "analysis/symbolic.hpp"
#include "factorization/kernels/front_factor.hpp"
#include "frond/types.hpp"

namespace frond {

class FactorStorage;  // owns the memory behind the fronts

/// The factors of P D_r A D_c P^T. Immutable once made; any number of threads may solve with them at the same time.
template <Scalar S>
class Factors {
 public:
  /// `row_scaling` and `col_scaling` are D_r and D_c by original row and column numbers; both may be empty (no scaling).
  Factors(std::shared_ptr<const Symbolic> symbolic, Method method, std::vector<FrontFactor<S>> fronts,
          std::shared_ptr<FactorStorage> storage, std::vector<RealOf<S>> row_scaling, std::vector<RealOf<S>> col_scaling)
      : symbolic_(std::move(symbolic)),
        method_(method),
        fronts_(std::move(fronts)),
        storage_(std::move(storage)),
        row_scaling_(std::move(row_scaling)),
        col_scaling_(std::move(col_scaling)) {}

  [[nodiscard]] const Symbolic& symbolic() const { return *symbolic_; }
  [[nodiscard]] Method method() const { return method_; }
  [[nodiscard]] const FrontFactor<S>& front(NodeId node) const { return fronts_[node]; }
  [[nodiscard]] FactorStorage& storage() const { return *storage_; }
  [[nodiscard]] std::span<const RealOf<S>> row_scaling() const { return row_scaling_; }
  [[nodiscard]] std::span<const RealOf<S>> col_scaling() const { return col_scaling_; }

 private:
  std::shared_ptr<const Symbolic> symbolic_;
  Method method_;
  std::vector<FrontFactor<S>> fronts_;
  std::shared_ptr<FactorStorage> storage_;
  std::vector<RealOf<S>> row_scaling_;
  std::vector<RealOf<S>> col_scaling_;
};

}  // namespace frond
