// SPDX-License-Identifier: BSD-3-Clause
// Determines how much of the remaining work a rank without work gets: the rules of dynamic loop self-scheduling.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "frond/load_options.hpp"
#include "frond/types.hpp"

namespace frond {

/// Parses "static", "ss", "fsc", "mfsc", "gss", "tss", "fac", "wf", "rand", "awf-b", …, "awf-e", "af"; throws UsageError for
/// others.
[[nodiscard]] ChunkKind parse_chunk_kind(std::string_view text);
[[nodiscard]] std::string_view to_string(ChunkKind kind);
[[nodiscard]] std::vector<std::string> chunk_kind_names();

/// What a rule may know in advance about tasks and ranks.
struct ChunkFacts {
  Count num_tasks = 0;
  Rank num_ranks = 1;
  double deviation_seconds = 0;      ///< of the tasks' seconds
  double overhead_seconds = 0;       ///< of scheduling, per chunk
  std::vector<double> weights = {};  ///< [rank], relative speeds; empty: all are equal
  std::uint32_t seed = 1;
};

// The formulas, each in tasks, for equal tasks; at least 1 if any is left.

/// Kruskal & Weiss 1985, "Allocating independent subtasks on parallel processors": (sqrt(2) N h / (sigma P sqrt(ln P)))^(2/3). An
/// equal part if nothing varies, one task if scheduling is free.
[[nodiscard]] Count fsc_chunk(const ChunkFacts& facts);
/// As in DLS4LB: n ln 2 / ln n for an equal part of n tasks, rounded.
[[nodiscard]] Count mfsc_chunk(const ChunkFacts& facts);
/// Polychronopoulos & Kuck 1987, "Guided self-scheduling": ceil(R / P).
[[nodiscard]] Count gss_chunk(Count num_left, Rank num_ranks);
/// Tzen & Ni 1993, "Trapezoid self-scheduling": from ceil(N / 2P) down to 1 in equal steps; `chunk` counts from 0.
[[nodiscard]] Count tss_chunk(Count num_tasks, Rank num_ranks, Count chunk);
/// Hummel et al. 1992, "Factoring": half of the remaining tasks in equal chunks for all ranks, ceil(R / 2P).
[[nodiscard]] Count fac_chunk(Count num_left, Rank num_ranks);
/// Returns the chunk of a rank with relative speed `weight` (1 is the mean) when a mean rank would get `chunk`.
[[nodiscard]] Count weighted_chunk(Count chunk, double weight);
/// Banicescu & Liu 2000, "Adaptive factoring": (D + 2TR - sqrt(D^2 + 4DTR)) / 2 mu, with D = sum sigma_i^2 / mu_i and 1 / T =
/// sum 1 / mu_i.
[[nodiscard]] Count af_chunk(Count num_left, double mean_seconds, double sum_of_ratios, double common_seconds);

/// The measured times of a rank's tasks.
class TaskTimes {
 public:
  /// Notes the seconds of a chunk of tasks, without and with scheduling overhead. Later chunks count more (weights 1, 2, 3, …).
  void note(Count num_tasks, double seconds, double seconds_with_overhead);
  /// Notes the seconds of one task.
  void note_task(double seconds);

  [[nodiscard]] bool is_known() const { return weighted_tasks_ > 0; }
  [[nodiscard]] double seconds() const { return weighted_seconds_ / weighted_tasks_; }  ///< per task
  [[nodiscard]] double seconds_with_overhead() const { return weighted_total_ / weighted_tasks_; }
  [[nodiscard]] Count num_tasks() const { return num_tasks_; }  ///< noted one by one
  [[nodiscard]] double mean() const { return mean_; }           ///< of these
  [[nodiscard]] double variance() const { return num_tasks_ > 1 ? squares_ / static_cast<double>(num_tasks_ - 1) : 0; }

 private:
  double num_chunks_ = 0;
  double weighted_tasks_ = 0;
  double weighted_seconds_ = 0;
  double weighted_total_ = 0;
  Count num_tasks_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // of deviations from the mean (Welford 1962)
};

/// Deals out tasks, which the rule assumes to be equal.
class ChunkRule {
 public:
  ChunkRule(ChunkKind kind, ChunkFacts facts);

  [[nodiscard]] Count num_left() const { return num_left_; }
  /// Returns the number of tasks for the rank now; 0 if none is left.
  [[nodiscard]] Count next(Rank rank);

  [[nodiscard]] TaskTimes& times(Rank rank) { return times_[rank]; }
  /// Returns the measured relative speed of a rank, 1 on average; 1 until every rank has a measurement.
  [[nodiscard]] double measured_weight(Rank rank, bool with_overhead) const;

 private:
  [[nodiscard]] Count size_for(Rank rank);
  [[nodiscard]] Count of_batch(double weight);
  [[nodiscard]] Count adaptive(Rank rank) const;
  [[nodiscard]] double known_weight(Rank rank) const;

  ChunkKind kind_;
  ChunkFacts facts_;
  std::vector<TaskTimes> times_;  // [rank]
  std::mt19937 random_;
  Count num_left_;
  Count num_chunks_ = 0;
  Count batch_chunk_ = 0;
  Count batch_left_ = 0;
};

}  // namespace frond
