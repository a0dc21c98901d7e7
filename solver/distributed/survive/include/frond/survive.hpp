// SPDX-License-Identifier: BSD-3-Clause
// The only header a program needs to solve on several processes any of which may be lost, as long as one survives. The program
// starts the processes itself, by any means, and needs no MPI at run time; each process passes its number:
//
//   return frond::survive({.directory = folder, .rank = rank, .num_ranks = 4}, [&](const frond::SurvivalAttempt& attempt) {
//     const frond::Factorization<double> factorization(entries, options, attempt.place);
//     ...
//     return 0;  // the exit code on which all agree
//   });
//
// Programs link frond::survive, which holds all of Frond.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <frond/mpi.hpp>

namespace frond {

/// One process of a run.
struct SurvivalOptions {
  /// Used by this run alone, and empty when it begins: all processes see it, and agree there on who continues. Its creator
  /// removes it.
  std::string directory;
  Rank rank = 0;       ///< of this process, from 0 on
  Rank num_ranks = 1;  ///< number of processes that start, within a minute of each other
  /// The name by which processes on other machines reach this one, over TCP and encrypted; empty: all are on one machine, and no
  /// port is open.
  std::string machine = {};
  /// A process that gives no sign of life for this long is considered lost. 0: no monitoring. The work is then called once, and
  /// whatever it expects from a lost process never arrives; Batch::run() waits only for the first process, with which all end: the
  /// others return what it returned, or throw LossError if it has failed.
  double limit_seconds = 30;
  /// Called when others continue without some processes, before the work is called again: the lost ranks and the remaining ones.
  std::function<void(const std::vector<Rank>& lost, const std::vector<Rank>& members)> tell_loss = {};
};

/// The argument of the work.
struct SurvivalAttempt {
  Index number = 0;           ///< counted from 0
  std::vector<Rank> members;  ///< original ranks, increasing: members[k] is rank k of `place`
  Place place;                ///< the remaining processes
};

/// Calls work(attempt) on all processes, and again without lost processes, until it has completed on all that remain. Returns the
/// result of the first of them. When a process is lost, any operation of its partners on `place` throws LossError, and never waits
/// for it: the work must let that pass, which destroys everything that it made with `place`. So a new attempt recomputes
/// everything, unless SolverOptions::checkpoint names a directory, on a disk or in memory of the machine: from the second attempt
/// on Factorization::resume() continues from what is stored there. Outputs should come last: an attempt that writes may be followed
/// by another one. Any other exception of the work passes through, and the others treat this process as lost.
///
/// Throws LossError if others have continued without this process, which should then end; CommunicationError if the others do not
/// arrive, and OutputError if the directory is not writable.
[[nodiscard]] FROND_API int survive(const SurvivalOptions& options, const std::function<int(const SurvivalAttempt&)>& work);

/// For the launcher of that rank's process, when it sees that the process has ended: the others then need not wait for signs of
/// life, nor, for up to ten seconds, for the process to learn that it was given up and to leave its files alone.
FROND_API void note_process_ended(const std::string& directory, Rank rank);

}  // namespace frond
