// SPDX-License-Identifier: BSD-3-Clause
// The directory of a checkpoint: the system it belongs to, and a folder for each factorization on the way to its factors.
//
//   DIR/system           the system and its analysis, as in a file of saved factors; written once
//   DIR/in-use           locked by the process that works with it
//   DIR/request          a request to that process, from `frond checkpoint`
//   DIR/leave            ranks that are to leave, from `frond drain`
//   DIR/0123…cdef/       a factorization by one method, with one set of scales, …: its key
//     list.RUN.NUMBER    names the logs
//     run-RUN.*          a log
//     about              which one it is, for people
//     outcome            how it ended, if it produced no factors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "factorization/memory/work_budget.hpp"
#include "frond/options.hpp"
#include "solver/storage/saved/saved_system.hpp"

namespace frond {

/// How a factorization ended without factors, as it would again.
struct AttemptOutcome {
  std::optional<BudgetError> gave_up = {};  ///< its cost exceeded its budget
  std::optional<Index> indefinite_at = {};  ///< Cholesky found a pivot of this variable that is not positive
};

/// Only one process uses a directory at a time.
class CheckpointDirectory {
 public:
  /// Makes the directory for a system, or takes an empty one. Throws UsageError if it is not empty, or in use by another process;
  /// OutputError.
  static std::shared_ptr<CheckpointDirectory> begin(const std::string& path, const SavedSystem& system, SavedSymbolic symbolic);

  /// Opens a directory to continue, or makes it; is_begun() says whether it has a system. Throws UsageError if it is in use by
  /// another process, or contains something else; OutputError.
  static std::shared_ptr<CheckpointDirectory> open(const std::string& path);

  ~CheckpointDirectory();
  CheckpointDirectory(const CheckpointDirectory&) = delete;
  CheckpointDirectory& operator=(const CheckpointDirectory&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool is_begun() const;
  [[nodiscard]] std::string system_file() const { return path_ + "/system"; }
  void write_system(const SavedSystem& system, SavedSymbolic symbolic) const;

  /// The folder of a factorization, made if it does not exist, with a description of it for people and its number of fronts. Throws
  /// OutputError.
  [[nodiscard]] std::string folder(std::uint64_t key, const std::string& about, Index num_fronts);
  /// Describes an unfinished factorization with stored fronts, if another one was begun instead of continuing it, because of other
  /// options. Otherwise empty.
  [[nodiscard]] const std::string& left_behind() const { return left_behind_; }
  /// Whether `frond checkpoint` has requested a list since the last call.
  [[nodiscard]] bool take_request() const;

 private:
  explicit CheckpointDirectory(std::string path);
  void lock();

  void find_unended();

  std::string path_;
  int lock_ = -1;
  std::vector<std::string> unended_;  // folders of factorizations that had not ended, and have not been continued
  std::string left_behind_;
};

/// Makes a directory for a new checkpoint, so that errors are found before anything is computed. Throws UsageError if it exists and
/// is not empty, and OutputError.
void make_checkpoint_directory(const std::string& path);

/// These read and write the description of a folder's factorization, of a matrix of that order. Setting its outcome removes its
/// stored fronts.
[[nodiscard]] std::string read_about(const std::string& folder);
[[nodiscard]] Index read_num_fronts(const std::string& folder);  ///< of its analysis
[[nodiscard]] std::optional<AttemptOutcome> read_outcome(const std::string& folder, Index order);
void set_outcome(const std::string& folder, const AttemptOutcome& outcome);

/// Whether a process is using a directory. Throws InputError if there is no checkpoint.
[[nodiscard]] bool is_in_use(const std::string& path);

/// Asks the process that is using a directory to make a list now, and possibly to stop. Throws InputError if there is no
/// checkpoint, UsageError if no process is using it.
void ask_for_list(const std::string& path, bool stop);
/// Whether that process has been asked to stop.
[[nodiscard]] bool is_stop_requested(const std::string& path);

/// Asks rank 0 of the processes that are using a directory to let this rank leave. Throws as ask_for_list().
void ask_to_leave(const std::string& path, Rank rank, bool through_files);
/// Ranks whose leaving has been requested since the processes began; `folder` is set if any was to leave through files.
[[nodiscard]] std::vector<Rank> read_leavers(const std::string& path, std::string& folder);

}  // namespace frond
