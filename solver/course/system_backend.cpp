// SPDX-License-Identifier: BSD-3-Clause
// Makes calls of sweeps: those that the leader asks for, and those for rows of the user's matrix.
#include "solver/course/system_backend.hpp"

#include <fmt/core.h>

#include <exception>
#include <filesystem>
#include <string>
#include <system_error>

#include "frond/error.hpp"
#include "solver/numerics/sweeps/sparse_sides.hpp"

namespace frond {
namespace {

// The leader's command to those that help it.
struct LeadCommand {
  bool solves = false;  // otherwise the leader has finished
  SweepPart part = SweepPart::whole;
  Operation operation = Operation::plain;
  SchurUse use = SchurUse::solve;
  Index num_columns = 0;
};

}  // namespace

// An exception on the leader alone is thrown everywhere.
template <Scalar S>
void SystemBackend<S>::lead(const std::function<void(const SolveInPlace<S>& solve)>& work) {
  LeadCommand command;
  std::exception_ptr failure;
  if (team().leads()) {
    bool has_failed_together = false;
    try {
      const std::vector<Index> rows = all_rows(symbolic().order());
      work([&](const Sweep<S>& asked) {
        command = {true, asked.part, asked.operation, asked.use, asked.x.cols};
        share_value(team(), command);
        has_failed_together = true;  // until it returns
        sweep(asked, {{rows, asked.x}, {rows, asked.x}, asked.x.cols});
        has_failed_together = false;
      });
    } catch (...) {
      if (has_failed_together) {
        throw;
      }
      failure = std::current_exception();
    }
    command = {};
    share_value(team(), command);
  } else {
    for (share_value(team(), command); command.solves; share_value(team(), command)) {
      sweep({.operation = command.operation, .part = command.part, .use = command.use}, {{}, {}, command.num_columns});
    }
  }
  team().agree([&] {
    if (failure) {
      std::rethrow_exception(failure);
    }
  });
}

template <Scalar S>
void SystemBackend<S>::sweep_rows(SchurUse use, Operation operation, const DenseRows<const S>& b, const DenseRows<S>& x) {
  with_sides(b, x, [&](const RankSides<S>& sides) {
    if (!has_schur_complement()) {
      fill_with_nan(sides.x.values);
      return;
    }
    as_stored(operation, sides,
              [&](Operation stored, const RankSides<S>& stored_sides) { sweep({.operation = stored, .use = use}, stored_sides); });
  });
}

template <Scalar S>
bool SystemBackend<S>::find_entries(Operation operation, const PatternView& pattern, std::span<const InverseBlock> blocks,
                                    std::span<S> values) {
  lead([&](const SolveInPlace<S>& solve) {
    for (const InverseBlock& block : blocks) {
      const UnitVectors<S> units(symbolic().order(), block.columns);
      DenseMatrix<S> x = dense_columns(units.view(), 0, static_cast<Index>(block.columns.size()));
      solve({.operation = operation, .x = view_of(x), .wanted = block.rows});
      take_entries_of_columns<S>(pattern, block, view_of(std::as_const(x)), values);
    }
  });
  return true;
}

// The leader makes the directory, unless it was opened; the others check that they see it.
template <Scalar S>
void SystemBackend<S>::begin_checkpoint(std::shared_ptr<CheckpointDirectory> opened) {
  Checkpoint begun{std::move(opened), options().checkpoint, options().observer};
  const std::string& path = begun.options.directory;
  share_list(team(), begun.options.directory);
  share_value(team(), begun.options.every_seconds);
  share_value(team(), begun.options.is_in_memory);
  if (path.empty()) {
    return;
  }
  team().agree([&] {
    check_checkpoint_options(keeps_schur_complement(), options().factorization.kept);
    if (team().leads() && (begun.directory == nullptr || !begun.directory->is_begun())) {
      SystemReport report;
      report.method = method();
      const SavedSystem saved = described(analysed().values, report);
      if (begun.directory == nullptr) {
        begun.directory = CheckpointDirectory::begin(path, saved, parts_of(symbolic()));
      } else {
        begun.directory->write_system(saved, parts_of(symbolic()));
      }
    }
  });
  team().agree([&] {
    std::error_code error;
    if (!std::filesystem::exists(path + "/in-use", error)) {
      throw UsageError(fmt::format("{}: is not there for this process: name a directory on a disk that all of them share", path));
    }
  });
  checkpoint_ = std::move(begun);
}

FROND_INSTANTIATE_CLASS(SystemBackend)

}  // namespace frond
