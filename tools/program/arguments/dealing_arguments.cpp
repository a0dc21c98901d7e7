// SPDX-License-Identifier: BSD-3-Clause
// Adds the options for chunks and copies.
#include "tools/program/arguments/dealing_arguments.hpp"

#include <CLI/CLI.hpp>

namespace frond {

void add_chunks_option(CLI::App& command, DealingArguments& arguments) {
  command
      .add_option(
          "--chunks", arguments.chunks,
          "Hand systems to workers by RULE: static, ss (one by one), mfsc, gss, tss, fac, rand, awf-b, awf-c, awf-d, awf-e or af "
          "(default: ss)")
      ->check(CLI::IsMember({"static", "ss", "mfsc", "gss", "tss", "fac", "rand", "awf-b", "awf-c", "awf-d", "awf-e", "af"}))
      ->type_name("RULE");
}

void add_reissue_option(CLI::App& command, const std::string& group, DealingArguments& arguments) {
  command
      .add_option("--reissue", arguments.reissue,
                  "Let a process that finds no system left solve one that another process has not finished; the first result "
                  "counts, and the loss of all processes but the first is survived: on or off (default: on)")
      ->check(CLI::IsMember({"on", "off"}))
      ->type_name("on|off")
      ->group(group);
}

}  // namespace frond
