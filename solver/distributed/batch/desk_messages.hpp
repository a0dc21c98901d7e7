// SPDX-License-Identifier: BSD-3-Clause
// Messages between the workers of a batch and its first process.
//
//   want      worker, seconds of its last chunk     →      grant     worker, tasks; none: no more tasks
//   result    worker, task, bytes                   →
//                                                   ←      drop      task that another one has done
//   need                                            →      shared    bytes of the analysis; none: make your own
//   failed    exception                             →
//                                                   ←      end       whether current tasks are of use; why, unless all is done
//   bye       the last one                          →
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "factorization/ranks/failure.hpp"
#include "loadinfo/messages/byte_stream.hpp"
#include "solver/distributed/batch/task_desk.hpp"

namespace frond {

enum class DeskMessage : std::uint8_t { want, grant, result, drop, need, shared, failed, end, bye };

/// How a run ends.
struct DeskEnd {
  bool calls_off = false;          ///< current tasks are of no use any more
  std::optional<Failure> failure;  ///< none: all is done
};

[[nodiscard]] std::vector<std::byte> want_message(Rank worker, const ChunkSeconds& last);
[[nodiscard]] std::vector<std::byte> grant_message(Rank worker, const std::vector<Count>& tasks);
[[nodiscard]] std::vector<std::byte> result_message(Rank worker, Count task, const std::string& result);
[[nodiscard]] std::vector<std::byte> drop_message(Count task);
[[nodiscard]] std::vector<std::byte> shared_message(std::span<const std::byte> bytes);
[[nodiscard]] std::vector<std::byte> failed_message(const Failure& failure);
[[nodiscard]] std::vector<std::byte> end_message(const DeskEnd& end);
[[nodiscard]] std::vector<std::byte> plain_message(DeskMessage kind);  ///< without fields

// These read what follows the kind.
[[nodiscard]] ChunkSeconds read_seconds(ByteReader& message);
[[nodiscard]] std::string read_result(ByteReader& message);
[[nodiscard]] DeskEnd read_end(ByteReader& message);

}  // namespace frond
