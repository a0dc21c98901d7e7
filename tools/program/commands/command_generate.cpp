// SPDX-License-Identifier: BSD-3-Clause
// Implements frond generate, which writes model problems to files.
#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "frond/files.hpp"
#include "matrices/counted.hpp"
#include "matrices/generate.hpp"
#include "tools/program/arguments/command_options.hpp"
#include "tools/program/arguments/number_check.hpp"
#include "tools/program/commands/commands.hpp"
#include "tools/program/process/atomic_output.hpp"

namespace frond {
namespace {

struct GenerateArguments {
  std::string kind;
  std::optional<Index> size;
  std::string output;
  std::uint64_t seed = 1;
};

std::string list_of_kinds() {
  std::string list = "Kinds, with the default N:\n";
  for (const ModelProblemInfo& info : model_problems()) {
    fmt::format_to(std::back_inserter(list), "  {:<14} {:>8}  {}\n", info.name, info.default_size, info.description);
  }
  return list + "\nExample:\n  frond generate laplacian3d7 60 -o laplacian.mtx";
}

ExitCode run_generate(const GenerateArguments& arguments) {
  check_file_arguments({}, {{"--out", arguments.output}});
  const ModelProblem kind = parse_model_problem(arguments.kind);
  const AnyMatrix matrix = generate(kind, arguments.size.value_or(model_problem_info(kind).default_size), arguments.seed);
  write_atomically(arguments.output, [&matrix](const std::string& name) { write_matrix(name, matrix); });
  std::visit(
      [&arguments](const auto& written) {
        fmt::print("{}: order {}, {} stored\n", arguments.output, written.num_rows, counted_entries(written.num_entries()));
      },
      matrix);
  return ExitCode::success;
}

}  // namespace

void add_generate_command(CLI::App& program, const Launch& launch, ExitCode& result) {
  CLI::App* command = program.add_subcommand("generate", "Write a model problem to a Matrix Market file");
  command->footer(list_of_kinds());
  const auto arguments = std::make_shared<GenerateArguments>();
  const CommandOptions options(*command);
  options.add("kind KIND", arguments->kind, "Generate this model problem, see below")->required();
  options.add("size N", arguments->size, "Give it the size N, see below");
  options.add("-o,--out A.mtx", arguments->output, "Write to A.mtx")->required();
  options.add("--seed SEED", arguments->seed, "Draw random kinds from SEED")
      ->check(integer_between(0, std::numeric_limits<Index>::max()))
      ->capture_default_str();
  run_alone(*command, arguments, run_generate, launch, result);
}

}  // namespace frond
