// SPDX-License-Identifier: BSD-3-Clause
// Lets the parts of row-distributed fronts, and of the root on a grid, work on a rank.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "factorization/ranks/rank_streams.hpp"

namespace frond {

/// The parts under way: a master's from its plan on, a slave's from the request on, both until their last step. A slave may refuse;
/// it then reports all memory that becomes free to its master.
class RankParts : RankMachine {
 public:
  RankParts(const RankMachine& shared, RankStreams& streams) : RankMachine(shared), streams_(streams) {}

  void receive(Rank from, const SlaveTaskMessage& message);
  void receive(Rank from, const SettleMessage& message);
  void receive(Rank from, const FrontMessage& message);

  void add_master(TaskId id) { parts_[{id, PartRole::master}]; }
  void on_arrived(FrontPart target);  ///< one of the streams to it
  /// Returns whether the part is finished.
  bool on_step(FrontPart id, const PartStep& step);
  void advance();
  void report_free_memory();
  /// This rank has failed: abandons the root if the ranks of its grid were asked to enter, and this one has not.
  void abandon_root();

  [[nodiscard]] bool has(FrontPart id) const { return parts_.contains(id); }
  [[nodiscard]] bool has_none() const { return parts_.empty(); }
  [[nodiscard]] bool is_idle() const { return parts_.empty() && refusals_.empty(); }

 private:
  struct Part {
    std::deque<std::pair<Rank, std::vector<std::byte>>> mailbox;
    bool is_busy = true;  // a step is under way, or the first one has not begun
    bool goes_on = false;
    // For all except masters:
    Load cost;
    bool stands = false;
    std::size_t streams_left = 0;
  };
  /// A share that this rank has refused.
  struct Refusal {
    TaskId task = kNoTask;
    Count reported_bytes = 0;  // as free
  };

  /// Accepts or refuses a share, and returns true; or returns false: the answer has to wait.
  [[nodiscard]] bool answer(const FrontPlan& plan);
  [[nodiscard]] bool may_regain_memory(TaskId task) const;
  void settle(FrontPart id, bool stands);
  void accept_root_part(const FrontPlan& plan);
  Part& expect(const FrontPlan& plan, FrontPart id, Load cost);
  void begin_if_complete(FrontPart id, const Part& part);
  void advance(FrontPart id, Part& part);
  void finish(FrontPart id);
  void send_to_parts(TaskId task, const PartMessage& message);
  void relay(std::span<const Rank> ranks, FrontMessage message);

  RankStreams& streams_;
  std::map<FrontPart, Part> parts_;
  std::vector<Refusal> refusals_;   // not yet followed by free memory
  std::vector<FrontPlan> waiting_;  // for an answer, until a share of a later front is settled
};

}  // namespace frond
