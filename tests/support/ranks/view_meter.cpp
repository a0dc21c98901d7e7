// SPDX-License-Identifier: BSD-3-Clause
// Computes relative errors of views.
#include "tests/support/ranks/view_meter.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace frond::test {
namespace {

// The relative error of one part of the loads.
class RelativeError {
 public:
  void add(double view, double truth) {
    difference_ += std::abs(view - truth);
    view_ += std::abs(view);
    truth_ += std::abs(truth);
  }
  [[nodiscard]] double value() const { return difference_ > 0 ? difference_ / std::max(view_, truth_) : 0; }

 private:
  double difference_ = 0;
  double view_ = 0;
  double truth_ = 0;
};

}  // namespace

void ViewMeter::measure(std::span<const Rank> candidates, std::span<const Load> view, std::span<const Load> counted) {
  RelativeError flops;
  RelativeError bytes;
  for (const Rank rank : candidates) {
    const auto j = static_cast<std::size_t>(rank);
    const Load truth = counted[j] + open_[j];
    flops.add(view[j].flops, truth.flops);
    bytes.add(static_cast<double>(view[j].bytes), static_cast<double>(truth.bytes));
  }
  flops_.push_back(flops.value());
  bytes_.push_back(bytes.value());
}

void ViewMeter::choose(std::span<const Assignment> slaves) {
  for (const Assignment& slave : slaves) {
    open_[static_cast<std::size_t>(slave.rank)] += slave.load;
  }
}

void ViewMeter::count(Rank slave, const Load& load) { open_[static_cast<std::size_t>(slave)] -= load; }

ErrorSummary ViewMeter::summary(const std::vector<double>& errors) {
  if (errors.empty()) {
    return {};
  }
  return {std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size()),
          *std::max_element(errors.begin(), errors.end())};
}

}  // namespace frond::test
