// SPDX-License-Identifier: BSD-3-Clause
// Lays out the fronts whose master a rank is: gathers what their children announce, and sends maps to those who hold their rows.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "factorization/ranks/rank_slaves.hpp"

namespace frond {

/// The fronts of a rank in which other ranks take part, from the beginning until all their rows are here.
class RankLayout : RankMachine {
 public:
  RankLayout(const RankMachine& shared, RankStreams& streams, RankSlaves& slaves)
      : RankMachine(shared), streams_(streams), slaves_(slaves) {}

  void receive(Rank from, const AnnounceMessage& message);

  void set_up();  ///< for the plan in force, after the streams
  /// Lays out what can be from the beginning. `coming` are held tasks whose fronts have not arrived yet, increasing.
  void begin(std::span<const TaskId> coming);

  void announce(TaskId id);             ///< a finished task of this rank to its parent's master
  void lay_out(const FrontPlan& plan);  ///< of an own front: sends maps of its rows
  void on_arrived(TaskId task);         ///< one of the streams to its master
  void take_unit(TaskId top);           ///< this rank does the tasks of a unit of another rank
  void give_unit(TaskId top);           ///< another rank does those of a unit of this one
  void go_on();                         ///< after a pause without a new plan

 private:
  /// An own front that waits for streams, or has slaves.
  struct GatheredFront {
    Index children_left = 0;  // neither finished here nor announced
    FrontPlan plan;
    std::size_t streams_left = 0;
  };

  void gather(TaskId id);
  void child_known(const ChildOutput& child);
  void children_known(TaskId id, GatheredFront& front);
  [[nodiscard]] Rank parent_rank(TaskId id) const;
  void send_row_maps(const FrontPlan& plan);

  RankStreams& streams_;
  RankSlaves& slaves_;
  std::map<TaskId, GatheredFront> fronts_;  // with streams still to arrive
  std::vector<TaskId> unlaid_;              // whose children are known, since a pause has begun
};

}  // namespace frond
