// SPDX-License-Identifier: BSD-3-Clause
// Implements frond check-labels, which solves every matrix of a labelled collection and compares the verdicts with the labels, and
// with the outcomes of other solvers.
#include <fmt/core.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solver/options/byte_size.hpp"
#include "tools/program/arguments/command_options.hpp"
#include "tools/program/arguments/number_check.hpp"
#include "tools/program/arguments/system_arguments.hpp"
#include "tools/program/bench/bench_table.hpp"
#include "tools/program/commands/commands.hpp"
#include "tools/program/labels/label_campaign.hpp"
#include "tools/program/process/atomic_output.hpp"
#include "tools/program/process/stop_signals.hpp"

namespace frond {
namespace {

struct CheckLabelsArguments {
  LabelCampaignPlan plan;  // all but the peers
  std::vector<std::string> peers = {"none"};
  std::string tsv;
};

// Returns the available adapters of other solvers; throws UsageError for unknown names.
std::vector<PeerProgram> peers_of(const std::vector<std::string>& names) {
  if (names == std::vector<std::string>{"none"}) {
    return {};
  }
  PeerSelection selection = select_peers(names, {});
  fmt::print("{}", describe_missing(selection.missing));
  std::erase_if(selection.programs, [](const PeerProgram& peer) { return peer.is_frond(); });
  return selection.programs;
}

ExitCode run_check_labels(const CheckLabelsArguments& arguments) {
  static_cast<void>(parse_byte_size(arguments.plan.memory_limit));  // checked once here rather than in the run of each matrix
  check_file_arguments({}, {{"--tsv", arguments.tsv}});
  LabelCampaignPlan plan = arguments.plan;
  plan.peers = peers_of(arguments.peers);
  const std::vector<LabelledMatrix> labels = read_labels(plan.directory);
  const StopSignals signals;  // otherwise a running child would outlive this process
  plan.wants_stop = [&signals] { return signals.has_come(); };
  LabelCampaign campaign(std::move(plan));
  for (auto matrix = labels.begin(); matrix != labels.end() && !signals.has_come(); ++matrix) {
    campaign.check(*matrix);
  }
  fmt::print("{}{}", campaign.summary(), signals.has_come() ? "interrupted\n" : "");
  write_text_if_asked(arguments.tsv, [&] { return campaign.tsv(); });
  return campaign.num_disagreeing() == 0 && !signals.has_come() ? ExitCode::success : ExitCode::not_solved;
}

}  // namespace

void add_check_labels_command(CLI::App& program, const Launch& launch, ExitCode& result) {
  CLI::App* command = program.add_subcommand(
      "check-labels", "Solve every matrix of a labelled collection and compare the verdicts with the labels");
  command->footer(
      "DIR/LABELS.tsv has one line per matrix with the columns 'file' and 'class': nonsingular, nearly_singular, or another word "
      "for singular. Columns 'numerical_rank', 'pos', 'neg' and 'zero' (eigenvalues by their signs) are compared where they hold "
      "numbers: the rank of singular matrices, the signs of all but nearly singular ones. Each matrix is solved in a process of "
      "its own. Exit code 3 if a result "
      "contradicts its label, or after Ctrl-C.\n\n"
      "With --peers other solvers get the same matrices, each with the refinement that it has, and are judged by the same "
      "errors.\n\n"
      "Examples:\n"
      "  frond check-labels matrices --time-limit 60\n"
      "  frond check-labels matrices --peers mumps,umfpack,eigen --tsv table.tsv");
  const auto arguments = std::make_shared<CheckLabelsArguments>();
  const CommandOptions options(*command);
  LabelCampaignPlan& plan = arguments->plan;
  options.add("directory DIR", plan.directory, "Take LABELS.tsv and the matrices from DIR")->required();
  options.add("--time-limit SECONDS", plan.time_limit, "End each matrix after SECONDS")
      ->check(number_above_0())
      ->capture_default_str();
  options.add("--memory-limit SIZE", plan.memory_limit, "Take at most SIZE for each matrix")->capture_default_str();
  options.add("--threads T", plan.num_threads, "Use T threads for each matrix; 0 stands for all cores")
      ->check(integer_between(0, kMaxThreads))
      ->capture_default_str();
  options.add("--largest-error E", plan.largest.normwise, "Count a normwise backward error up to E as solved")
      ->check(number_above_0())
      ->capture_default_str();
  options
      .add("--largest-componentwise-error E", plan.largest.componentwise,
           "Count solved as right up to the componentwise backward error E")
      ->check(number_above_0())
      ->capture_default_str();
  options.add("--ranks P", plan.num_ranks, "Let Frond solve each matrix in P processes, started by mpiexec.mpich")
      ->check(integer_between(1, 1 << 20))
      ->capture_default_str();
  options
      .add_list("--peers NAME,...", arguments->peers,
                "Check other solvers, too: all, none, or names of adapters as frond bench knows them")
      ->capture_default_str();
  options.add_path("--tsv FILE", arguments->tsv, "Write a line for each matrix and solver to FILE");
  run_alone(*command, arguments, run_check_labels, launch, result);
}

}  // namespace frond
