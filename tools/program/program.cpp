// SPDX-License-Identifier: BSD-3-Clause
// Dispatches to the subcommands and turns exceptions into exit codes.
#include "tools/program/program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "solver/options/suggestion.hpp"
#include "tools/program/arguments/help_formatter.hpp"
#include "tools/program/arguments/parse_error.hpp"
#include "tools/program/process/standard_error.hpp"
#include "tools/program/solve/failure_code.hpp"

namespace frond {
namespace {

// If several processes end alike, the first one reports.
class Teller {
 public:
  explicit Teller(const Launch& launch) : is_silent_(launch.rank > 0) {}

  ExitCode fail(ExitCode code, const char* text) const {
    if (!is_silent_) {
      tell_on_stderr(fmt::format("frond: error: {}\n", text));
    }
    return code;
  }
  void help(const CLI::App& program, const CLI::ParseError& request) const {
    std::ostringstream nowhere;
    program.exit(request, is_silent_ ? nowhere : std::cout, nowhere);
  }

 private:
  bool is_silent_;
};

// Describes a first word of the command line that is not a command.
std::string unknown_command(const CLI::App& program, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) {
    names.push_back(command->get_name());
  }
  return fmt::format("'{}' is no command{}; there are {} (see frond --help)", word, suggestion(word, names),
                     fmt::join(names, ", "));
}

// Describes what is wrong with the options of a command.
std::string wrong_options(CLI::App& program, const CLI::ParseError& error) {
  const std::vector<CLI::App*> commands = program.get_subcommands();
  const std::string command = commands.empty() ? "" : " " + commands.front()->get_name();
  return fmt::format("{} (see frond{} --help)", describe_parse_error(commands.empty() ? program : *commands.front(), error),
                     command);
}

ExitCode parse_and_run(int argc, char** argv, const AddCommands& add_commands, const Launch& launch, const Teller& teller,
                       Farewell& farewell) {
  if (!launch.complaint.empty()) {
    throw UsageError(launch.complaint);
  }
  CLI::App program("Frond solves large sparse systems of linear equations by the multifrontal method.", "frond");
  program.footer(
      "'frond COMMAND --help' explains a command.\n\nExample:\n  frond generate elasticity3d 20 -o A.mtx && frond solve A.mtx");
  program.set_version_flag("--version", std::string("frond ") + FROND_VERSION);
  program.require_subcommand(1);
  program.formatter(std::make_shared<HelpFormatter>());
  program.set_help_all_flag("--help-all", "Show all options, by groups");
  ExitCode result = ExitCode::success;
  add_commands(program, launch, result, farewell);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> words = program.remaining();
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      teller.help(program, error);
      return ExitCode::success;
    }
    const bool has_command = !program.get_subcommands().empty() || words.empty();
    const std::string text = has_command ? wrong_options(program, error) : unknown_command(program, words.front());
    return teller.fail(ExitCode::bad_input, text.c_str());
  }
  return result;
}

ExitCode run_guarded(int argc, char** argv, const AddCommands& add_commands, const Launch& launch, const Teller& teller,
                     Farewell& farewell) {
  try {
    return parse_and_run(argc, argv, add_commands, launch, teller, farewell);
  } catch (const std::exception&) {
    const ToldFailure failure = failure_of(std::current_exception());
    return teller.fail(failure.code, failure.text.c_str());
  }
}

// Output may still be buffered; a run whose output is lost does not succeed.
ExitCode flush_output(ExitCode result, const Teller& teller) {
  const bool is_lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (is_lost && result == ExitCode::success) {
    return teller.fail(ExitCode::output_failed, "standard output: cannot be written to its end; redirect it to a file with room");
  }
  return result;
}

}  // namespace

int run_program(int argc, char** argv, const AddCommands& add_commands) {
  const Launch launch = detect_launch([](const char* name) { return std::getenv(name); });
  const Teller teller(launch);
  Farewell farewell;
  const ExitCode code = flush_output(run_guarded(argc, argv, add_commands, launch, teller, farewell), teller);
  if (farewell) {
    farewell(code);
  }
  return static_cast<int>(code);
}

}  // namespace frond
