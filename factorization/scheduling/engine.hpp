// SPDX-License-Identifier: BSD-3-Clause
// The scheduler of one rank: a state machine that receives events and answers with the tasks to start. It never waits or computes.
#pragma once

#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "factorization/scheduling/active_tasks.hpp"
#include "factorization/scheduling/front_part.hpp"

namespace frond {

/// Receives the events of the tasks under way, one at a time.
class TaskEvents {
 public:
  virtual ~TaskEvents() = default;
  virtual void on_assembled(TaskId id) = 0;  ///< a front has taken its children's contribution blocks, their memory is free
  virtual void on_finished(TaskId id) = 0;   ///< the task is done, its output waits for the parent; its workspace is free
  /// A task that one worker has done in one go has taken this many seconds.
  virtual void on_timed(TaskId /*id*/, double /*seconds*/) {}
  virtual void on_step(FrontPart part, PartStep step) = 0;  ///< of a row-distributed front; the last one finishes the part
  virtual void stop() = 0;                                  ///< something failed; nothing more may start
};

/// Runs the tasks that the engine starts, on real fronts or on ghosts of them. start() returns at once; later events go to
/// TaskEvents.
class Numerics {
 public:
  virtual ~Numerics() = default;
  virtual void start(TaskId task) = 0;
};

struct EngineOptions {
  Rank rank = 0;                    ///< whose tasks it schedules
  Index max_active = 1;             ///< tasks under way at a time
  Count ahead_limit_bytes = -1;     ///< active memory that tasks started ahead of the sequential order may hold; -1: no limit
  std::vector<TaskId> coming = {};  ///< held tasks whose fronts have not arrived yet, increasing
};

/// Decides which ready task starts when. Tasks are preferred in postorder; others run ahead of it to keep all workers busy.
///
/// Memory: the task whose turn it is in the sequential order starts whatever memory is in use, since the sequential peak is set
/// aside for it; tasks ahead of their turn start only while all of those together stay within `ahead_limit_bytes`. So no limit that
/// admits the sequential traversal can stall.
///
/// Over several ranks, each has an engine for its own tasks. A task is *gathered* if its front is row-distributed or if some
/// child's output comes in streams from another task; it becomes ready when its direct children are finished and on_gathered()
/// reports that the rest has arrived. The first of all tasks in the sequential order that is not finished has only finished
/// children, and it is its rank's turn to start it: so no rank waits forever.
///
/// A task that may move can be given to another engine with all tasks below it, if none of them has begun. They are *guests* there,
/// a unit with a sequential order and a turn of its own: that engine has set memory for the peak of this order aside beforehand, so
/// that the task whose turn it is starts when a worker is free.
class Engine final : public TaskEvents {
 public:
  Engine(const TaskGraph& graph, Numerics& numerics, EngineOptions options);

  void start();  ///< event: begin
  void on_assembled(TaskId id) override;
  void on_finished(TaskId id) override;
  void on_step(FrontPart part, PartStep step) override;
  void on_expected(TaskId id, Count bytes);  ///< event: memory was taken for streams to a gathered task
  void on_gathered(TaskId id);               ///< event: all of them have arrived
  void on_sent(TaskId id);                   ///< event: the output of an own task has been sent in streams, its memory is free
  void on_come(TaskId id);                   ///< event: the front of a held task has arrived
  void stop() override { stopped_ = true; }

  /// True if a worker has nothing to do, not even to help with a large front.
  [[nodiscard]] bool has_idle_worker() const { return ready_.empty() && has_free_worker() && active_.are_all_subtrees(); }
  /// Returns the bytes that guests may take in addition to all that is planned; set_aside() reserves them, or gives them back.
  [[nodiscard]] Count bytes_for_guests() const;
  void set_aside(Count bytes) { set_aside_bytes_ += bytes; }
  void take_guests(TaskId top);  ///< the unit of a task, for which memory was set aside
  /// Gives away units from the end of the sequential order and returns their tops: as much work as fits in `share` of all that may
  /// move and has not begun, but at least one task, and at most `most_bytes` of memory together.
  [[nodiscard]] std::vector<TaskId> give_last(Count most_bytes, double share);
  /// withhold() keeps the unit of this task from beginning before permit(), or for good when all of the unit is given away.
  void withhold(TaskId top);
  void permit(TaskId top);
  void give(TaskId top);
  /// True if a worker is free and the next task in the sequential order waits for permission.
  [[nodiscard]] bool waits_for_permission() const {
    return turn_ < graph_.num_tasks() && of(turn_).is_withheld && has_free_worker();
  }
  [[nodiscard]] Index num_movable() const { return num_movable_; }             ///< leaves that may be given away
  [[nodiscard]] const std::vector<TaskId>& guests() const { return guests_; }  ///< tops of the units that were taken so far
  [[nodiscard]] bool is_here(TaskId id) const { return of(id).place != Place::elsewhere; }  ///< and done here

  /// Tasks ahead of their turn that would bring active memory above the limit are put off while others are under way, whose ends
  /// trigger another try; -1: no limit.
  void set_soft_limit(Count bytes) { soft_limit_bytes_ = bytes; }

  /// While held back, the engine starts nothing. Releasing it starts all tasks that may start.
  void hold_back() { is_held_back_ = true; }
  void release();

  /// While paused, the engine starts only gathered tasks, whose children have given up their rows. The first of all its tasks goes
  /// before them if there is no memory for any.
  void pause(bool is_on) { is_paused_ = is_on; }
  /// True if no task has to finish.
  [[nodiscard]] bool is_at_rest() const { return active_.num_running() == 0 && num_ready_gathered_ == 0; }
  /// True if it is paused but cannot come to rest, all tasks that may start having started.
  [[nodiscard]] bool is_stuck() const { return is_blocked() && !ready_.contains(turn_); }

  [[nodiscard]] bool is_finished(TaskId id) const { return of(id).state == State::finished; }
  [[nodiscard]] bool finished() const { return num_finished_ == num_own_; }  ///< all own tasks are finished
  [[nodiscard]] const ActiveTasks& active() const { return active_; }
  [[nodiscard]] Count num_put_off() const { return num_put_off_; }  ///< how often a task was put off so far
  /// Of own tasks that are ready or running, and of all guests.
  [[nodiscard]] double pending_flops() const { return pending_flops_; }

 private:
  enum class State : unsigned char { waiting, ready, running, finished };
  enum class Place : unsigned char { elsewhere, here, guest };  // here: by plan, and not given away; guest: taken from another rank

  struct Progress {
    Place place = Place::elsewhere;
    State state = State::waiting;
    bool is_withheld = false;
    bool is_gathered = false;
    Index waits_for = 0;     // direct children that are not finished, and one more until a gathered task is gathered
    Count held_bytes = 0;    // since it started: workspace and output
    Count stream_bytes = 0;  // gathered, for streams

    [[nodiscard]] Count bytes() const { return held_bytes + stream_bytes; }
  };

  /// A unit taken from another rank, until its output is gone.
  struct GuestUnit {
    TaskId turn = 0;      // the first of its tasks that is not finished
    Count set_aside = 0;  // for what its tasks hold up to its turn
  };

  [[nodiscard]] Progress& of(TaskId id) { return progress_[id]; }
  [[nodiscard]] const Progress& of(TaskId id) const { return progress_[id]; }
  [[nodiscard]] bool is_guest(TaskId id) const { return of(id).place == Place::guest; }
  [[nodiscard]] bool is_own(TaskId id) const { return is_here(id) && !graph_.task(id).is_stored && !graph_.task(id).is_held; }
  [[nodiscard]] TaskId turn_of(TaskId id) const;
  [[nodiscard]] bool is_ahead(TaskId id) const { return id > turn_of(id); }
  [[nodiscard]] bool has_turn(TaskId id) const { return id == turn_of(id); }
  [[nodiscard]] bool has_free_worker() const { return active_.num_sequential() < options_.max_active; }
  [[nodiscard]] bool is_blocked() const { return is_paused_ && active_.num_running() == 0 && num_ready_gathered_ > 0; }
  [[nodiscard]] bool may_start(TaskId id) const;
  [[nodiscard]] bool is_put_off(TaskId id) const;
  void hold_output(TaskId id);
  void free_output(TaskId id);
  void wait_less(TaskId id);
  [[nodiscard]] bool is_untouched(const MovableUnit& unit, TaskId top) const {
    return std::distance(movable_.lower_bound(unit.first), movable_.upper_bound(top)) == top - unit.first + 1;
  }
  void make_ready(TaskId id);
  void make_unready(TaskId id);
  void count_ready(TaskId id, Index change);
  void start_tasks();
  void start_turn();
  void begin(TaskId id);
  void advance_turn() { advance(turn_, graph_.num_tasks(), false); }
  void advance(TaskId& turn, TaskId end, bool is_of_guests);
  void shrink_unit(TaskId top);

  const TaskGraph& graph_;
  Numerics& numerics_;
  EngineOptions options_;
  std::vector<Progress> progress_;  // [task]
  ActiveTasks active_;
  std::set<TaskId> ready_;
  Index num_movable_ = 0;            // of these, leaves that may move and are not guests
  Index num_ready_distributed_ = 0;  // of these, those of other types than 1
  Index num_ready_gathered_ = 0;
  std::set<TaskId> movable_;  // may move, are not guests, and have not begun
  double movable_flops_ = 0;  // of these
  std::vector<TaskId> guests_;
  std::map<TaskId, GuestUnit> units_;  // [top]
  Count set_aside_bytes_ = 0;          // for coming guests, their turns, and their factors
  TaskId turn_ = 0;                    // the first own task that is not finished
  Index num_own_ = 0;
  Index num_finished_ = 0;
  Count num_put_off_ = 0;
  Count soft_limit_bytes_ = -1;
  Count ahead_bytes_ = 0;  // held by tasks behind turn_, or that of their unit
  double pending_flops_ = 0;
  bool is_held_back_ = false;
  bool is_paused_ = false;
  bool stopped_ = false;
};

}  // namespace frond
