// SPDX-License-Identifier: BSD-3-Clause
// frond check-labels: solves every matrix of a labelled collection and compares the verdicts with the labels.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "matrices/error.hpp"
#include "tools/byte_size.hpp"
#include "tools/child_process.hpp"
#include "tools/commands.hpp"
#include "tools/system_arguments.hpp"

namespace frond {
namespace {

struct CheckLabelsArguments {
  std::string directory;
  std::string memory_limit = "20GB";
  double time_limit = 600;
  double largest_error = 1e-13;
  double largest_componentwise_error = 1e-14;
  int num_threads = 0;
};

struct LabelledMatrix {
  std::string file;
  std::string label;
  std::optional<Index> rank;                    // numerical
  std::optional<std::array<Index, 3>> inertia;  // positive, negative, zero
};

enum class Agreement { yes, no, over_limit };

struct Row {
  std::string order = "-";
  std::string num_entries = "-";
  std::string method = "-";
  std::string error = "-";
  std::string verdict;
  std::vector<std::string> contradictions;  // of what else is known of the matrix
  Agreement agreement = Agreement::no;
};

std::vector<std::string> split_at_tabs(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) {
    fields.push_back(field);
  }
  return fields;
}

std::optional<Index> number_in(const std::string& field) {
  Index number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  return error == std::errc() && end == field.data() + field.size() ? std::optional(number) : std::nullopt;
}

// A line of LABELS.tsv, by the titles of its columns; empty where there is no such column.
class LabelLine {
 public:
  LabelLine(const std::vector<std::string>& titles, std::vector<std::string> fields)
      : titles_(titles), fields_(std::move(fields)) {}

  [[nodiscard]] std::string operator[](std::string_view title) const {
    const auto column = static_cast<std::size_t>(std::find(titles_.begin(), titles_.end(), title) - titles_.begin());
    return column < fields_.size() ? fields_[column] : std::string();
  }

 private:
  const std::vector<std::string>& titles_;
  std::vector<std::string> fields_;
};

// The columns `file` and `class` of DIRECTORY/LABELS.tsv, and of `numerical_rank`, `pos`, `neg` and `zero` those that are there.
std::vector<LabelledMatrix> read_labels(const std::string& directory) {
  const std::string path = directory + "/LABELS.tsv";
  std::ifstream file(path);
  std::string line;
  if (!file || !std::getline(file, line)) {
    throw InputError(path, 0, "cannot be read; it must be a table with the columns 'file' and 'class'");
  }
  const std::vector<std::string> titles = split_at_tabs(line);
  std::vector<LabelledMatrix> labels;
  for (Count number = 2; std::getline(file, line); ++number) {
    const LabelLine label(titles, split_at_tabs(line));
    if (label["file"].empty() || label["class"].empty()) {
      throw InputError(path, number, "has no 'file' and 'class'");
    }
    LabelledMatrix matrix{label["file"], label["class"], number_in(label["numerical_rank"]), std::nullopt};
    const auto positive = number_in(label["pos"]);
    const auto negative = number_in(label["neg"]);
    const auto zero = number_in(label["zero"]);
    if (positive && negative && zero) {
      matrix.inertia = {*positive, *negative, *zero};
    }
    labels.push_back(std::move(matrix));
  }
  return labels;
}

// Nonsingular: solved to the given error. Singular: said so, with the pivot named. Nearly singular: either.
bool agrees(const std::string& label, const nlohmann::json& run, int exit_code, double largest_error) {
  const bool is_solved = exit_code == static_cast<int>(ExitCode::success) && run["backward_error"].is_number() &&
                         run["backward_error"].get<double>() <= largest_error;
  const bool is_singular = exit_code == static_cast<int>(ExitCode::not_solved) && run["verdict"] == "singular" &&
                           run["first_null_pivot"].get<Index>() > 0;
  if (label == "nonsingular") {
    return is_solved;
  }
  return label == "nearly_singular" ? is_solved || is_singular : is_singular;
}

// Rank and inertia where they are known beyond doubt, the componentwise error, and the bound of the forward error against the
// error.
std::vector<std::string> contradictions_of(const LabelledMatrix& matrix, const nlohmann::json& run,
                                           double largest_componentwise_error) {
  std::vector<std::string> found;
  const bool is_in_doubt = matrix.label == "nearly_singular";
  const bool is_singular = !is_in_doubt && matrix.label != "nonsingular";
  const Index rank = run["n"].get<Index>() - run["null_pivots"].get<Index>();
  if (matrix.rank && is_singular && rank != *matrix.rank) {
    found.push_back(fmt::format("rank {} instead of {}", rank, *matrix.rank));
  }
  if (matrix.inertia && !is_in_doubt && run["inertia"].is_object()) {
    const nlohmann::json& told = run["inertia"];
    const std::array<Index, 3> inertia = {told["positive"].get<Index>(), told["negative"].get<Index>(), told["zero"].get<Index>()};
    if (inertia != *matrix.inertia) {
      found.push_back(fmt::format("inertia {} instead of {}", fmt::join(inertia, "/"), fmt::join(*matrix.inertia, "/")));
    }
  }
  if (run["verdict"] == "solved") {
    const nlohmann::json& componentwise = run["componentwise_backward_error"];
    if (!componentwise.is_number() || componentwise.get<double>() > largest_componentwise_error) {
      found.push_back("componentwise error " + componentwise.dump());
    }
    const nlohmann::json& bound = run["forward_error_bound"];
    if (run["forward_error"].is_number() && bound.is_number() && run["forward_error"].get<double>() > bound.get<double>()) {
      found.push_back(fmt::format("forward error {} above its bound {}", run["forward_error"].dump(), bound.dump()));
    }
  }
  return found;
}

Row judge(const LabelledMatrix& matrix, const ChildResult& child, const CheckLabelsArguments& arguments) {
  Row row;
  if (child.timed_out || child.exit_code == static_cast<int>(ExitCode::out_of_memory)) {
    row.verdict = child.timed_out ? "over the time limit" : "over the memory limit";
    row.agreement = Agreement::over_limit;
    return row;
  }
  const nlohmann::json run = nlohmann::json::parse(child.output, nullptr, false);
  if (!run.is_object()) {
    row.verdict = fmt::format("exit code {}: {}", child.exit_code, child.errors.substr(0, child.errors.find('\n')));
    return row;
  }
  row.order = run["n"].dump();
  row.num_entries = run["nnz"].dump();
  row.method = run["method"].get<std::string>();
  row.error = run["backward_error"].is_number() ? fmt::format("{:.1e}", run["backward_error"].get<double>()) : "-";
  row.verdict = run["verdict"].get<std::string>();
  if (run["first_null_pivot"].get<Index>() > 0) {
    row.verdict += fmt::format(" (variable {})", run["first_null_pivot"].get<Index>());
  }
  row.contradictions = contradictions_of(matrix, run, arguments.largest_componentwise_error);
  const bool is_as_labelled = agrees(matrix.label, run, child.exit_code, arguments.largest_error) && row.contradictions.empty();
  row.agreement = is_as_labelled ? Agreement::yes : Agreement::no;
  return row;
}

const char* word(Agreement agreement) { return agreement == Agreement::yes ? "yes" : agreement == Agreement::no ? "NO" : "-"; }

ExitCode run_check_labels(const CheckLabelsArguments& arguments) {
  static_cast<void>(parse_byte_size(arguments.memory_limit));  // here, once, rather than in the run of each matrix
  const std::vector<LabelledMatrix> labels = read_labels(arguments.directory);
  int num_agreeing = 0;
  int num_disagreeing = 0;
  fmt::print("{:<44} {:>8} {:>9} {:>8} {:>8} {:>8}  {:<22} {:<30} {}\n", "matrix", "n", "nnz", "method", "seconds", "error",
             "label", "verdict", "agrees");
  for (const LabelledMatrix& matrix : labels) {
    const ChildResult child =
        run_child({"/proc/self/exe", "solve", arguments.directory + "/" + matrix.file, "--json", "-", "--threads",
                   std::to_string(arguments.num_threads), "--memory-limit", arguments.memory_limit},
                  arguments.time_limit);
    const Row row = judge(matrix, child, arguments);
    fmt::print("{:<44} {:>8} {:>9} {:>8} {:>8.2f} {:>8}  {:<22} {:<30} {}{}{}\n", matrix.file, row.order, row.num_entries,
               row.method, child.seconds, row.error, matrix.label, row.verdict, word(row.agreement),
               row.contradictions.empty() ? "" : ": ", fmt::join(row.contradictions, ", "));
    std::fflush(stdout);
    num_agreeing += row.agreement == Agreement::yes ? 1 : 0;
    num_disagreeing += row.agreement == Agreement::no ? 1 : 0;
  }
  fmt::print("{} matrices: {} agree with their label, {} do not, {} over the limits\n", labels.size(), num_agreeing,
             num_disagreeing, labels.size() - static_cast<std::size_t>(num_agreeing + num_disagreeing));
  return num_disagreeing == 0 ? ExitCode::success : ExitCode::not_solved;
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
      "contradicts its label.\n\n"
      "Example:\n  frond check-labels matrices --time-limit 60");
  const auto arguments = std::make_shared<CheckLabelsArguments>();
  command->add_option("directory", arguments->directory, "where LABELS.tsv and the matrices are")->required()->type_name("DIR");
  command->add_option("--time-limit", arguments->time_limit, "seconds per matrix")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->type_name("SECONDS");
  command->add_option("--memory-limit", arguments->memory_limit, "per matrix")->capture_default_str()->type_name("SIZE");
  command->add_option("--threads", arguments->num_threads, "per matrix; 0: all cores")
      ->check(CLI::Range(0, kMaxThreads))
      ->capture_default_str()
      ->type_name("T");
  command->add_option("--largest-error", arguments->largest_error, "normwise backward error that counts as solved")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->type_name("E");
  command
      ->add_option("--largest-componentwise-error", arguments->largest_componentwise_error,
                   "componentwise backward error up to which solved is right")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->type_name("E");
  command->callback([arguments, &launch, &result] {
    require_one_process(launch, "check-labels");
    result = run_check_labels(*arguments);
  });
}

}  // namespace frond
