// SPDX-License-Identifier: BSD-3-Clause
// Runs a process for each matrix and solver.
#include "tools/program/labels/label_campaign.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <utility>

namespace frond {
namespace {

const char* word(Agreement agreement) { return agreement == Agreement::yes ? "yes" : agreement == Agreement::no ? "NO" : "-"; }

// Replaces characters that would end a field of the table.
std::string on_one_line(std::string text) {
  for (char& character : text) {
    if (character == '\t' || character == '\n') {
      character = ' ';
    }
  }
  return text;
}

bool is_answer(const PeerAnswer& answer) { return answer.error.empty() && answer.skipped.empty(); }

std::string in_words(const PeerAnswer& answer, SolverOutcome outcome) {
  std::string words = to_string(outcome);
  if (is_answer(answer)) {
    words += fmt::format(", errors {:.1e} and {:.1e}", answer.backward_error, answer.componentwise_backward_error);
  }
  const std::string& reason = answer.error.empty() ? answer.skipped : answer.error;
  return reason.empty() ? words : words + ": " + on_one_line(reason);
}

std::string tsv_number(double value) { return std::isnan(value) ? "-" : fmt::format("{:.3e}", value); }

}  // namespace

LabelCampaign::LabelCampaign(LabelCampaignPlan plan) : plan_(std::move(plan)) {
  standings_.push_back({"frond"});
  for (const PeerProgram& peer : plan_.peers) {
    standings_.push_back({peer.name});
  }
  tsv_ = "file\tlabel\tn\tnnz\tmethod\tsolver\toutcome\tbackward_error\tcomponentwise_backward_error\twords\n";
  fmt::print("{:<44} {:>8} {:>9} {:>8} {:>8} {:>8}  {:<22} {:<30} {}\n", "matrix", "n", "nnz", "method", "seconds", "error",
             "label", "verdict", "agrees");
}

void LabelCampaign::check(const LabelledMatrix& matrix) {
  const ChildResult child = solve(plan_.directory + "/" + matrix.file);
  if (plan_.wants_stop && plan_.wants_stop()) {
    return;
  }
  const LabelCheck check = check_label(matrix, child, plan_.largest);
  fmt::print("{:<44} {:>8} {:>9} {:>8} {:>8.2f} {:>8}  {:<22} {:<30} {}{}{}\n", matrix.file, check.order, check.num_entries,
             check.method, child.seconds, check.error, matrix.label, check.verdict, word(check.agreement),
             check.contradictions.empty() ? "" : ": ", fmt::join(check.contradictions, ", "));
  ++num_matrices_;
  num_agreeing_ += check.agreement == Agreement::yes ? 1 : 0;
  num_disagreeing_ += check.agreement == Agreement::no ? 1 : 0;
  note(matrix, check, standings_.front(), outcome_of(check),
       fmt::format("{}\t{}\t{}", check.error, tsv_number(check.componentwise_error), on_one_line(check.verdict)));
  ask_peers(matrix, check);
  std::fflush(stdout);
}

ChildResult LabelCampaign::solve(const std::string& path) const {
  // By its name: for processes started by a launcher, /proc/self/exe is the launcher.
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<std::string> arguments = {
      program, "solve", path, "--json", "-", "--threads", std::to_string(plan_.num_threads), "--memory-limit", plan_.memory_limit};
  if (plan_.num_ranks > 1) {
    arguments.insert(arguments.begin(), {"mpiexec.mpich", "-n", std::to_string(plan_.num_ranks)});
  }
  return run_child(arguments, plan_.time_limit, {.wants_stop = plan_.wants_stop});
}

// If Frond could not read a matrix, there is no method to request from peers.
void LabelCampaign::ask_peers(const LabelledMatrix& matrix, const LabelCheck& check) {
  std::vector<std::string> solvers;
  for (std::size_t k = 0; k < plan_.peers.size() && check.method != "-"; ++k) {
    const PeerQuestion question{.matrix = plan_.directory + "/" + matrix.file,
                                .method = check.method,
                                .ordering = {},
                                .seconds_limit = plan_.time_limit,
                                .num_factorizations = 1,
                                .refines = true};
    const PeerAnswer answer = ask_peer(plan_.peers[k], question, plan_.wants_stop);
    if (plan_.wants_stop && plan_.wants_stop()) {
      return;
    }
    const SolverOutcome outcome = outcome_of(answer, plan_.largest);
    const std::string words = in_words(answer, outcome);
    fmt::print("  {:<12} {}\n", plan_.peers[k].name, words);
    note(matrix, check, standings_[k + 1], outcome,
         fmt::format("{}\t{}\t{}", is_answer(answer) ? tsv_number(answer.backward_error) : "-",
                     is_answer(answer) ? tsv_number(answer.componentwise_backward_error) : "-", words));
    if (outcome == SolverOutcome::solved) {
      solvers.push_back(plan_.peers[k].name);
    }
  }
  const bool has_frond_failed = check.agreement != Agreement::yes || (check.is_solved_in_norm && !check.is_solved);
  if (matrix.kind() != LabelKind::singular && has_frond_failed && !solvers.empty()) {
    missed_.push_back(fmt::format("{} ({})", matrix.file, fmt::join(solvers, ", ")));
  }
}

void LabelCampaign::note(const LabelledMatrix& matrix, const LabelCheck& check, Standing& standing, SolverOutcome outcome,
                         const std::string& errors_and_words) {
  standing.count(matrix.kind(), outcome);
  tsv_ += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", matrix.file, matrix.label, check.order, check.num_entries, check.method,
                      standing.solver, to_string(outcome), errors_and_words);
}

std::string LabelCampaign::summary() const {
  std::string text = fmt::format("{} matrices: {} agree with their label, {} do not, {} over the limits\n", num_matrices_,
                                 num_agreeing_, num_disagreeing_, num_matrices_ - num_agreeing_ - num_disagreeing_);
  if (!plan_.peers.empty()) {
    text += describe(standings_);
    text += fmt::format("solved by another and not by Frond: {}\n",
                        missed_.empty() ? "none" : fmt::format("{}", fmt::join(missed_, ", ")));
  }
  return text;
}

}  // namespace frond
