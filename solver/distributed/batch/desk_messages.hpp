// SPDX-License-Identifier: BSD-3-Clause
// Messages between the workers of a batch and its first process: the kind, then the fields.
//
//   want      worker, seconds of its last chunk     →      grant     worker, tasks; none: no more tasks
//   result    worker, task, bytes                   →
//                                                   ←      drop      task that another one has done
//   need                                            →      shared    bytes of the analysis; none: make your own
//   failed    exception                             →
//                                                   ←      end       whether current tasks are of use; why, unless all is done
//   bye       the last one                          →
#pragma once

#include <cstdint>
#include <optional>

#include "factorization/ranks/failure.hpp"
#include "loadinfo/messages/message_fields.hpp"
#include "solver/distributed/batch/task_desk.hpp"

namespace frond {

enum class DeskMessage : std::uint8_t { want, grant, result, drop, need, shared, failed, end, bye };

/// How a run ends.
struct DeskEnd {
  bool calls_off = false;          ///< current tasks are of no use any more
  std::optional<Failure> failure;  ///< none: all is done
};

template <class Fields>
void visit(Fields& fields, ChunkSeconds& seconds) {
  fields(seconds.waiting, seconds.tasks);
}
template <class Fields>
void visit(Fields& fields, DeskEnd& end) {
  fields(end.calls_off, end.failure);
}

}  // namespace frond
