// SPDX-License-Identifier: BSD-3-Clause
// Finds by bisection the lowest level of load at which the rows fit on the candidates, least loaded first.
#include "factorization/distributed/slave_selection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/tree/front_cost.hpp"
#include "matrices/words.hpp"

namespace frond {
namespace {

constexpr Words<Schedule, 2> kScheduleWords{"schedule", {"flops", "memory"}};

// By memory: how far above the lowest level slaves may be filled to balance their work. Of 1, 1.1, 1.2 and 1.3 the smallest with
// which large fronts take no longer than where work alone counts; peaks do not grow by it.
constexpr double kRoomForBalance = 1.2;

constexpr double kMemoryRelaxation = 8;

// Ranks that are slower by less than this count as equal: measured times differ as much.
constexpr double kLeastSlowness = 1.25;

constexpr int kNumTrials = 40;  // halvings of the range of levels: far below the weight of a row

struct Candidate {
  Rank rank;
  double slowness;   // factor of its time over that of others
  double level;      // what the schedule balances
  Count free_bytes;  // until the memory limit
};

double weight(const Load& load, double slowness, Schedule schedule) {
  return schedule == Schedule::flops ? load.flops * slowness : static_cast<double>(load.bytes);
}

double slowness_of(Rank rank, const SelectionOptions& options) {
  const double slowness = options.slowness.empty() ? 1 : options.slowness[rank];
  return slowness < kLeastSlowness ? 1 : slowness;
}

std::vector<Candidate> sorted_candidates(std::span<const Rank> ranks, std::span<const Load> view, const SelectionOptions& options) {
  std::vector<Candidate> candidates;
  candidates.reserve(ranks.size());
  for (const Rank rank : ranks) {
    const double slowness = slowness_of(rank, options);
    const Load& load = view[rank];
    const Count held = std::max<Count>(load.bytes, 0);
    Count free_bytes = options.memory_limit > 0 ? options.memory_limit - held : std::numeric_limits<Count>::max();
    if (const auto most = options.most_bytes.find(rank); most != options.most_bytes.end()) {
      free_bytes = std::min(free_bytes, most->second);
    }
    candidates.push_back({rank, slowness, std::max(0.0, weight(load, slowness, options.schedule)), free_bytes});
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.level != b.level ? a.level < b.level : a.rank < b.rank; });
  return candidates;
}

// Returns the largest end in [begin, num_rows] with fits(end), which is true at `begin` and, once false, stays so.
template <class Fits>
Index last_that_fits(Index begin, Index num_rows, Fits fits) {
  Index good = begin;
  Index bad = num_rows + 1;
  while (bad - good > 1) {
    const Index middle = good + (bad - good) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

class Sharing {
 public:
  Sharing(const SharedFront& front, std::vector<Candidate> candidates, const SelectionOptions& options)
      : front_(front), candidates_(std::move(candidates)), options_(options) {}

  // Fills the candidates up to `level` one after the other. Returns false if rows are left over.
  [[nodiscard]] bool share(double level, std::vector<RowBlock>& blocks) const {
    blocks.clear();
    Index row = 0;
    for (const Candidate& candidate : candidates_) {
      if (row == front_.num_shared_rows()) {
        break;
      }
      const Index end = block_end(candidate, row, level);
      if (end > row && is_worthwhile(row, end)) {
        blocks.push_back({candidate.rank, row, end, block_load(front_, row, end)});
        row = end;
      }
    }
    return row == front_.num_shared_rows();
  }

  [[nodiscard]] double highest_level() const {
    double highest = 0;
    double slowest = 1;
    for (const Candidate& candidate : candidates_) {
      highest = std::max(highest, candidate.level);
      slowest = std::max(slowest, candidate.slowness);
    }
    return highest + weight(block_load(front_, 0, front_.num_shared_rows()), slowest, options_.schedule);
  }

  // Returns the bytes that the candidates lack when even an unlimited level leaves rows over.
  [[nodiscard]] Count missing_bytes() const {
    Count free_bytes = 0;
    for (const Candidate& candidate : candidates_) {
      free_bytes += std::max<Count>(candidate.free_bytes, 0);
    }
    return std::max<Count>(block_load(front_, 0, front_.num_shared_rows()).bytes - free_bytes, 1);
  }

 private:
  [[nodiscard]] Index block_end(const Candidate& candidate, Index row, double level) const {
    return last_that_fits(row, front_.num_shared_rows(), [&](Index end) {
      const Load load = block_load(front_, row, end);
      return load.bytes <= candidate.free_bytes && candidate.level + weight(load, candidate.slowness, options_.schedule) <= level;
    });
  }

  [[nodiscard]] bool is_worthwhile(Index row, Index end) const {
    return end == front_.num_shared_rows() ||
           (end - row >= options_.min_rows && block_load(front_, row, end).flops >= options_.min_flops);
  }

  SharedFront front_;
  std::vector<Candidate> candidates_;
  SelectionOptions options_;
};

}  // namespace

Schedule parse_schedule(std::string_view text) { return kScheduleWords.parse(text); }

MappingOptions mapping_options(MappingOptions asked, Schedule schedule) {
  if (schedule == Schedule::memory) {
    asked.candidate_relaxation = std::max(asked.candidate_relaxation, kMemoryRelaxation);
  }
  return asked;
}

std::string_view to_string(Schedule schedule) { return kScheduleWords.name(schedule); }

Load block_load(const SharedFront& front, Index row_begin, Index row_end) {
  const FrontCost cost = slave_cost(front.order, front.num_fully_summed, row_begin, row_end, front.method);
  const Count num_rows = row_end - row_begin;
  const Count cb_entries = is_symmetric(front.method) ? num_rows * (Count{row_begin} + row_end + 1) / 2
                                                      : num_rows * static_cast<Count>(front.num_shared_rows());
  const Count entries = num_rows * front.num_fully_summed + cb_entries;
  return {std::round(cost.flops), entries * front.scalar_bytes};
}

namespace {

// Finds the lowest level of the balanced quantity at which the candidates take all rows.
Selection share_evenly(const SharedFront& front, std::span<const Rank> candidates, std::span<const Load> view,
                       SelectionOptions options) {
  Sharing sharing(front, sorted_candidates(candidates, view, options), options);
  Selection selection;
  double high = sharing.highest_level();
  if (!sharing.share(high, selection.blocks)) {  // rather blocks too small than none
    options.min_rows = 1;
    options.min_flops = 0;
    sharing = Sharing(front, sorted_candidates(candidates, view, options), options);
    if (!sharing.share(high, selection.blocks)) {
      return {{}, sharing.missing_bytes()};
    }
  }
  double low = 0;
  std::vector<RowBlock> trial;
  for (int i = 0; i < kNumTrials; ++i) {
    const double level = low + (high - low) / 2;
    if (sharing.share(level, trial)) {
      high = level;
      selection.blocks = trial;
    } else {
      low = level;
    }
  }
  return selection;
}

// Returns the bytes that the most loaded slave will hold.
Count highest_bytes(const std::vector<RowBlock>& blocks, std::span<const Load> view) {
  Count highest = 0;
  for (const RowBlock& block : blocks) {
    highest = std::max(highest, std::max<Count>(view[block.rank].bytes, 0) + block.load.bytes);
  }
  return highest;
}

}  // namespace

Selection select_slaves(const SharedFront& front, std::span<const Rank> candidates, std::span<const Load> view,
                        const SelectionOptions& options) {
  Selection selection = share_evenly(front, candidates, view, options);
  if (options.schedule == Schedule::flops || selection.blocks.empty()) {
    return selection;
  }
  const auto room = static_cast<Count>(kRoomForBalance * static_cast<double>(highest_bytes(selection.blocks, view)));
  SelectionOptions by_flops = options;
  by_flops.schedule = Schedule::flops;
  by_flops.memory_limit = options.memory_limit > 0 ? std::min(options.memory_limit, room) : room;
  const Selection balanced = share_evenly(front, candidates, view, by_flops);
  return balanced.blocks.empty() ? selection : balanced;
}

}  // namespace frond
