// SPDX-License-Identifier: BSD-3-Clause
// Processes of a batch that solve one system after another together.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "frond/place.hpp"
#include "frond/types.hpp"
#include "solver/options/relayed_observer.hpp"

namespace frond {

/// The first process of a group receives systems, and the others follow it:
///
///   lead(system) on the first one    ─►    number of the system to all    ─►    work on all    ─►    errors and stops to all
///   end(failure)                     ─►    no more numbers             ─►    the failure to all
class BatchGroup final : public RelayedObserver {
 public:
  using Work = std::function<std::string(const Place& group, Count system)>;

  /// The arguments must outlive this object. `observer` is that of this process.
  BatchGroup(const Place& group, const Work& work, std::shared_ptr<Observer> observer)
      : RelayedObserver(std::move(observer)), group_(group), work_(work) {}

  /// On the first process, by one thread at a time. Throws what work threw on any process.
  [[nodiscard]] std::string lead(Count system);
  /// On the first process: whether a stop was requested here, or on others before they finished their last system.
  bool batch_end_requested() override { return has_one_asked_ || to->batch_end_requested(); }
  /// On the first process: ends the loop of the others. Throws the failure, if there is one.
  void end(const std::exception_ptr& failure) const;

  /// On the others: solves systems until the end; throws the failure that was passed to end().
  void follow();

 private:
  std::string solve(Count system);
  void part(const std::exception_ptr& failure) const;

  const Place& group_;
  const Work& work_;
  std::atomic<bool> has_one_asked_{false};  // at the end of a system
};

}  // namespace frond
