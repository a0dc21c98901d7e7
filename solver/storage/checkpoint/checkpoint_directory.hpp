// SPDX-License-Identifier: BSD-3-Clause
// The directory of a checkpoint: what system it is of, and a folder for each factorization on the way to its factors.
//
//   DIR/system           the system and its analysis, as in a file of saved factors; written once
//   DIR/in-use           locked by the process that works with it
//   DIR/request          a word to that process, from `frond checkpoint`
//   DIR/leave            ranks that are to leave, from `frond drain`
//   DIR/0123…cdef/       a factorization by one method, with one set of scales, …: its key
//     list.RUN.NUMBER    names the logs
//     run-RUN.*          a log
//     about              which one it is, for people
//     outcome            how it ended, where it came to no factors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "frond/options.hpp"
#include "solver/storage/saved/saved_system.hpp"

namespace frond {

/// How a factorization ended that came to no factors, and would again.
struct AttemptOutcome {
  std::optional<BudgetError> gave_up = {};  ///< what it cost passed its budget
  std::optional<Index> indefinite_at = {};  ///< Cholesky found a pivot of this variable that is not positive
};

/// One process works with a directory at a time.
class CheckpointDirectory {
 public:
  /// Makes the directory for a system, or takes an empty one. Throws UsageError where it holds something, or another process is at
  /// work; OutputError.
  static std::shared_ptr<CheckpointDirectory> begin(const std::string& path, const SavedSystem& system, SavedSymbolic symbolic);

  /// Opens one to go on, or makes it; whether it has a system, is_begun() says. Throws UsageError where another process is at work,
  /// or something else is there; OutputError.
  static std::shared_ptr<CheckpointDirectory> open(const std::string& path);

  ~CheckpointDirectory();
  CheckpointDirectory(const CheckpointDirectory&) = delete;
  CheckpointDirectory& operator=(const CheckpointDirectory&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool is_begun() const;
  [[nodiscard]] std::string system_file() const { return path_ + "/system"; }
  void write_system(const SavedSystem& system, SavedSymbolic symbolic) const;

  /// The folder of a factorization, made where it is not there, with a line about it for people and its number of fronts. Throws
  /// OutputError.
  [[nodiscard]] std::string folder(std::uint64_t key, const std::string& about, Index num_fronts);
  /// What a factorization that had not ended was, of which fronts are there, if one was begun instead of going on with it: other
  /// options make others. Empty: that is not so.
  [[nodiscard]] const std::string& left_behind() const { return left_behind_; }
  /// Whether `frond checkpoint` has asked for a list since the last call.
  [[nodiscard]] bool take_request() const;

 private:
  explicit CheckpointDirectory(std::string path);
  void lock();

  void find_unended();

  std::string path_;
  int lock_ = -1;
  std::vector<std::string> unended_;  // folders of factorizations that had not ended, and with which nobody has gone on
  std::string left_behind_;
};

/// Makes a directory for a checkpoint that is to begin, so that what cannot be is refused before anything is computed. Throws
/// UsageError where it is there and holds something, and OutputError.
void make_checkpoint_directory(const std::string& path);

/// These read and write what a folder says of its factorization, of a matrix of that order. Setting its outcome removes what there
/// is of its fronts.
[[nodiscard]] std::string read_about(const std::string& folder);
[[nodiscard]] Index read_num_fronts(const std::string& folder);  ///< of its analysis
[[nodiscard]] std::optional<AttemptOutcome> read_outcome(const std::string& folder, Index order);
void set_outcome(const std::string& folder, const AttemptOutcome& outcome);

/// Whether a process works with a directory. Throws InputError where there is no checkpoint.
[[nodiscard]] bool is_in_use(const std::string& path);

/// Leaves a word for the process that works with a directory: that it is to make a list now, or also to stop. Throws InputError
/// where there is no checkpoint, UsageError where nobody works with it.
void ask_for_list(const std::string& path, bool stop);
/// Whether that process is asked to stop.
[[nodiscard]] bool is_stop_requested(const std::string& path);

/// Leaves a word for rank 0 of the processes that work with a directory: that this rank is to leave. Throws as ask_for_list().
void ask_to_leave(const std::string& path, Rank rank, bool through_files);
/// Ranks for which that has been asked since the processes began, through files if that was asked for any.
[[nodiscard]] LeaveRequest read_leavers(const std::string& path);

}  // namespace frond
