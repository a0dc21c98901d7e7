// SPDX-License-Identifier: BSD-3-Clause
// Times the code of a factorization on sample fronts.
#include <algorithm>
#include <memory>

#include "analysis/tree/front_cost.hpp"
#include "factorization/fronts/front_elimination.hpp"
#include "frond/error.hpp"
#include "tools/program/calibration/core_rates.hpp"
#include "tools/program/calibration/sample_front.hpp"

namespace frond {
namespace {

constexpr Index kLeastOrder = 4;
constexpr Count kBatchBytes = Count{1} << 18;  // of fronts timed together, to fit in a level 2 cache
constexpr Count kMostFronts = 512;
constexpr Count kTimedEntries = 100000;  // of assembly, so that the clock's resolution does not matter

template <Scalar S>
using Batch = std::vector<std::unique_ptr<SampleFront<S>>>;

// Makes enough fronts for a measurable time, one after the other as in a subtree.
template <Scalar S>
Batch<S> make_batch(Method method, Index order, Index num_fully_summed) {
  const Count bytes = SampleFront<S>::bytes(method, order, num_fully_summed);
  Batch<S> batch;
  for (Count k = 0; k < std::clamp<Count>(kBatchBytes / bytes, 1, kMostFronts); ++k) {
    batch.push_back(std::make_unique<SampleFront<S>>(method, order, num_fully_summed));
  }
  return batch;
}

template <Scalar S>
double elimination_rate(Method method, Index order, Index num_fully_summed, const CalibrationEffort& effort) {
  const Batch<S> batch = make_batch<S>(method, order, num_fully_summed);
  const PivotTolerances<RealOf<S>> tolerances{static_cast<RealOf<S>>(0.01), 0};
  Index num_eliminated = num_fully_summed;
  const auto fill = [&] {
    for (const auto& sample : batch) {
      sample->fill();
    }
  };
  const double seconds = median_seconds(effort, fill, [&] {
    for (const auto& sample : batch) {
      (void)eliminate_whole_front(method, sample->front(), tolerances, false);
      num_eliminated = std::min(num_eliminated, sample->front().factor.num_eliminated);
    }
  });
  if (num_eliminated < num_fully_summed) {
    throw InternalError("a sample front delays pivots");
  }
  return static_cast<double>(batch.size()) * elimination_cost(order, num_fully_summed, method).flops / seconds;
}

// Returns the rows of a child in its parent: in runs, as separators give.
std::vector<Index> spread_rows(Index num_rows, Index parent_order) {
  constexpr Index kRun = 16;
  const Index num_gaps = (num_rows + kRun - 1) / kRun;
  const Index gap = (parent_order - num_rows) / num_gaps;
  std::vector<Index> rows(static_cast<std::size_t>(num_rows));
  for (Index row = 0; row < num_rows; ++row) {
    rows[row] = row + row / kRun * gap;
  }
  return rows;
}

// Children whose contribution blocks together hold as many entries as in trees from nested dissection: about 0.7 of the parent's.
template <Scalar S>
double assembly_rate(Method method, Index order, const CalibrationEffort& effort) {
  const Index child_order = order * 3 / 5;
  SampleFront<S> parent(method, order, order / 2);
  SampleFront<S> first(method, child_order + 1, 1);
  SampleFront<S> second(method, child_order + 1, 1);
  parent.fill();
  const std::vector<Index> rows = spread_rows(child_order, order);
  for (SampleFront<S>* child : {&first, &second}) {
    child->fill();
    child->front().factor.num_eliminated = 1;
  }
  const Count entries = cb_entries(order, is_symmetric(method));
  const Count repetitions = std::max<Count>(1, kTimedEntries / entries);
  const double seconds = median_seconds(
      effort, [] {},
      [&] {
        for (Count repetition = 0; repetition < repetitions; ++repetition) {
          clear_contribution(0, order, parent.front());
          extend_add(method, ChildFront<S>{&first.front(), rows, 0}, 0, order, parent.front());
          extend_add(method, ChildFront<S>{&second.front(), rows, 0}, 0, order, parent.front());
        }
      });
  return static_cast<double>(repetitions * entries) / seconds;
}

}  // namespace

template <Scalar S>
EliminationRates measure_elimination(Method method, const CalibrationEffort& effort) {
  std::vector<RateTable::Point> half;
  std::vector<RateTable::Point> all;
  for (Index order = kLeastOrder; order <= effort.largest_order; order *= 2) {
    half.push_back({static_cast<double>(order), elimination_rate<S>(method, order, order / 2, effort)});
    all.push_back({static_cast<double>(order), elimination_rate<S>(method, order, order, effort)});
  }
  return {RateTable(std::move(half)), RateTable(std::move(all))};
}

template <Scalar S>
RateTable measure_assembly(Method method, const CalibrationEffort& effort) {
  std::vector<RateTable::Point> points;
  for (Index order = 4 * kLeastOrder; order <= effort.largest_order; order *= 2) {
    points.push_back({static_cast<double>(order), assembly_rate<S>(method, order, effort)});
  }
  return RateTable(std::move(points));
}

#define FROND_INSTANTIATE(S)                                                          \
  template EliminationRates measure_elimination<S>(Method, const CalibrationEffort&); \
  template RateTable measure_assembly<S>(Method, const CalibrationEffort&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
