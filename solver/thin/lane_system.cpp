// SPDX-License-Identifier: BSD-3-Clause
// Brings systems to lanes, factorizes, refines and judges.
#include "solver/thin/lane_system.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "solver/numerics/accuracy/refinement_course.hpp"
#include "solver/numerics/verdict/outcome.hpp"
#include "solver/numerics/verdict/proof_search.hpp"

namespace frond {
namespace {

// [lane] = numbers of a system.
template <class S>
using LanePointers = std::array<S*, kLanes<std::remove_const_t<S>>>;

template <Scalar S>
void gather(const LanePointers<const S>& from, std::span<LaneNumbers<S>> to, bool are_conjugates = false) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    for (int lane = 0; lane < kLanes<S>; ++lane) {
      set_lane(to[i], lane, from[lane][i]);
    }
    to[i] = are_conjugates ? conjugate(to[i]) : to[i];
  }
}

template <Scalar S>
void scatter(std::span<const LaneNumbers<S>> from, std::span<S* const> to, bool are_conjugates) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    for (std::size_t lane = 0; lane < to.size(); ++lane) {
      const S number = lane_of(from[i], static_cast<int>(lane));
      to[lane][i] = are_conjugates ? conjugate(number) : number;
    }
  }
}

}  // namespace

template <Scalar S>
LaneSystem<S>::LaneSystem(std::shared_ptr<const ThinSystem<S>> leader)
    : leader_(std::move(leader)),
      factors_(leader_->factors().in_lanes()),
      values_(leader_->matrix().stored.values.size()),
      b_(static_cast<std::size_t>(leader_->matrix().order())),
      x_(b_.size()),
      sweep_(b_.size()),
      rest_(b_.size()),
      correction_(b_.size()),
      sums_(b_.size()) {}

template <Scalar S>
bool LaneSystem<S>::suits(const ThinSystem<S>& leader) {
  const RefinementOptions& refinement = leader.refinement();
  return refinement.measures && refinement.max_steps > 0 && !(refinement.target > 0) && leader.matrix().order() > 0;
}

template <Scalar S>
std::vector<std::optional<SolveReport>> LaneSystem<S>::solve(const Systems& systems) {
  const auto num_systems = static_cast<Index>(systems.matrices.size());
  LanePointers<const S> values;
  values.fill(leader_->matrix().stored.values.data());
  std::array<bool, kLanes<S>> is_served{};
  for (Index k = 0; k < num_systems; ++k) {
    is_served[k] = serves(systems.matrices[k]);
    values[k] = is_served[k] ? systems.matrices[k].stored.values.data() : values[k];
  }
  gather<S>(values, values_);
  factors_->refactorize(values_.data());
  const StoredOperation stored = stored_operation(leader_->matrix().transposed, systems.operation);
  const bool is_conjugated = stored.conjugated || stored.operation == Operation::adjoint;  // A^H x = b: A^T conj(x) = conj(b)
  std::vector<std::vector<ColumnReport>> columns(systems.matrices.size());
  for (Index j = 0; j < systems.num_columns; ++j) {
    LanePointers<const S> b;
    LanePointers<S> x{};
    for (Index k = 0; k < kLanes<S>; ++k) {
      b[k] = systems.b.column(std::min(k, num_systems - 1) * systems.num_columns + j);
    }
    for (Index k = 0; k < num_systems; ++k) {
      x[k] = systems.x.column(k * systems.num_columns + j);
    }
    gather<S>(b, b_, is_conjugated);
    const LaneReports<S> measured = solve_column(stored.operation != Operation::plain, num_systems);
    scatter<S>(x_, std::span(x).first(num_systems), is_conjugated);
    for (Index k = 0; k < num_systems; ++k) {
      if (measured[k]) {
        columns[k].push_back(*measured[k]);
      }
    }
  }
  std::vector<std::optional<SolveReport>> reports(systems.matrices.size());
  for (Index k = 0; k < num_systems; ++k) {
    if (is_served[k] && may_solve(k) && static_cast<Index>(columns[k].size()) == systems.num_columns) {
      const Index order = leader_->matrix().order();
      reports[k] = judge<S>(std::move(columns[k]), {}, {.lowest = order, .highest = order}, order);
    }
  }
  return reports;
}

// Whether the matrix has the pattern of the leader, and values of its symmetry. Those that are not finite make no x that is
// accepted.
template <Scalar S>
bool LaneSystem<S>::serves(const SystemMatrix<S>& matrix) const {
  const PatternView& own = leader_->matrix().stored.pattern;
  const PatternView& other = matrix.stored.pattern;
  const bool is_same = own.column_offsets.data() == other.column_offsets.data() &&
                       own.row_indices.data() == other.row_indices.data() && own.num_cols == other.num_cols &&
                       own.symmetry == other.symmetry;
  return (is_same || leader_->analysis()->plan().serves(other)) && matrix.stored.values.size() == values_.size() &&
         matrix.transposed == leader_->matrix().transposed && leader_->analysis()->suits(matrix.stored);
}

// Whether the pivots can be used, and give no reason to ask for the rank.
template <Scalar S>
bool LaneSystem<S>::may_solve(int lane) const {
  const auto pivots = factors_->pivots(lane);
  FactorizationReport report;
  if (pivots) {
    note_pivots(pivots->method, pivots->extremes, report);
  }
  return pivots && !wants_proof<S>(report);
}

// Solves for b_, corrects once where that is needed, and reports where x_ is accurate.
template <Scalar S>
LaneReports<S> LaneSystem<S>::solve_column(bool is_transposed, Index num_systems) {
  const PatternView& pattern = leader_->matrix().stored.pattern;
  LaneReports<S> reports;
  factors_->solve(is_transposed, b_.data(), x_.data(), sweep_.data());
  for (int step = 0;; ++step) {
    LaneReports<S> measured = measure_lanes<S>(pattern, values_.data(), is_transposed, b_, x_, sums_);
    bool are_accurate = true;
    for (Index lane = 0; lane < num_systems; ++lane) {
      if (!reports[lane] && measured[lane] && refinement_error<S>(*measured[lane], leader_->refinement()) <= 1) {
        reports[lane] = std::move(measured[lane]);
        reports[lane]->refinement_steps = step;
      }
      are_accurate = are_accurate && reports[lane];
    }
    if (are_accurate || step == 1) {
      return reports;
    }
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      rest_[i] = sums_[i].rest;
    }
    factors_->solve(is_transposed, rest_.data(), correction_.data(), sweep_.data());
    for (Index lane = 0; lane < num_systems; ++lane) {
      for (std::size_t i = 0; i < x_.size() && !reports[lane]; ++i) {
        set_lane(x_[i], lane, lane_of(x_[i], lane) + lane_of(correction_[i], lane));
      }
    }
  }
}

FROND_INSTANTIATE_CLASS(LaneSystem)

}  // namespace frond
