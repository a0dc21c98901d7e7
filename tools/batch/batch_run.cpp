// SPDX-License-Identifier: BSD-3-Clause
// One system after the other on each worker.
#include "tools/batch/batch_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "frond/batch.hpp"
#include "frond/error.hpp"
#include "loadinfo/self_scheduling/chunk_rule.hpp"
#include "matrices/steady_clock.hpp"
#include "tools/batch/batch_list.hpp"
#include "tools/batch/batch_results.hpp"
#include "tools/process/progress_bar.hpp"
#include "tools/solve/failure_code.hpp"
#include "tools/solve/right_hand_sides.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

// What is said of systems that have no verdict.
std::string verdict_of(ExitCode code) {
  switch (code) {
    case ExitCode::bad_input:
      return "unreadable";
    case ExitCode::out_of_memory:
      return "too large";
    default:
      return "failed";
  }
}

class BatchRun {
 public:
  BatchRun(const BatchArguments& arguments, std::vector<BatchItem> items)
      : arguments_(arguments),
        items_(std::move(items)),
        results_(arguments.results, items_),
        to_do_(without_results()),
        batch_(options_of(arguments, to_do_.size())) {}

  ExitCode run() {
    const std::size_t num_found = items_.size() - to_do_.size();
    fmt::print("batch          {} systems, {} workers{}\n", items_.size(), batch_.num_workers(),
               num_found > 0 ? fmt::format("; {} have results from before", num_found) : "");
    std::fflush(stdout);
    {
      const auto bar = std::make_unique<ProgressBar>("solving", stderr);
      batch_.run(static_cast<Count>(to_do_.size()), [&](Count k) {
        const std::size_t number = to_do_[static_cast<std::size_t>(k)];
        const BatchResult result = solve(number);
        const std::lock_guard lock(mutex_);
        note(number, result);
        bar->update(static_cast<double>(++num_done_) / static_cast<double>(to_do_.size()));
      });
    }
    return conclude();
  }

 private:
  [[nodiscard]] std::vector<std::size_t> without_results() const {
    std::vector<std::size_t> numbers;
    for (std::size_t number = 0; number < items_.size(); ++number) {
      if (!results_.all().contains(number)) {
        numbers.push_back(number);
      }
    }
    return numbers;
  }

  // Workers that would have nothing to do get no part of the memory.
  static BatchOptions options_of(const BatchArguments& arguments, std::size_t num_systems) {
    BatchOptions options{.solver = solver_options(arguments.solve)};
    options.solver.factorization.num_threads = arguments.solve.system.num_threads;
    const int asked = arguments.num_workers > 0 ? arguments.num_workers : Batch(options).num_workers();
    options.num_workers = static_cast<int>(std::clamp<std::size_t>(num_systems, 1, static_cast<std::size_t>(asked)));
    options.has_one_pattern = arguments.has_one_pattern;
    options.chunks = parse_chunk_kind(arguments.chunks);
    return options;
  }

  // Whatever is wrong with a system is a result.
  BatchResult solve(std::size_t number) const {
    const double begin = steady_seconds();
    BatchResult result;
    try {
      double read_seconds = 0;
      const AnyMatrix any = read_square_matrix(items_[number].matrix, read_seconds);
      result.order = order_of(any);
      std::visit([&](const auto& matrix) { solve_matrix(number, matrix, result); }, any);
    } catch (const StoppedError&) {
      throw;
    } catch (const OutputError&) {
      throw;  // nor will the next one be written
    } catch (const UsageError& error) {
      result.verdict = "refused";  // another pattern, as a rule
      result.error = error.what();
    } catch (const std::exception&) {
      const ToldFailure failure = failure_of(std::current_exception());
      result.verdict = verdict_of(failure.code);
      result.error = failure.text;
    }
    result.seconds = steady_seconds() - begin;
    return result;
  }

  template <Scalar S>
  void solve_matrix(std::size_t number, const SparseMatrix<S>& matrix, BatchResult& result) const {
    SolveArguments own = arguments_.solve;
    own.rhs = items_[number].rhs;
    const RightHandSides<S> sides = read_or_make_sides(own, matrix, 0);
    DenseMatrix<S> x(sides.b.num_rows, sides.b.num_cols);
    const SolveReport report = batch_.solve<S>(matrix, view_of(sides.b), view_of(x), own.operation());
    result.verdict = to_string(report.verdict);
    result.num_rhs = x.num_cols;
    for (const ColumnReport& column : report.columns) {
      result.backward_error = std::max(result.backward_error, column.normwise_backward_error);
    }
    if (!arguments_.output.empty() && !report.columns.empty()) {
      write_dense_file(solution_file(number), joined_solutions(std::move(x), sides.has_complex_halves));
    }
  }

  // Systems may have files of the same name.
  [[nodiscard]] std::string solution_file(std::size_t number) const {
    fs::path name = fs::path(items_[number].matrix).filename();
    name = name.extension() == ".gz" ? name.stem() : name;
    return fmt::format("{}/{}-{}.x.mtx", arguments_.output, number + 1, name.stem().string());
  }

  void note(std::size_t number, const BatchResult& result) {
    results_.add(number, items_[number], result);
    fmt::print("{:>7} of {}  {}  {}{}, {:.3g} s\n", number + 1, items_.size(), items_[number].matrix, result.verdict,
               !result.error.empty() ? ": " + result.error : fmt::format(", backward error {:.1e}", result.backward_error),
               result.seconds);
    std::fflush(stdout);
  }

  // How many came to what, and which were not solved.
  [[nodiscard]] ExitCode conclude() const {
    std::map<std::string, std::vector<std::size_t>> by_verdict;
    for (const auto& [number, result] : results_.all()) {
      by_verdict[result.verdict].push_back(number);
    }
    fmt::print("{:<15}{:>7}\n", "verdict", "systems");
    bool are_all_solved = true;
    for (const auto& [verdict, numbers] : by_verdict) {
      fmt::print("{:<15}{:>7}\n", verdict, numbers.size());
      for (const std::size_t number : numbers) {
        if (const BatchResult& result = results_.all().at(number); !result.is_solved()) {
          are_all_solved = false;
          fmt::print("{:>17} {}{}\n", "", items_[number].matrix, result.error.empty() ? "" : ": " + result.error);
        }
      }
    }
    return are_all_solved ? ExitCode::success : ExitCode::not_solved;
  }

  const BatchArguments& arguments_;
  std::vector<BatchItem> items_;
  BatchResults results_;
  std::vector<std::size_t> to_do_;  // numbers in items_
  Batch batch_;
  std::mutex mutex_;  // guards results and output
  std::size_t num_done_ = 0;
};

}  // namespace

ExitCode run_batch(const BatchArguments& arguments) {
  if (!arguments.output.empty()) {
    std::error_code error;
    fs::create_directories(arguments.output, error);
    if (error) {
      throw OutputError(fmt::format("--out {}: cannot be made: {}", arguments.output, error.message()));
    }
  }
  return BatchRun(arguments, read_batch_list(arguments.list)).run();
}

}  // namespace frond
