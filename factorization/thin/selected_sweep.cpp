// SPDX-License-Identifier: BSD-3-Clause
// Finds what sweeps visit, and sweeps there.
#include "factorization/thin/selected_sweep.hpp"

#include <algorithm>

namespace frond {

RowLinks::RowLinks(std::span<const Index> column_offsets, std::span<const Index> rows)
    : offsets(column_offsets.size() + 1), columns(rows.size()), entries(rows.size()) {
  for (const Index row : rows) {
    ++offsets[row + 2];
  }
  for (std::size_t row = 2; row < offsets.size(); ++row) {
    offsets[row] += offsets[row - 1];
  }
  for (Index column = 0; column + 1 < static_cast<Index>(column_offsets.size()); ++column) {
    for (Index entry = column_offsets[column]; entry < column_offsets[column + 1]; ++entry) {
      const Index place = offsets[rows[entry] + 1]++;
      columns[place] = column;
      entries[place] = entry;
    }
  }
  offsets.pop_back();
}

template <Scalar S>
void SelectedPivots<S>::make_room(Index order) {
  x_.resize(static_cast<std::size_t>(order));
  is_found_.resize(static_cast<std::size_t>(order));
}

// The pivots `from` and all to which they lead, each after those to which it leads: the structure of a solution. Outside of the
// block `home` couplings lead on, from whole blocks.
template <Scalar S>
void SelectedPivots<S>::reach(const SelectiveFactors<S>& factors, const PivotLinks<S>& links, Index home,
                              std::span<const Index> from, std::vector<Index>& found) {
  found.clear();
  const auto enter = [&](Index pivot) {
    const Index block = factors.block_of.empty() ? 0 : factors.block_of[pivot];
    const bool is_at_home = block == home;
    if (!is_at_home && (block > home) == factors.depend_on_later_blocks) {
      return;  // nothing there depends on what is at home
    }
    const Index first = is_at_home ? pivot : factors.blocks[block];
    const Index last = is_at_home ? pivot + 1 : factors.blocks[block + 1];
    const PivotLinks<S>& leading = is_at_home ? links : factors.couplings;
    if (is_found_[first] == 0) {
      is_found_[first] = 1;
      path_.push_back({first, leading.targets + leading.offsets[first], leading.targets + leading.offsets[last]});
    }
  };
  for (const Index start : from) {
    enter(start);
    while (!path_.empty()) {
      Step& step = path_.back();
      if (step.next != step.end) {
        enter(*step.next++);
      } else {
        found.push_back(step.pivot);
        path_.pop_back();
      }
    }
  }
  for (const Index pivot : found) {
    is_found_[pivot] = 0;
  }
}

// Subtracts what depends on a pivot from others.
template <Scalar S>
void SelectedPivots<S>::subtract(const SelectiveFactors<S>& factors, const PivotLinks<S>& away, Index pivot) {
  if (away.division == Division::before) {
    x_[pivot] *= factors.inverse_pivots[pivot];
  }
  for (Index entry = away.offsets[pivot]; entry < away.offsets[pivot + 1]; ++entry) {
    x_[away.targets[entry]] -= away.value(entry) * x_[pivot];
  }
  if (away.division == Division::after) {
    x_[pivot] *= factors.inverse_pivots[pivot];
  }
}

// Subtracts what a pivot depends on.
template <Scalar S>
void SelectedPivots<S>::collect(const SelectiveFactors<S>& factors, const PivotLinks<S>& back, Index pivot) {
  S rest = x_[pivot];
  if (back.division == Division::before) {
    rest *= factors.inverse_pivots[pivot];
  }
  for (Index entry = back.offsets[pivot]; entry < back.offsets[pivot + 1]; ++entry) {
    rest -= back.value(entry) * x_[back.targets[entry]];
  }
  if (back.division == Division::after) {
    rest *= factors.inverse_pivots[pivot];
  }
  x_[pivot] = rest;
}

template <Scalar S>
void SelectedPivots<S>::solve(const SelectiveFactors<S>& factors, Index given, std::span<const Index> wanted) {
  const Index home = factors.block_of.empty() ? 0 : factors.block_of[given];
  reach(factors, factors.away, home, {&given, 1}, visited_[0]);
  std::for_each(visited_[0].rbegin(), visited_[0].rend(), [&](Index pivot) { subtract(factors, factors.away, pivot); });
  reach(factors, factors.back, home, wanted, visited_[1]);
  for (const Index pivot : visited_[1]) {
    const Index block = factors.block_of.empty() ? 0 : factors.block_of[pivot];
    if (block == home) {
      collect(factors, factors.back, pivot);
      continue;
    }
    const Index end = factors.blocks[block + 1];
    for (Index k = pivot; k < end; ++k) {
      collect(factors, factors.couplings, k);
      solved_.push_back(k);
    }
    for (Index k = pivot; k < end; ++k) {
      subtract(factors, factors.away, k);
    }
    for (Index k = end; k-- > pivot;) {
      collect(factors, factors.back, k);
    }
  }
}

template <Scalar S>
void SelectedPivots<S>::clear() {
  for (const std::vector<Index>* pivots : {&visited_[0], &visited_[1], &solved_}) {
    for (const Index pivot : *pivots) {
      x_[pivot] = S(0);
    }
  }
  solved_.clear();
}

#define FROND_INSTANTIATE(S) template class SelectedPivots<S>;
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
