// SPDX-License-Identifier: BSD-3-Clause
// What processes are told about each other's load.
#include "tools/arguments/exchange_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "loadinfo/mechanism.hpp"

namespace frond {

void add_exchange_options(CLI::App& command, const std::string& group, ExchangeArguments& arguments) {
  command
      .add_option("--load-exchange", arguments.load_exchange,
                  fmt::format("how processes know each other's load: {}", fmt::join(load_mechanism_names(), ", ")))
      ->check(CLI::IsMember(load_mechanism_names()))
      ->capture_default_str()
      ->type_name("HOW")
      ->group(group);
  command.add_option("--schedule", arguments.schedule, "what dynamic decisions balance: flops or memory")
      ->check(CLI::IsMember({"flops", "memory"}))
      ->capture_default_str()
      ->type_name("WHAT")
      ->group(group);
  command.add_option("--load-thread", arguments.load_thread, "on: a thread of each process serves load messages while it computes")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str()
      ->type_name("on|off")
      ->group(group);
  command.add_option("--load-period", arguments.load_period_us, "microseconds between its looks for messages while they come")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str()
      ->type_name("US")
      ->group(group);
}

}  // namespace frond
