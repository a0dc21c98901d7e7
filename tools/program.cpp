// SPDX-License-Identifier: BSD-3-Clause
// Dispatches to the subcommands and turns exceptions into exit codes.
#include "tools/program.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <new>

#include "matrices/error.hpp"
#include "tools/commands.hpp"

namespace frond {
namespace {

ExitCode fail(ExitCode code, const char* text) {
  fmt::print(stderr, "frond: error: {}\n", text);
  return code;
}

ExitCode parse_and_run(int argc, char** argv) {
  CLI::App program("Frond solves large sparse systems of linear equations by the multifrontal method.", "frond");
  program.footer("'frond COMMAND --help' tells more.\n\nExample:\n  frond generate elasticity3d 20 -o A.mtx && frond solve A.mtx");
  program.set_version_flag("--version", std::string("frond ") + FROND_VERSION);
  program.require_subcommand(1);
  program.get_formatter()->column_width(34);
  ExitCode result = ExitCode::success;
  add_solve_command(program, result);
  add_analyze_command(program, result);
  add_generate_command(program, result);
  add_check_labels_command(program, result);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool is_help = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
    program.exit(error);
    return is_help ? ExitCode::success : ExitCode::bad_input;
  }
  return result;
}

ExitCode run_guarded(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const MemoryError& error) {
    return fail(ExitCode::out_of_memory, error.what());
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::out_of_memory, "the system has no memory left; close other programs, or use a machine with more");
  } catch (const InternalError& error) {
    return fail(ExitCode::internal_error, error.what());
  } catch (const Error& error) {
    return fail(ExitCode::bad_input, error.what());
  } catch (const std::exception& error) {
    return fail(ExitCode::internal_error, error.what());
  }
}

}  // namespace

int run_program(int argc, char** argv) { return static_cast<int>(run_guarded(argc, argv)); }

}  // namespace frond
