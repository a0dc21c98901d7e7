// SPDX-License-Identifier: BSD-3-Clause
// Asks peers and reads their answers.
#include "tools/program/bench/peer_answer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "frond/error.hpp"
#include "tools/program/process/child_process.hpp"

namespace frond {
namespace {

using SortedJson = nlohmann::json;

constexpr std::array<std::string_view, 7> kDroppedVariables = {
    "OPENBLAS_CORETYPE=", "OPENBLAS_NUM_THREADS=", "GOTO_NUM_THREADS=", "GLIBC_TUNABLES=",
    "OMP_NUM_THREADS=",   "OMP_WAIT_POLICY=",      "MALLOC_ARENA_MAX="};

constexpr std::string_view kLibraryPath = "LD_LIBRARY_PATH=";

// Large blocks come from the heap, which is kept and uses huge pages: a second factorization finds warm memory.
constexpr const char* kKeptHugePages =
    "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=0x1000000000000";

std::vector<std::string> arguments_of(const PeerProgram& peer, const PeerQuestion& question) {
  std::vector<std::string> arguments = {peer.executable, question.matrix,
                                        "--method",      question.method,
                                        "--threads",     std::to_string(question.num_threads),
                                        "--ranks",       std::to_string(question.num_ranks),
                                        "--repeat",      std::to_string(question.num_factorizations)};
  if (!question.ordering.empty()) {
    arguments.insert(arguments.end(), {"--ordering", question.ordering});
  }
  if (question.num_again > 0) {
    arguments.insert(arguments.end(), {"--again", std::to_string(question.num_again)});
  }
  if (question.refines) {
    arguments.emplace_back("--refine");
  }
  return arguments;
}

// Libraries may print anything; the answer is the last line that is a JSON object.
SortedJson last_object(const std::string& output) {
  SortedJson found;
  std::istringstream stream(output);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with('{')) {
      SortedJson json = SortedJson::parse(line, nullptr, false);
      if (json.is_object()) {
        found = std::move(json);
      }
    }
  }
  return found;
}

// Returns the first line that holds more than rules and blanks.
std::string first_words(const std::string& text) {
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (std::any_of(line.begin(), line.end(), [](unsigned char c) { return std::isalnum(c) != 0; })) {
      return line;
    }
  }
  return {};
}

std::string cause_of_silence(const ChildResult& child) {
  const bool is_signal = child.exit_code > 128 && child.exit_code < 128 + NSIG;
  const std::string end = is_signal ? fmt::format("was ended by signal {}", child.exit_code - 128)
                                    : fmt::format("ended with exit code {}", child.exit_code);
  const std::string errors = first_words(child.errors);
  const std::string said = errors.empty() ? first_words(child.output) : errors;
  return fmt::format("{} without an answer{}{}", end, said.empty() ? "" : ": ", said);
}

// JSON has no infinity: null stands for it.
double error_in(const SortedJson& error) { return error.is_null() ? std::numeric_limits<double>::infinity() : error.get<double>(); }

// Throws SortedJson::exception for figures that are missing or have another type.
void read_figures(const SortedJson& line, PeerAnswer& answer) {
  answer.analysis_seconds = line.at("analysis_seconds");
  answer.factor_seconds = line.at("factor_seconds").get<std::vector<double>>();
  answer.solve_seconds = line.at("solve_seconds").get<std::vector<double>>();
  answer.again_factor_seconds = line.value("again_factor_seconds", answer.again_factor_seconds);
  answer.again_solve_seconds = line.value("again_solve_seconds", answer.again_solve_seconds);
  answer.backward_error = error_in(line.at("backward_error"));
  if (line.contains("componentwise_backward_error")) {
    answer.componentwise_backward_error = error_in(line.at("componentwise_backward_error"));
  }
  answer.factor_entries = line.value("factor_entries", Count{0});
  answer.peak_bytes = line.value("peak_bytes", Count{0});
  answer.factor_peak_bytes = line.value("factor_peak_bytes", Count{0});
  answer.estimated_factor_peak_bytes = line.value("estimated_factor_peak_bytes", Count{0});
  if (answer.factor_seconds.empty() || answer.solve_seconds.empty()) {
    answer.error = "the answer has no times in factor_seconds or solve_seconds";
  } else if (!(answer.judged_error() <= kLargestBackwardError)) {
    answer.error = fmt::format("wrong answer: backward error {:.1e}, above {:.1e}", answer.judged_error(), kLargestBackwardError);
  }
}

PeerAnswer read_answer(const SortedJson& line) {
  PeerAnswer answer;
  try {
    answer.solver = line.value("solver", "");
    answer.error = line.value("error", "");
    answer.skipped = line.value("skipped", "");
    if (answer.error.empty() && answer.skipped.empty()) {
      read_figures(line, answer);
    }
  } catch (const SortedJson::exception& error) {
    answer.error = fmt::format("the answer does not keep to the protocol: {}", error.what());
  }
  return answer;
}

}  // namespace

PeerAnswer ask_peer(const PeerProgram& peer, const PeerQuestion& question, const std::function<bool()>& wants_stop) {
  PeerAnswer answer;
  try {
    const ChildResult child =
        run_child(arguments_of(peer, question), question.seconds_limit,
                  {measuring_environment(peer.is_frond(), question.num_threads, question.setting), wants_stop});
    const SortedJson line = last_object(child.output);
    answer.is_over_limit = child.timed_out;
    if (child.timed_out) {
      answer.error = fmt::format("was stopped after {:.0f} s", child.seconds);
    } else if (line.is_null()) {
      answer.error = cause_of_silence(child);
    } else {
      answer = read_answer(line);
    }
  } catch (const InternalError& error) {
    answer.error = error.what();
  }
  return answer;
}

std::vector<std::string> measuring_environment(bool is_frond, int num_threads, const ThreadSetting& setting) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (std::none_of(kDroppedVariables.begin(), kDroppedVariables.end(),
                     [text](std::string_view name) { return text.starts_with(name); })) {
      variables.emplace_back(text);
    }
  }
  if (!is_frond) {
    variables.insert(variables.end(), {kKeptHugePages, fmt::format("OMP_NUM_THREADS={}", num_threads),
                                       fmt::format("OMP_WAIT_POLICY={}", setting.waits_actively ? "active" : "passive")});
    if (!setting.blas_folder.empty()) {
      const char* const folders = std::getenv("LD_LIBRARY_PATH");  // of libraries that peers may need
      std::erase_if(variables, [](const std::string& text) { return text.starts_with(kLibraryPath); });
      const std::string others = folders == nullptr || *folders == '\0' ? "" : std::string(":") + folders;  // an empty one is "."
      variables.push_back(fmt::format("{}{}{}", kLibraryPath, setting.blas_folder, others));
    }
  }
  return variables;
}

}  // namespace frond
