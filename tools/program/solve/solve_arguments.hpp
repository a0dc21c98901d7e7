// SPDX-License-Identifier: BSD-3-Clause
// The command line options of `frond solve`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "loadinfo/messages/ranks/mpi_gate.hpp"
#include "matrices/products.hpp"
#include "tools/program/arguments/matrix_input.hpp"
#include "tools/program/arguments/shared_arguments.hpp"
#include "tools/program/arguments/system_arguments.hpp"
#include "tools/program/solve/answers.hpp"
#include "tools/program/solve/right_hand_sides.hpp"
#include "tools/program/solve/stop_sources.hpp"

namespace frond {

/// Options that matter if several processes solve together, besides those of the solver's table.
struct RanksArguments {
  double heartbeat_limit_seconds = 30;  ///< 0: off
  MpiThreadLevel mpi_threads = MpiThreadLevel::multiple;
  bool binds = true;       ///< processes to cores of their own
  Rank num_processes = 1;  ///< processes to start, unless a launcher has started them
  std::string survive;     ///< how the loss of all but one may be survived: protection_of(); empty: it may not
  std::string arbiter;     ///< a directory for agreement; empty: memory of this machine
};

inline constexpr const char* kSurviveByDefault = "default";  ///< --survive without a value

class Survival;

struct SolveArguments {
  SystemArguments system;
  std::string analysis_of;  ///< the matrix whose analysis is used; empty: the matrix itself
  std::string rhs;
  std::string output;
  std::string html;   ///< for a page about the run
  std::string trace;  ///< for the events of the run
  std::string save_factors;
  std::string load_factors;
  std::string schur;                   ///< variables to keep, as parse_schur_variables() takes them; empty: none
  std::string schur_output;            ///< for their Schur complement
  std::string condensed_output;        ///< for its right-hand sides
  std::vector<std::string> expansion;  ///< the solution of the kept variables and the file for that of all, or none
  double time_limit_seconds = 0;       ///< 0: none
  std::string checkpoint;              ///< a directory for what is finished; empty: none
  std::string resume;                  ///< the directory of the checkpoint to continue from
  std::uint64_t seed = 1;
  Index num_rhs = 1;
  std::string operation_word = "plain";
  OnlyArgument only;
  bool once = false;                ///< eliminates the right-hand sides with the matrix
  bool replicates_factors = false;  ///< to every process, for blocks of right-hand sides
  bool tells_levels = false;
  double refinement_target = RefinementOptions().target;
  std::string precision = "full";  ///< of the factors, or "single": of all
  AnswerArguments answers;
  RanksArguments ranks;

  std::shared_ptr<StopSources> stop_sources;  ///< of the run; null before it
  std::shared_ptr<const Survival> survival;   ///< of an attempt; null if losses are not to be survived
  bool is_checkpoint_in_memory = false;       ///< in the memory of this machine

  [[nodiscard]] const std::string& checkpoint_directory() const { return resume.empty() ? checkpoint : resume; }
  [[nodiscard]] bool draws() const { return !html.empty() || !trace.empty(); }
  [[nodiscard]] Operation operation() const {
    return operation_word == "adjoint"     ? Operation::adjoint
           : operation_word == "transpose" ? Operation::transposed
                                           : Operation::plain;
  }
};

void add_solve_options(CLI::App& command, SolveArguments& arguments);
/// Adds --survive, which may be one of these words, and --arbiter.
void add_survive_options(const CommandOptions& options, RanksArguments& ranks, const std::string& help,
                         std::vector<std::string> words = {});
/// Adds --set, after all other options of the command.
void add_solve_settings(CLI::App& command, SolveArguments& arguments);
/// Throws CLI::ExcludesError if one option that the command line gives takes from the run what another one needs.
void check_exclusions(const CLI::App& command, const SolveArguments& arguments);

/// Returns the solver options that the arguments request, except the variables of a Schur complement, which parse_schur_variables()
/// reads once. Throws UsageError, InputError.
[[nodiscard]] SolverOptions solver_options(const SolveArguments& arguments);

/// Returns the requested right-hand sides of `matrix` with their related data; `schur_order` variables are kept. Throws InputError.
template <Scalar S>
[[nodiscard]] RightHandSides<S> read_or_make_sides(const SolveArguments& arguments, const SparseMatrix<S>& matrix,
                                                   std::size_t schur_order, MatrixInput& input) {
  const bool has_own = arguments.rhs.empty() && arguments.num_rhs == 1 && input.right_sides;
  RightHandSides<S> sides = has_own ? right_hand_sides_of<S>(std::move(*input.right_sides), input.right_sides_name, matrix.num_rows)
                            : arguments.rhs.empty()
                                ? make_right_hand_sides(matrix.view(), arguments.operation(), arguments.num_rhs, arguments.seed)
                                : read_right_hand_sides<S>(arguments.rhs, matrix.num_rows);
  if (has_own) {
    sides.notes.push_back("right-hand sides: " + input.right_sides_name);
  }
  if (!arguments.expansion.empty()) {
    read_kept_solution(arguments.expansion[0], static_cast<Index>(schur_order), sides);
  }
  return sides;
}

/// Throws UsageError if factors are to be copied but there is only one process.
void check_replication(const SolveArguments& arguments, Rank num_processes);

/// Throws if a file cannot be read or written, before any work is done.
void check_files(const SolveArguments& arguments);

}  // namespace frond
