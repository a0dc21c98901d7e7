// SPDX-License-Identifier: BSD-3-Clause
// Keeps track of lost processes, and throws when a rank waits for one.
#pragma once

#include <algorithm>
#include <exception>
#include <iterator>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "frond/types.hpp"

namespace frond {

/// What a process knows about lost processes. Several threads may call it.
class RankLosses {
 public:
  void declare(Rank rank) {
    const std::lock_guard lock(mutex_);
    lost_.insert(rank);
  }
  /// Notes that there is a record with this number: others have continued without the processes lost to them, or without this one.
  void hear_of(Index record) {
    const std::lock_guard lock(mutex_);
    newest_record_ = std::max(newest_record_, record);
  }
  /// Notes that the exception being handled has ended the watch over other processes.
  void fail() {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
  }
  /// Begins the work of a record, with these members.
  void begin(Index record, std::vector<Rank> members) {
    const std::lock_guard lock(mutex_);
    record_ = record;
    members_ = std::move(members);
  }

  /// Throws LossError if work with the present members cannot continue, and CommunicationError after the watch over them has
  /// failed.
  void check() const {
    const std::lock_guard lock(mutex_);
    if (failure_) {
      throw_failure();
    }
    if (newest_record_ > record_) {
      throw LossError("others have lost a process, and gone on without it");
    }
    for (const Rank member : members_) {
      if (lost_.contains(member)) {
        throw LossError("process " + std::to_string(member) + " is gone");
      }
    }
  }
  [[nodiscard]] std::vector<Rank> living(const std::vector<Rank>& ranks) const {
    const std::lock_guard lock(mutex_);
    std::vector<Rank> living;
    std::copy_if(ranks.begin(), ranks.end(), std::back_inserter(living), [this](Rank rank) { return !lost_.contains(rank); });
    return living;
  }

 private:
  [[noreturn]] void throw_failure() const {
    try {
      std::rethrow_exception(failure_);
    } catch (const std::exception& error) {
      throw CommunicationError(std::string("the watch over other processes has failed: ") + error.what());
    }
  }

  mutable std::mutex mutex_;
  std::exception_ptr failure_;
  std::set<Rank> lost_;
  std::vector<Rank> members_;
  Index record_ = 0;
  Index newest_record_ = 0;
};

}  // namespace frond
