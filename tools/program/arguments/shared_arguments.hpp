// SPDX-License-Identifier: BSD-3-Clause
// Options that several commands have.
#pragma once

#include <string>
#include <vector>

#include "frond/analysis_options.hpp"
#include "tools/program/arguments/command_line.hpp"

namespace frond {

class CommandOptions;

/// `--only`, pivot results alone, without keeping factors. As on the command line, each once: any of inertia, rank, determinant;
/// empty: everything, and a solve.
using OnlyArgument = std::vector<std::string>;

CLI::Option* add_only_option(CLI::App& command, OnlyArgument& only, const std::string& help);

[[nodiscard]] inline KeptFactors kept_factors(const OnlyArgument& only) {
  return only.empty() ? KeptFactors::all : KeptFactors::none;
}

/// Options for dealing out the systems of a batch, in real runs and in simulations.
struct DealingArguments {
  std::string chunks = "ss";
  std::string reissue = "on";
};

void add_chunks_option(const CommandOptions& options, DealingArguments& arguments);
void add_reissue_option(const CommandOptions& options, DealingArguments& arguments);

/// Options with which frond analyze and frond simulate advise on processes and on checkpoints.
struct AdviceArguments {
  bool advises = false;
  std::string max_memory_per_rank;
  std::string mean_time_between_failures;  ///< TIME; empty: no failures
  std::string checkpoint_folder = ".";     ///< its disk is measured
};

/// Adds --advise with this help and the options that require it; returns the former.
CLI::Option* add_advice_options(const CommandOptions& options, AdviceArguments& arguments, const std::string& help);

/// Returns seconds. Throws UsageError unless they are positive.
double check_failure_time(const std::string& time);

}  // namespace frond
