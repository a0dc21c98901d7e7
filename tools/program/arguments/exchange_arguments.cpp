// SPDX-License-Identifier: BSD-3-Clause
// Adds the options that control how processes learn each other's load.
#include "tools/program/arguments/exchange_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "frond/error.hpp"
#include "loadinfo/mechanisms/mechanism.hpp"
#include "loadinfo/self_scheduling/chunk_rule.hpp"
#include "tools/program/arguments/number_check.hpp"

namespace frond {

void add_work_options(CLI::App& command, const std::string& group, std::string& work, std::string& chunks) {
  command
      .add_option(
          "--work", work,
          "Let a process without work take subtrees that others have not begun, and slow ones have smaller shares of fronts: "
          "static, never; ring, asking one after the other; random; loaded, those first that have most to do; pool, where "
          "the first process gives parts of subtrees to all (default: ring)")
      ->check(CLI::IsMember({"static", "ring", "random", "loaded", "pool"}))
      ->capture_default_str()
      ->type_name("HOW")
      ->group(group);
  command
      .add_option(
          "--chunks", chunks,
          fmt::format("With --work pool, give them in chunks by RULE: {} (default: fac)", fmt::join(chunk_kind_names(), ", ")))
      ->check(CLI::IsMember(chunk_kind_names()))
      ->type_name("RULE")
      ->group(group);
}

ChunkKind parse_chunks(const std::string& work, const std::string& chunks) {
  if (!chunks.empty() && work != "pool") {
    throw UsageError(fmt::format("--chunks {} is a rule for --work pool: add that, or leave it out", chunks));
  }
  return chunks.empty() ? ChunkKind::fac : parse_chunk_kind(chunks);
}

void add_exchange_options(CLI::App& command, const std::string& group, ExchangeArguments& arguments) {
  command
      .add_option("--load-exchange", arguments.load_exchange,
                  fmt::format("Let processes know each other's load by {} (default: {})", fmt::join(load_mechanism_names(), ", "),
                              arguments.load_exchange))
      ->check(CLI::IsMember(load_mechanism_names()))
      ->capture_default_str()
      ->type_name("HOW")
      ->group(group);
  command.add_option("--schedule", arguments.schedule, "Balance flops or memory by dynamic decisions (default: flops)")
      ->check(CLI::IsMember({"flops", "memory"}))
      ->capture_default_str()
      ->type_name("WHAT")
      ->group(group);
  add_work_options(command, group, arguments.work, arguments.chunks);
  command
      .add_option("--load-thread", arguments.load_thread,
                  "Serve load messages by a thread of each process while it computes: on or off (default: on)")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str()
      ->type_name("on|off")
      ->group(group);
  command
      .add_option("--load-period", arguments.load_period_us,
                  "Look for load messages every US microseconds while they come (1 to 1000000; default: 50)")
      ->check(integer_between(1, 1000000))
      ->capture_default_str()
      ->type_name("US")
      ->group(group);
}

}  // namespace frond
