// SPDX-License-Identifier: BSD-3-Clause
// Everything a program includes that solves in several processes of which any may be lost, as long as one lives. It starts them
// itself, by whatever it likes, and needs no MPI at run time; each passes its number:
//
//   return frond::survive({.directory = folder, .rank = rank, .num_ranks = 4}, [&](const frond::SurvivalAttempt& attempt) {
//     const frond::Factorization<double> factorization(attempt.ranks, entries, options);
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
  /// Belongs to this run alone, and is empty when it begins: all processes see it, and agree there on who goes on. Whoever has made
  /// it removes it.
  std::string directory;
  Rank rank = 0;       ///< of this process, from 0 on
  Rank num_ranks = 1;  ///< that all begin, within a minute of each other
  /// The name by which processes on other machines reach this one, over TCP and encrypted; empty: all are on one machine, and no
  /// port is open.
  std::string machine = {};
  /// A process that gives no sign of life for so long is lost. 0: nobody watches. The work is called once, and whatever it waits
  /// for from a process that is gone never comes; Batch::run() does not wait for any but the first.
  double limit_seconds = 30;
  /// Told when others go on without some, before the work is called again: who was lost, and who goes on.
  std::function<void(const std::vector<Rank>& lost, const std::vector<Rank>& members)> tell_loss = {};
};

/// What the work is called with.
struct SurvivalAttempt {
  Index number = 0;           ///< counted from 0
  std::vector<Rank> members;  ///< of those who began, increasing: members[k] is rank k of `ranks`
  Ranks ranks;                ///< those who are left
};

/// Calls work(attempt) on all processes, and again without those who were lost, until it has come to its end on all who are left.
/// Returns what the first of them has returned. When one is lost, whatever its partners do with `ranks` throws LossError, and never
/// waits for it: the work lets that pass, and all that it has made with `ranks` is destroyed with it. So what it makes anew costs
/// all that was done, unless SolverOptions::checkpoint names a directory, on a disk or in memory of the machine: from the second
/// attempt on Factorization::resume() goes on from what is there. Outputs should come after everything else: an attempt that writes
/// may be followed by another one. What else the work throws passes, as if this process were lost to the others.
///
/// Throws FencedError if others have gone on without this process, which should end then; CommunicationError when the others do not
/// come, and OutputError where the directory cannot be written to.
[[nodiscard]] FROND_API int survive(const SurvivalOptions& options, const std::function<int(const SurvivalAttempt&)>& work);

/// For whoever has started the process of that rank, and sees that it has ended: the others need not wait for signs of life then,
/// nor, for ten seconds at most, for it to learn that it was given up and to leave its files alone.
FROND_API void note_process_ended(const std::string& directory, Rank rank);

}  // namespace frond
