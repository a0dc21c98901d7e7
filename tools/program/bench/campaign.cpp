// SPDX-License-Identifier: BSD-3-Clause
// Runs one process after another.
#include "tools/program/bench/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "frond/error.hpp"
#include "frond/files.hpp"
#include "tools/program/process/child_process.hpp"
#include "tools/program/process/exit_code.hpp"
#include "tools/program/process/memory_probe.hpp"
#include "tools/program/process/progress_bar.hpp"

namespace frond {
namespace {

using SortedJson = nlohmann::json;

constexpr const char* kThisProgram = "/proc/self/exe";
constexpr double kSolvePatience = 3600;  // seconds for Frond to solve a problem once
constexpr double kLeastLimit = 60;       // seconds granted to every peer
constexpr double kLimitOverFrond = 10;   // or this multiple of Frond's time

SortedJson parse_object(const std::string& text) {
  SortedJson json = SortedJson::parse(text, nullptr, false);
  return json.is_object() ? json : SortedJson();
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') {
    text.pop_back();
  }
  return text.substr(text.rfind('\n') + 1);
}

// Returns real operations per scalar operation, relative to a real scalar: a complex multiplication and addition take eight, a real
// pair two.
double real_operations(bool is_complex) { return is_complex ? 4 : 1; }

void note_problem(const SortedJson& run, BenchResult& result) {
  result.order = run.at("n");
  result.num_entries = run.at("nnz");
  result.is_complex = run.at("field") == "complex";
  result.method = run.at("method");
  result.flops = real_operations(result.is_complex) * run.at("elimination_flops").get<double>();
}

// Returns why a problem that Frond has tried to solve is left out; empty if it is not.
std::string objection_to(const ChildResult& child, const SortedJson& run, double least_factor_seconds) {
  if (child.timed_out) {
    return fmt::format("Frond did not solve it within {:.0f} s", child.seconds);
  }
  if (run.is_null()) {
    return last_line(child.errors);
  }
  if (child.exit_code != static_cast<int>(ExitCode::success)) {
    return run.at("description");
  }
  const double seconds = run.at("factor_seconds");
  return seconds < least_factor_seconds ? fmt::format("Frond factorizes it in {:.3f} s, less than asked for", seconds) : "";
}

}  // namespace

Campaign::Campaign(CampaignPlan plan) : plan_(std::move(plan)), jobs_(plan_.problems.size()) {
  results_.missing = plan_.peers.missing;
  results_.has_same_ordering = plan_.has_same_ordering;
  results_.num_again = plan_.num_again;
  for (const BenchProblem& problem : plan_.problems) {
    BenchResult& result = results_.problems.emplace_back();
    result.problem = problem.name;
    result.error = "was not reached";
  }
}

void Campaign::run(std::function<bool()> wants_stop, const std::function<void(const BenchResults&)>& tell) {
  wants_stop_ = std::move(wants_stop);
  for (std::size_t problem = 0; problem < jobs_.size() && !wants_stop_(); ++problem) {
    prepare(problem);
  }
  for (int round = 0; round < plan_.num_rounds && !wants_stop_(); ++round) {
    measure_machine_speeds();
    for (std::size_t problem = 0; problem < jobs_.size(); ++problem) {
      measure(problem, round);
    }
    results_.num_rounds += wants_stop_() ? 0 : 1;
    tell(results_);
  }
}

void Campaign::prepare(std::size_t problem) {
  const ProgressBar bar(fmt::format("preparing {}", plan_.problems[problem].name), stderr);
  jobs_[problem].question.matrix = matrix_file(problem);
  if (const std::optional<ModelSize>& model = plan_.problems[problem].model) {
    write_matrix(jobs_[problem].question.matrix, generate(model->kind, model->n, 1));
  }
  solve_once(problem);
  if (results_.problems[problem].error.empty()) {
    results_.problems[problem].entries = contestants();
  }
}

std::string Campaign::matrix_file(std::size_t problem) const {
  const std::string& file = plan_.problems[problem].file;
  return file.empty() ? folder_.file(fmt::format("{}.mtx", problem)) : file;
}

// Determines the method that can factorize it, its cost by exact column counts, and its time.
void Campaign::solve_once(std::size_t problem) {
  PeerQuestion& question = jobs_[problem].question;
  BenchResult& result = results_.problems[problem];
  const std::string ordering = folder_.file(fmt::format("{}.ordering", problem));
  const int num_threads = *std::max_element(plan_.threads.begin(), plan_.threads.end());
  const ChildResult child = run_child({kThisProgram, "solve", question.matrix, "--json", "-", "--write-ordering", ordering,
                                       "--threads", std::to_string(num_threads)},
                                      plan_.seconds_limit > 0 ? plan_.seconds_limit : kSolvePatience,
                                      {measuring_environment(true, num_threads), wants_stop_});
  if (wants_stop_()) {
    return;  // the process was ended because of it
  }
  const SortedJson run = parse_object(child.output);
  result.error = objection_to(child, run, plan_.least_factor_seconds);
  if (!run.is_null()) {
    note_problem(run, result);
    question.method = result.method;
    question.num_again = plan_.num_again;
    question.refines = plan_.refines;
    question.ordering = plan_.has_same_ordering ? ordering : "";
    question.seconds_limit = plan_.seconds_limit > 0 ? plan_.seconds_limit : std::max(kLeastLimit, kLimitOverFrond * child.seconds);
    jobs_[problem].peak_bytes = run.at("peak_bytes");
  }
}

// Threads in one process, and several processes of one thread each. The setting that suits a peer's threads is determined.
std::vector<BenchEntry> Campaign::contestants() const {
  std::vector<BenchEntry> entries;
  for (const PeerProgram& program : plan_.peers.programs) {
    for (const Rank num_ranks : plan_.ranks) {
      for (const int num_threads : num_ranks == 1 ? plan_.threads : std::vector<int>{1}) {
        for (const ThreadSetting& setting : thread_settings(program.is_frond() ? 1 : num_threads)) {
          entries.emplace_back().contestant = {program, num_threads, num_ranks, setting};
        }
      }
    }
  }
  return entries;
}

std::vector<int> Campaign::core_counts_wanted() const {
  std::set<int> counts(plan_.ranks.begin(), plan_.ranks.end());
  counts.insert(plan_.threads.begin(), plan_.threads.end());
  return {counts.begin(), counts.end()};
}

void Campaign::measure_machine_speeds() {
  for (const int num_threads : core_counts_wanted()) {
    const ChildResult child = run_child({kThisProgram, "machine", "--threads", std::to_string(num_threads), "--json"}, kLeastLimit,
                                        {measuring_environment(true, num_threads), wants_stop_});
    if (const SortedJson json = parse_object(child.output); !json.is_null()) {
      results_.machine.push_back(machine_speed_from(json));
    } else if (!wants_stop_()) {
      throw InternalError(fmt::format("DGEMM and memory bandwidth could not be measured: {}", child.errors));
    }
  }
}

void Campaign::measure(std::size_t problem, int round) {
  Job& job = jobs_[problem];
  for (BenchEntry& entry : results_.problems[problem].entries) {
    if (!entry.error.empty() || !entry.skipped.empty() || wants_stop_()) {
      continue;
    }
    const Contestant& contestant = entry.contestant;
    const ProgressBar bar(
        fmt::format("round {} of {}: {}, {}", round + 1, plan_.num_rounds, plan_.problems[problem].name, contestant.label()),
        stderr);
    job.question.num_threads = contestant.num_threads;
    job.question.num_ranks = contestant.num_ranks;
    job.question.setting = contestant.setting;
    touch_memory(job.peak_bytes);
    PeerAnswer answer = ask_peer(contestant.program, job.question, wants_stop_);
    if (wants_stop_()) {
      return;  // the process was ended because of it
    }
    entry.solver = answer.solver;
    entry.error = answer.error;
    entry.skipped = answer.skipped;
    job.peak_bytes = std::max(job.peak_bytes, answer.peak_bytes);
    if (answer.error.empty() && answer.skipped.empty()) {
      entry.runs.push_back(std::move(answer));
    }
  }
  leave_out_slower_settings(results_.problems[problem]);
}

}  // namespace frond
