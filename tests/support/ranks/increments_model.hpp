// SPDX-License-Identifier: BSD-3-Clause
// Models the mechanism by increments for exploration: masters give tasks to slaves, tasks travel on a channel of their own, arrive
// and end, and loads vary, in every order.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "loadinfo/mechanisms/increments.hpp"
#include "tests/support/ranks/message_queues.hpp"

namespace frond::test {

struct IncrementsSetup {
  std::vector<std::vector<std::vector<Assignment>>> choices;  ///< choices[i][d]: slaves of rank i's decision number d
  std::vector<std::vector<Load>> variations;                  ///< variations[i]: of rank i's load, apart from tasks
  Load surplus;                                               ///< of a task's cost over what was reserved
  Load threshold;
  std::shared_ptr<const LoadWatchers> watchers = {};  ///< null: everybody watches everybody
  bool says_no_more_master = false;                   ///< each rank, after its last decision
  bool ends_tasks_silently = false;                   ///< a fault: the end of a task does not count as a variation
  bool gives_up_too_early = false;                    ///< a fault: each rank gives up being a master before its last decision
};

/// A task on its way to a slave.
struct Task {
  Load reserved;
  Load cost;
};

/// Properties, by the prefixes of violations:
///   T   own load = reservations that have arrived, or costs of tasks that have; in every state
///   C   the conservation that increments.hpp states; in every state
///   N   the same for the view of a rank that decides, at its decision
///   Q   at rest view and unsent variations add up to the load
///   A   at rest views are within the threshold of the truth
template <class Machine>
class IncrementsModel {
 public:
  struct Step {
    enum class Kind { decide, give_up, vary, end_task, deliver_load, deliver_task } kind;
    Rank from;  // the rank that acts, or has sent
    Rank to;
    std::size_t task = 0;  // index among the running tasks, for end_task
  };

  explicit IncrementsModel(IncrementsSetup setup)
      : shared_(std::make_shared<Shared>(Shared{std::move(setup), {}})),
        loads_(num_ranks()),
        tasks_(num_ranks()),
        ranks_(static_cast<std::size_t>(num_ranks())) {
    for (Rank rank = 0; rank < num_ranks(); ++rank) {
      machines_.emplace_back(rank, num_ranks(), shared_->sink, shared_->setup.threshold, shared_->setup.watchers);
    }
  }

  [[nodiscard]] std::vector<Step> steps() const {
    std::vector<Step> steps;
    for (Rank rank = 0; rank < num_ranks(); ++rank) {
      const RankState& state = ranks_[rank];
      if (may_decide(rank)) {
        steps.push_back({Step::Kind::decide, rank, rank});
      }
      if (shared_->setup.says_no_more_master && !state.has_given_up && !may_decide(rank)) {
        steps.push_back({Step::Kind::give_up, rank, rank});
      }
      if (state.num_variations < shared_->setup.variations[rank].size()) {
        steps.push_back({Step::Kind::vary, rank, rank});
      }
      for (std::size_t task = 0; task < state.running.size(); ++task) {
        steps.push_back({Step::Kind::end_task, rank, rank, task});
      }
    }
    loads_.for_each_pair([&](Rank from, Rank to) { steps.push_back({Step::Kind::deliver_load, from, to}); });
    tasks_.for_each_pair([&](Rank from, Rank to) { steps.push_back({Step::Kind::deliver_task, from, to}); });
    return steps;
  }

  void apply(const Step& step) {
    switch (step.kind) {
      case Step::Kind::decide:
        decide(step.from);
        break;
      case Step::Kind::give_up:
        machines_[step.from].no_more_master();
        ranks_[step.from].has_given_up = true;
        break;
      case Step::Kind::vary:
        vary(step.from, shared_->setup.variations[step.from][ranks_[step.from].num_variations++]);
        break;
      case Step::Kind::end_task:
        end_task(step.from, step.task);
        break;
      case Step::Kind::deliver_load:
        machines_[step.to].on_message(step.from, loads_.pop(step.from, step.to));
        break;
      case Step::Kind::deliver_task:
        begin_task(step.to, tasks_.pop(step.from, step.to));
        break;
    }
    post(step.to);
    check_own_loads();
    for (Rank rank = 0; rank < num_ranks(); ++rank) {
      if (!ranks_[rank].has_given_up) {
        check_conservation(rank, "C");
      }
    }
  }

  void check_at_rest() const {
    for (Rank i = 0; i < num_ranks(); ++i) {
      for (Rank j = 0; j < num_ranks(); ++j) {
        if (i == j || ranks_[i].has_given_up || !watches(i, j)) {
          continue;
        }
        const Load& view = machines_[i].view()[j];
        if (view + machines_[j].unsent() != machines_[j].load()) {
          throw Violation("Q: rank " + std::to_string(i) + " has lost a message of rank " + std::to_string(j));
        }
        if (exceeds(machines_[j].load() - view, shared_->setup.threshold)) {
          throw Violation("A: rank " + std::to_string(i) + " sees rank " + std::to_string(j) + " too far from the truth");
        }
      }
    }
  }

  [[nodiscard]] std::uint64_t hash() const {
    StateHash hash;
    for (const Machine& machine : machines_) {
      add(hash, machine.unsent());
      for (Rank rank = 0; rank < num_ranks(); ++rank) {
        add(hash, machine.view()[rank]);
        hash.add(machine.is_listening(rank));
      }
    }
    for (const RankState& state : ranks_) {
      const auto& [num_decisions, num_variations, has_given_up, running, varied] = state;
      hash.add(num_decisions);
      hash.add(num_variations);
      hash.add(has_given_up);
      hash.add(running.size());
      for (const Load& cost : running) {
        add(hash, cost);
      }
    }
    loads_.add_to(hash, [&](const LoadMessage& message) { add(hash, message); });
    tasks_.add_to(hash, [&](const Task& task) { add(hash, task.cost); });
    return hash.value();
  }

  [[nodiscard]] friend std::string to_string(const Step& step) {
    const std::string who = std::to_string(step.from);
    switch (step.kind) {
      case Step::Kind::decide:
        return who + " decides";
      case Step::Kind::give_up:
        return who + " gives up";
      case Step::Kind::vary:
        return who + " varies";
      case Step::Kind::end_task:
        return who + " ends a task";
      case Step::Kind::deliver_load:
        return who + " > " + std::to_string(step.to);
      case Step::Kind::deliver_task:
        return who + " > " + std::to_string(step.to) + " (task)";
    }
    return {};
  }

 private:
  struct Shared {
    IncrementsSetup setup;
    CatchingSink sink;
  };

  struct RankState {
    std::size_t num_decisions = 0;
    std::size_t num_variations = 0;
    bool has_given_up = false;
    std::vector<Load> running;  // costs of the tasks that have arrived and not ended
    Load varied;                // by variations apart from tasks; follows from num_variations
  };

  [[nodiscard]] Rank num_ranks() const { return static_cast<Rank>(shared_->setup.choices.size()); }

  [[nodiscard]] bool watches(Rank rank, Rank other) const {
    return !shared_->setup.watchers || shared_->setup.watchers->watches(rank, other);
  }

  [[nodiscard]] bool may_decide(Rank rank) const { return ranks_[rank].num_decisions < shared_->setup.choices[rank].size(); }

  void decide(Rank rank) {
    const std::vector<Assignment>& chosen = shared_->setup.choices[rank][ranks_[rank].num_decisions++];
    if (shared_->setup.gives_up_too_early && !ranks_[rank].has_given_up && !may_decide(rank)) {
      give_up_too_early(rank);
      return;
    }
    std::vector<Rank> candidates;
    for (const auto& [slave, reserved] : chosen) {
      candidates.push_back(slave);
      tasks_.push(rank, slave, {reserved, reserved + shared_->setup.surplus});
    }
    check_conservation(rank, "N");
    machines_[rank].want_to_decide(candidates);
    machines_[rank].decide(chosen);
  }

  // Informs the others, and keeps the last decision for later.
  void give_up_too_early(Rank rank) {
    ranks_[rank].num_decisions -= 1;
    ranks_[rank].has_given_up = true;
    for (Rank to = 0; to < num_ranks(); ++to) {
      if (to != rank) {
        loads_.push(rank, to, {.kind = LoadMessageKind::no_more_master});
      }
    }
  }

  void vary(Rank rank, const Load& change) {
    machines_[rank].vary(change);
    ranks_[rank].varied += change;
  }

  void begin_task(Rank rank, const Task& task) {
    ranks_[rank].running.push_back(task.cost);
    std::sort(ranks_[rank].running.begin(), ranks_[rank].running.end(),
              [](const Load& a, const Load& b) { return a.flops < b.flops; });
    machines_[rank].task_arrived(task.cost, task.reserved);
  }

  void end_task(Rank rank, std::size_t task) {
    std::vector<Load>& running = ranks_[rank].running;
    const Load cost = running[task];
    running.erase(running.begin() + task);
    if (!shared_->setup.ends_tasks_silently) {
      machines_[rank].vary(-cost);
    }
  }

  void post(Rank from) {
    for (auto& [to, message] : shared_->sink.take()) {
      loads_.push(from, to, std::move(message));
    }
  }

  // Load that messages under way to `to` assign to `slave`.
  [[nodiscard]] Load assigned_under_way(Rank slave, Rank to) const {
    Load sum;
    for (Rank from = 0; from < num_ranks(); ++from) {
      for (const LoadMessage& message : loads_.between(from, to)) {
        for (const Assignment& assignment : message.assignments) {
          sum += assignment.rank == slave ? assignment.load : Load{};
        }
      }
    }
    return sum;
  }

  [[nodiscard]] Load updates_under_way(Rank from, Rank to) const {
    Load sum;
    for (const LoadMessage& message : loads_.between(from, to)) {
      sum += message.kind == LoadMessageKind::update ? message.load : Load{};
    }
    return sum;
  }

  void check_conservation(Rank i, const std::string& name) const {
    for (Rank j = 0; j < num_ranks(); ++j) {
      if (i != j && watches(i, j) &&
          machines_[i].view()[j] + updates_under_way(j, i) + assigned_under_way(j, i) + machines_[j].unsent() !=
              machines_[j].load() + assigned_under_way(j, j)) {
        throw Violation(name + ": the view that rank " + std::to_string(i) + " has of rank " + std::to_string(j));
      }
    }
  }

  void check_own_loads() const {
    for (Rank rank = 0; rank < num_ranks(); ++rank) {
      Load expected = ranks_[rank].varied;
      for (const Load& cost : ranks_[rank].running) {
        expected += cost;
      }
      for (Rank from = 0; from < num_ranks(); ++from) {
        for (const Task& task : tasks_.between(from, rank)) {
          expected += task.reserved;
        }
      }
      if (machines_[rank].load() + assigned_under_way(rank, rank) != expected) {
        throw Violation("T: the own load of rank " + std::to_string(rank));
      }
    }
  }

  std::shared_ptr<Shared> shared_;
  std::vector<Machine> machines_;
  MessageQueues<LoadMessage> loads_;
  MessageQueues<Task> tasks_;
  std::vector<RankState> ranks_;
};

}  // namespace frond::test
