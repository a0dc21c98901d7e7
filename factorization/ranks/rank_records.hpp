// SPDX-License-Identifier: BSD-3-Clause
// Brings the ranks to rest together and lets them continue by a new plan, so that some of them may leave.
#pragma once

#include <exception>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "factorization/ranks/common_end.hpp"
#include "factorization/ranks/rank_layout.hpp"

namespace frond {

/// A rank's part in the records, whose protocol RankEngine explains.
class RankRecords : RankMachine {
 public:
  RankRecords(const RankMachine& shared, CommonEnd& end, const RankStreams& streams, RankLayout& layout)
      : RankMachine(shared), end_(end), streams_(streams), layout_(layout), finished_(context_.finished) {}

  void receive(Rank from, const PauseMessage& message);
  void receive(Rank from, const RestMessage& message);
  void receive(Rank from, const StuckMessage& message);
  void receive(Rank from, const RecordMessage& message);

  /// Rank 0: returns all ranks that have no part when these have left, increasing; empty if they have left already.
  [[nodiscard]] std::vector<Rank> all_without(std::span<const Rank> leaving) const;
  /// Rank 0: begins a pause so that these ranks may leave, through files in the folder unless it is empty.
  void begin(const std::vector<Rank>& leaving, const std::string& folder);
  /// Rank 0: why the last request was refused.
  [[nodiscard]] const std::optional<Failure>& refusal() const { return refusal_; }

  /// In a pause, after all consequences of an event: reports, or makes the record.
  void advance();

 private:
  /// The pause that was announced last.
  struct Pause {
    Index number = 0;
    std::optional<Count> reported_at;                // messages received when this rank reported that it rests
    std::vector<Rank> leaving;                       // including those that have left
    std::string folder;                              // rank 0
    std::vector<std::optional<RestMessage>> others;  // rank 0: [rank] = the last one
  };

  void pause(const PauseMessage& message);
  void go_on();
  [[nodiscard]] bool is_of_this_pause(Index number) const { return tasks_.is_paused() && number == pause_.number; }
  [[nodiscard]] RestMessage rest() const;
  [[nodiscard]] bool all_rest() const;
  void make_record();
  [[nodiscard]] RestingState resting_state(const Mapping& mapping) const;
  void refuse(const std::exception_ptr& exception);
  void adopt(const RecoveryPlan& plan);

  CommonEnd& end_;
  const RankStreams& streams_;
  RankLayout& layout_;
  Pause pause_;
  std::optional<Failure> refusal_;
  FinishedNodes finished_;  // when the record was made
};

}  // namespace frond
