// SPDX-License-Identifier: BSD-3-Clause
// What long calls ask and report while they run.
#pragma once

#include <string>
#include <vector>

#include <frond/types.hpp>

namespace frond {

/// Overrides what it wants to hear or to decide; by default it wants nothing. Each rank has its own.
struct FROND_API Observer {
  virtual ~Observer() = default;

  /// True ends anything that runs with these options, an analysis, a factorization or a solve, within some panels of a front or one
  /// ordering: it throws StoppedError, on all ranks whichever of them was asked. Everything from before the call is unchanged, and
  /// works when called again. Asked often, by any thread, and by several at a time.
  virtual bool stop_requested() { return false; }
  /// True: no further system of a Batch is to begin, while those in progress come to their end. Asked like stop_requested().
  virtual bool batch_end_requested() { return stop_requested(); }
  /// Whether a list of what a checkpoint holds is wanted now. Asked every second by a thread of Frond.
  virtual bool list_requested() { return false; }
  /// With RankOptions::may_leave, asked on rank 0 about ten times a second during a factorization, by the calling thread: the ranks
  /// that are to leave it, including or excluding those that have already left. The data of a leaving rank goes to the others, who
  /// do the rest, through files in `folder` if it is set, otherwise from memory to memory; the rank takes part in all later steps,
  /// without factors.
  virtual std::vector<Rank> ranks_to_leave([[maybe_unused]] std::string& folder) { return {}; }

  /// The fraction of a factorization's flops that is done. Called now and then by any thread, but by one at a time.
  virtual void progress([[maybe_unused]] double fraction) {}
  /// A correction of a refinement begins, with its number from 1 on. Called for each block of columns that are solved together, by
  /// the thread that leads the solve; over several ranks on rank 0 alone.
  virtual void refinement_step([[maybe_unused]] int step) {}
  /// What this rank waits for, see RankOptions::watchdog_seconds. Called by the calling thread.
  virtual void rank_idle([[maybe_unused]] const std::string& report) {}
  /// One sentence: who has left, or why a rank cannot. Called on rank 0 by the calling thread.
  virtual void leave_answered([[maybe_unused]] const std::string& sentence) {}
  /// The disk accepts no more of a checkpoint; its last list stays valid, and computing continues. Called by a thread of Frond.
  virtual void checkpoint_failed([[maybe_unused]] const std::string& why) {}
};

}  // namespace frond
