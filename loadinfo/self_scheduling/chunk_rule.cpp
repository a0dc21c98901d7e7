// SPDX-License-Identifier: BSD-3-Clause
// Implements the formulas and the state that changes from chunk to chunk.
#include "loadinfo/self_scheduling/chunk_rule.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "matrices/words.hpp"

namespace frond {
namespace {

constexpr Words<ChunkKind, 14> kChunkWords{
    "rule for chunks",
    {"static", "ss", "fsc", "mfsc", "gss", "tss", "fac", "wf", "rand", "awf-b", "awf-c", "awf-d", "awf-e", "af"}};

Count quotient(Count a, Count b) { return (a + b - 1) / b; }

// Formulas exceed any bound if a measured time is tiny, and are undefined if it is zero.
Count at_least_one(double tasks) {
  constexpr double kMost = 0x1p62;
  return tasks >= 1 ? static_cast<Count>(std::min(tasks, kMost)) : 1;
}

}  // namespace

ChunkKind parse_chunk_kind(std::string_view text) { return kChunkWords.parse(text); }

std::string_view to_string(ChunkKind kind) { return kChunkWords.name(kind); }

std::vector<std::string> chunk_kind_names() { return kChunkWords.all(); }

Count fsc_chunk(const ChunkFacts& facts) {
  const Count equal = quotient(facts.num_tasks, facts.num_ranks);
  if (facts.num_ranks < 2 || !(facts.deviation_seconds > 0)) {
    return equal;
  }
  const auto p = static_cast<double>(facts.num_ranks);
  const double ratio = std::numbers::sqrt2 * static_cast<double>(facts.num_tasks) * facts.overhead_seconds /
                       (facts.deviation_seconds * p * std::sqrt(std::log(p)));
  return std::min(equal, at_least_one(std::ceil(std::pow(ratio, 2.0 / 3.0))));
}

Count mfsc_chunk(const ChunkFacts& facts) {
  const auto equal = static_cast<double>(quotient(facts.num_tasks, facts.num_ranks));
  return equal < 2 ? 1 : at_least_one(0.55 + equal * std::numbers::ln2 / std::log(equal));
}

Count gss_chunk(Count num_left, Rank num_ranks) { return quotient(num_left, num_ranks); }

Count tss_chunk(Count num_tasks, Rank num_ranks, Count chunk) {
  const Count first = quotient(num_tasks, Count{2} * num_ranks);
  const Count num_chunks = quotient(2 * num_tasks, first + 1);
  const Count step = num_chunks > 1 ? (first - 1) / (num_chunks - 1) : 0;
  return std::max<Count>(1, first - chunk * step);
}

Count fac_chunk(Count num_left, Rank num_ranks) { return quotient(num_left, Count{2} * num_ranks); }

Count weighted_chunk(Count chunk, double weight) { return at_least_one(static_cast<double>(chunk) * weight + 0.5); }

Count af_chunk(Count num_left, double mean_seconds, double sum_of_ratios, double common_seconds) {
  const double d = sum_of_ratios;
  const double tr = common_seconds * static_cast<double>(num_left);
  return at_least_one((d + 2 * tr - std::sqrt(d * (d + 4 * tr))) / (2 * mean_seconds) + 0.5);
}

void TaskTimes::note(Count num_tasks, double seconds, double seconds_with_overhead) {
  num_chunks_ += 1;
  weighted_tasks_ += num_chunks_ * static_cast<double>(num_tasks);
  weighted_seconds_ += num_chunks_ * seconds;
  weighted_total_ += num_chunks_ * seconds_with_overhead;
}

void TaskTimes::note_task(double seconds) {
  ++num_tasks_;
  const double before = seconds - mean_;
  mean_ += before / static_cast<double>(num_tasks_);
  squares_ += before * (seconds - mean_);
}

ChunkRule::ChunkRule(ChunkKind kind, ChunkFacts facts)
    : kind_(kind),
      facts_(std::move(facts)),
      times_(static_cast<std::size_t>(facts_.num_ranks)),
      random_(facts_.seed),
      num_left_(facts_.num_tasks) {}

Count ChunkRule::next(Rank rank) {
  if (num_left_ <= 0) {
    return 0;
  }
  const Count size = std::clamp<Count>(size_for(rank), 1, num_left_);
  num_left_ -= size;
  ++num_chunks_;
  return size;
}

Count ChunkRule::size_for(Rank rank) {
  switch (kind_) {
    case ChunkKind::fixed:
      return quotient(facts_.num_tasks, facts_.num_ranks);
    case ChunkKind::ss:
      return 1;
    case ChunkKind::fsc:
      return fsc_chunk(facts_);
    case ChunkKind::mfsc:
      return mfsc_chunk(facts_);
    case ChunkKind::gss:
      return gss_chunk(num_left_, facts_.num_ranks);
    case ChunkKind::tss:
      return tss_chunk(facts_.num_tasks, facts_.num_ranks, num_chunks_);
    case ChunkKind::fac:
      return of_batch(1);
    case ChunkKind::wf:
      return of_batch(known_weight(rank));
    case ChunkKind::rand: {
      const Count equal = quotient(facts_.num_tasks, facts_.num_ranks);
      return std::uniform_int_distribution<Count>(std::max<Count>(1, equal / 100), std::max<Count>(1, equal / 2))(random_);
    }
    case ChunkKind::awf_b:
      return of_batch(measured_weight(rank, false));
    case ChunkKind::awf_d:
      return of_batch(measured_weight(rank, true));
    case ChunkKind::awf_c:
      return weighted_chunk(fac_chunk(num_left_, facts_.num_ranks), measured_weight(rank, false));
    case ChunkKind::awf_e:
      return weighted_chunk(fac_chunk(num_left_, facts_.num_ranks), measured_weight(rank, true));
    case ChunkKind::af:
      return adaptive(rank);
  }
  return 1;
}

// A batch is half of the tasks that were left when it began.
Count ChunkRule::of_batch(double weight) {
  if (batch_left_ <= 0) {
    batch_chunk_ = fac_chunk(num_left_, facts_.num_ranks);
    batch_left_ = std::min(num_left_, batch_chunk_ * facts_.num_ranks);
  }
  const Count size = std::min({weighted_chunk(batch_chunk_, weight), batch_left_, num_left_});
  batch_left_ -= size;
  return size;
}

double ChunkRule::known_weight(Rank rank) const {
  if (facts_.weights.empty()) {
    return 1;
  }
  double sum = 0;
  for (const double weight : facts_.weights) {
    sum += weight;
  }
  return facts_.weights[rank] * static_cast<double>(facts_.num_ranks) / sum;
}

double ChunkRule::measured_weight(Rank rank, bool with_overhead) const {
  const auto seconds_of = [with_overhead](const TaskTimes& times) {
    return with_overhead ? times.seconds_with_overhead() : times.seconds();
  };
  double sum = 0;
  for (const TaskTimes& times : times_) {
    if (!times.is_known() || !(seconds_of(times) > 0)) {
      return 1;
    }
    sum += 1 / seconds_of(times);
  }
  return static_cast<double>(facts_.num_ranks) / (seconds_of(times_[rank]) * sum);
}

// Uses small chunks, a quarter of factoring's, until there are two times for each rank.
Count ChunkRule::adaptive(Rank rank) const {
  double ratios = 0;
  double rates = 0;
  for (const TaskTimes& times : times_) {
    if (times.num_tasks() < 2 || !(times.mean() > 0)) {
      return quotient(fac_chunk(num_left_, facts_.num_ranks), 4);
    }
    ratios += times.variance() / times.mean();
    rates += 1 / times.mean();
  }
  return af_chunk(num_left_, times_[rank].mean(), ratios, 1 / rates);
}

}  // namespace frond
