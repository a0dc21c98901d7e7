// SPDX-License-Identifier: BSD-3-Clause
// Handles the events of the engine.
#include "factorization/scheduling/engine.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace frond {

Engine::Engine(const TaskGraph& graph, Numerics& numerics, EngineOptions options)
    : graph_(graph), numerics_(numerics), options_(std::move(options)), progress_(static_cast<std::size_t>(graph.num_tasks())) {
  const auto is_there = [this](TaskId id) {
    return graph_.task(id).is_held && !std::binary_search(options_.coming.begin(), options_.coming.end(), id);
  };
  for (TaskId id = 0; id < graph.num_tasks(); ++id) {
    const Task& task = graph.task(id);
    of(id).place = task.rank == options_.rank ? Place::here : Place::elsewhere;
    of(id).is_gathered |= task.type != NodeType::sequential;
    if (task.parent != kNoTask && !task.is_stored) {
      const bool is_direct = graph.is_direct(id);
      of(task.parent).waits_for += is_direct && !is_there(id) ? 1 : 0;
      of(task.parent).is_gathered |= !is_direct;
    }
  }
  for (TaskId id = 0; id < graph.num_tasks(); ++id) {
    of(id).waits_for += of(id).is_gathered ? 1 : 0;
    if (is_here(id) && is_there(id)) {
      hold_output(id);
    }
    if (is_own(id)) {
      ++num_own_;
      if (graph.task(id).may_move) {
        movable_.insert(id);
        movable_flops_ += graph.task(id).own_flops;
      }
      if (of(id).waits_for == 0) {
        make_ready(id);
      }
    }
  }
}

void Engine::start() {
  advance_turn();
  start_tasks();
}

void Engine::on_assembled(TaskId id) {
  for (const TaskId child : graph_.children(id)) {
    if (graph_.is_direct(child) || graph_.task(child).may_move) {
      free_output(child);  // nothing for a child that was done elsewhere
    }
  }
  on_expected(id, -of(id).stream_bytes);
  start_tasks();
}

void Engine::on_finished(TaskId id) {
  const Task& task = graph_.task(id);
  of(id).state = State::finished;
  ++num_finished_;
  pending_flops_ -= task.own_flops;
  active_.end(task);
  const Count given_back = task.workspace_bytes + task.passing_bytes;
  of(id).held_bytes -= given_back;
  if (is_ahead(id)) {
    ahead_bytes_ -= given_back;
  }
  if (is_guest(id)) {
    auto& [top, unit] = *units_.lower_bound(id);
    advance(unit.turn, top + 1, true);
    if (unit.turn > top) {
      shrink_unit(top);
    }
  }
  advance_turn();
  if (task.parent != kNoTask && graph_.is_direct(id)) {
    wait_less(task.parent);
  }
  start_tasks();
}

void Engine::on_step(FrontPart part, PartStep step) {
  if (step.finished && part.role == PartRole::master) {
    on_finished(part.task);
  }
}

void Engine::on_expected(TaskId id, Count bytes) {
  of(id).stream_bytes += bytes;
  active_.hold(0, bytes);
  if (is_ahead(id)) {
    ahead_bytes_ += bytes;
  }
}

void Engine::on_gathered(TaskId id) {
  wait_less(id);
  start_tasks();
}

void Engine::release() {
  is_held_back_ = false;
  start_tasks();
}

void Engine::on_sent(TaskId id) {
  free_output(id);
  start_tasks();
}

void Engine::on_come(TaskId id) {
  hold_output(id);
  if (graph_.is_direct(id)) {
    wait_less(graph_.task(id).parent);
  }
  start_tasks();
}

// The output of a held task waits in this rank's memory.
void Engine::hold_output(TaskId id) {
  const Count bytes = graph_.task(id).output_bytes;
  of(id).held_bytes = bytes;
  active_.hold(0, bytes);
  if (id > turn_) {
    ahead_bytes_ += bytes;
  }
}

// A task's output has left this rank's memory.
void Engine::free_output(TaskId id) {
  Count& held = of(id).held_bytes;
  active_.hold(0, -held);
  if (is_ahead(id)) {
    ahead_bytes_ -= held;
  }
  held = 0;
  if (is_guest(id)) {
    shrink_unit(id);
  }
}

void Engine::wait_less(TaskId id) {
  if (--of(id).waits_for == 0) {
    make_ready(id);
  }
}

void Engine::make_ready(TaskId id) {
  of(id).state = State::ready;
  ready_.insert(id);
  count_ready(id, 1);
  pending_flops_ += is_guest(id) ? 0 : graph_.task(id).own_flops;
}

void Engine::make_unready(TaskId id) {
  if (ready_.erase(id) > 0) {
    count_ready(id, -1);
    of(id).state = State::waiting;
    pending_flops_ -= graph_.task(id).own_flops;
  }
}

void Engine::count_ready(TaskId id, Index change) {
  const Task& task = graph_.task(id);
  num_ready_gathered_ += of(id).is_gathered ? change : 0;
  num_ready_distributed_ += task.type == NodeType::sequential ? 0 : change;
  num_movable_ += task.may_move && task.num_children == 0 && !is_guest(id) ? change : 0;
}

Count Engine::bytes_for_guests() const {
  constexpr Count kNoLimit = Count{1} << 60;
  return options_.ahead_limit_bytes < 0 ? kNoLimit
                                        : std::max<Count>(0, options_.ahead_limit_bytes - ahead_bytes_ - set_aside_bytes_);
}

void Engine::take_guests(TaskId top) {
  const MovableUnit& unit = graph_.task(top).unit;
  guests_.push_back(top);
  units_[top] = {unit.first, unit.active_bytes};
  pending_flops_ += unit.flops;  // they must be done here, and nothing else comes before them
  for (TaskId id = unit.first; id <= top; ++id) {
    of(id).place = Place::guest;
    ++num_own_;
    if (of(id).waits_for == 0) {
      make_ready(id);
    }
  }
  start_tasks();
}

// Its fronts wait for their children in any case.
void Engine::withhold(TaskId top) {
  for (TaskId id = graph_.task(top).unit.first; id <= top; ++id) {
    of(id).is_withheld = true;
    make_unready(id);
  }
}

void Engine::permit(TaskId top) {
  for (TaskId id = graph_.task(top).unit.first; id <= top; ++id) {
    of(id).is_withheld = false;
    if (of(id).waits_for == 0) {
      make_ready(id);
    }
  }
  start_tasks();
}

// Gives from the far end, and nothing before a unit that does not fit: so all that lies behind has always been given away, and at
// most the blocks of a traversal from there wait at a time. The task before the top of a unit is the top of its last part; the one
// before its first task is the top of the preceding unit.
std::vector<TaskId> Engine::give_last(Count most_bytes, double share) {
  std::vector<TaskId> tops;
  const double most_flops = movable_flops_ * share;
  double flops = 0;
  Count bytes = 0;
  for (auto last = movable_.rbegin(); last != movable_.rend();) {
    const TaskId top = *last;
    const MovableUnit& unit = graph_.task(top).unit;
    const bool is_leaf = unit.first == top;
    const bool is_enough = flops + unit.flops > most_flops && !(is_leaf && tops.empty());
    const bool fits = bytes + unit.bytes() <= most_bytes;
    if (is_leaf && (is_enough || !fits)) {
      break;
    }
    if (is_enough || !fits || !is_untouched(unit, top)) {
      ++last;
      continue;
    }
    flops += unit.flops;
    bytes += unit.bytes();
    tops.push_back(top);
    last = std::make_reverse_iterator(movable_.lower_bound(unit.first));
  }
  std::for_each(tops.begin(), tops.end(), [this](TaskId top) { give(top); });
  return tops;
}

void Engine::give(TaskId top) {
  for (TaskId id = graph_.task(top).unit.first; id <= top; ++id) {
    make_unready(id);
    movable_.erase(id);
    movable_flops_ -= graph_.task(id).own_flops;
    of(id).place = Place::elsewhere;
    --num_own_;
  }
  advance_turn();
}

// Returns the task whose turn it is in the order of this one: own ones, or those of its unit. There is none once that is done.
TaskId Engine::turn_of(TaskId id) const {
  if (!is_guest(id)) {
    return turn_;
  }
  const auto unit = units_.lower_bound(id);
  return unit == units_.end() ? graph_.num_tasks() : unit->second.turn;
}

// A finished unit keeps only the memory of its output, for as long as that waits.
void Engine::shrink_unit(TaskId top) {
  const auto unit = units_.find(top);
  if (unit == units_.end()) {
    return;
  }
  const Count left = of(top).held_bytes;
  set_aside_bytes_ -= std::exchange(unit->second.set_aside, left) - left;
  if (left == 0) {
    units_.erase(unit);
  }
}

// Starts every ready task that may start, in the sequential order.
void Engine::start_tasks() {
  for (auto next = ready_.begin(); next != ready_.end() && !stopped_ && !is_held_back_;) {
    const TaskId id = *next;
    if (id != turn_ && !has_free_worker() && num_ready_distributed_ == 0) {
      return;  // none may: with thousands of ready subtrees, not one is examined
    }
    if (!may_start(id) || (is_paused_ && !of(id).is_gathered)) {
      ++next;
    } else if (is_put_off(id)) {
      ++num_put_off_;
      ++next;
    } else {
      next = ready_.erase(next);
      begin(id);
    }
  }
  start_turn();
}

// Starts, in a pause, the task whose turn it is, if nothing runs whose end would free memory for gathered tasks.
void Engine::start_turn() {
  if (is_blocked() && !stopped_ && !is_held_back_ && ready_.erase(turn_) > 0) {
    begin(turn_);
  }
}

bool Engine::may_start(TaskId id) const {
  if (id == turn_) {
    return true;
  }
  const Task& task = graph_.task(id);
  if (task.type == NodeType::sequential && !has_free_worker()) {
    return false;
  }
  return options_.ahead_limit_bytes < 0 || has_turn(id) ||
         ahead_bytes_ + set_aside_bytes_ + task.active_bytes() <= options_.ahead_limit_bytes;
}

bool Engine::is_put_off(TaskId id) const {
  const Task& task = graph_.task(id);
  return soft_limit_bytes_ >= 0 && !has_turn(id) && active_.num_running() > 0 &&
         active_.bytes() + task.active_bytes() > soft_limit_bytes_;
}

void Engine::begin(TaskId id) {
  const Task& task = graph_.task(id);
  of(id).state = State::running;
  of(id).held_bytes = task.active_bytes();
  count_ready(id, -1);
  movable_flops_ -= movable_.erase(id) > 0 ? task.own_flops : 0;
  active_.begin(task);
  if (is_ahead(id)) {
    ahead_bytes_ += task.active_bytes();
  }
  numerics_.start(id);
}

// The turn passes tasks that are finished, or not in this order: that of own tasks, or of a unit of guests.
void Engine::advance(TaskId& turn, TaskId end, bool is_of_guests) {
  while (turn < end && (!is_own(turn) || is_guest(turn) != is_of_guests || is_finished(turn))) {
    if (++turn < end && is_guest(turn) == is_of_guests) {
      ahead_bytes_ -= of(turn).bytes();
    }
  }
}

}  // namespace frond
