// SPDX-License-Identifier: BSD-3-Clause
// Forwards workers' events to an engine, on the thread of its loop.
#pragma once

#include <utility>

#include "factorization/ranks/call_queue.hpp"
#include "factorization/scheduling/engine.hpp"

namespace frond {

/// Both must outlive it.
class PostedTaskEvents final : public TaskEvents {
 public:
  PostedTaskEvents(CallQueue& calls, TaskEvents& engine) : calls_(calls), engine_(engine) {}

  void on_assembled(TaskId id) override {
    calls_.post([this, id] { engine_.on_assembled(id); });
  }
  void on_finished(TaskId id) override {
    calls_.post([this, id] { engine_.on_finished(id); });
  }
  void on_timed(TaskId id, double seconds) override {
    calls_.post([this, id, seconds] { engine_.on_timed(id, seconds); });
  }
  void on_step(FrontPart part, PartStep step) override {
    calls_.post([this, part, step = std::move(step)]() mutable { engine_.on_step(part, std::move(step)); });
  }
  void stop() override {
    calls_.post([this] { engine_.stop(); });
  }

 private:
  CallQueue& calls_;
  TaskEvents& engine_;
};

}  // namespace frond
