// SPDX-License-Identifier: BSD-3-Clause
// frond check-labels: solves every matrix of a labelled collection and compares the verdicts with the labels.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
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
  int num_threads = 0;
};

struct LabelledMatrix {
  std::string file;
  std::string label;
};

enum class Agreement { yes, no, over_limit };

struct Row {
  std::string order = "-";
  std::string num_entries = "-";
  std::string method = "-";
  std::string error = "-";
  std::string verdict;
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

// The columns `file` and `class` of DIRECTORY/LABELS.tsv.
std::vector<LabelledMatrix> read_labels(const std::string& directory) {
  const std::string path = directory + "/LABELS.tsv";
  std::ifstream file(path);
  std::string line;
  if (!file || !std::getline(file, line)) {
    throw InputError(path, 0, "cannot be read; it must be a table with the columns 'file' and 'class'");
  }
  const std::vector<std::string> header = split_at_tabs(line);
  const auto file_column = static_cast<std::size_t>(std::find(header.begin(), header.end(), "file") - header.begin());
  const auto class_column = static_cast<std::size_t>(std::find(header.begin(), header.end(), "class") - header.begin());
  std::vector<LabelledMatrix> labels;
  for (Count number = 2; std::getline(file, line); ++number) {
    const std::vector<std::string> fields = split_at_tabs(line);
    if (fields.size() <= std::max(file_column, class_column)) {
      throw InputError(path, number, "has no 'file' and 'class'");
    }
    labels.push_back({fields[file_column], fields[class_column]});
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

Row judge(const std::string& label, const ChildResult& child, double largest_error) {
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
  row.agreement = agrees(label, run, child.exit_code, largest_error) ? Agreement::yes : Agreement::no;
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
    const Row row = judge(matrix.label, child, arguments.largest_error);
    fmt::print("{:<44} {:>8} {:>9} {:>8} {:>8.2f} {:>8}  {:<22} {:<30} {}\n", matrix.file, row.order, row.num_entries, row.method,
               child.seconds, row.error, matrix.label, row.verdict, word(row.agreement));
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
      "for singular. "
      "Each matrix is solved in a process of its own. Exit code 3 if a verdict contradicts its label.\n\n"
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
  command->callback([arguments, &launch, &result] {
    require_one_process(launch, "check-labels");
    result = run_check_labels(*arguments);
  });
}

}  // namespace frond
