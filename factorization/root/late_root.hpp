// SPDX-License-Identifier: BSD-3-Clause
// A root on a grid that is made when its ranks enter it.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "factorization/root/root_solver.hpp"

namespace frond {

/// Making the solver of a grid may be collective over its ranks. For the grid of a new plan, the ranks make it in the first of the
/// calls that are collective anyway.
template <Scalar S>
class LateRoot final : public RootSolver<S> {
 public:
  using Make = std::function<std::shared_ptr<RootSolver<S>>()>;

  explicit LateRoot(Make make) : make_(std::move(make)) {}

  void factorize(const RootPart<S>& part, std::function<void(const RootOutcome&)> then) override {
    root().factorize(part, std::move(then));
  }
  void gather(const RootPart<S>& part, S* whole, std::function<void()> then) override {
    root().gather(part, whole, std::move(then));
  }
  void abandon() override { root().abandon(); }
  [[nodiscard]] std::vector<Index> exchanges() const override { return root_->exchanges(); }
  void adopt(const RootPart<S>& part) override { root().adopt(part); }
  void solve(RootFactors factors, Operation operation, DenseView<S> b, std::function<void()> then) override {
    root().solve(factors, operation, b, std::move(then));
  }

 private:
  RootSolver<S>& root() {
    if (!root_) {
      root_ = make_();
    }
    return *root_;
  }

  Make make_;
  std::shared_ptr<RootSolver<S>> root_;
};

}  // namespace frond
