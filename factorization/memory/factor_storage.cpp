// SPDX-License-Identifier: BSD-3-Clause
// Computes places of fronts from the tree alone.
#include "factorization/memory/factor_storage.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "factorization/kernels/rank_update.hpp"
#include "matrices/steady_clock.hpp"

namespace frond {
namespace {

constexpr Count kAlignment = 64;
constexpr Count kPageBytes = 4096;
constexpr Count kMeasurableBytes = 4 * kPageBytes;     // smaller fronts take little longer than reading the clock
constexpr Count kMostForWorkspaces = Count{64} << 20;  // right-hand sides of some million unknowns

// Bytes that fronts with delayed pivots take at a time: a fraction of the planned bytes, between a few pages and a few huge pages.
Count bytes_at_a_time(Count planned_bytes) { return std::clamp<Count>(planned_bytes / 16, 16 * kPageBytes, Count{4} << 20); }

// Zeroes the bytes. On fresh pages only one byte is written: a thread that reads them first would share the system's page of zeros,
// and get its own by a second fault that interrupts all threads.
void clear(std::byte* memory, Count bytes, bool is_zero) {
  if (!is_zero) {
    std::fill_n(memory, bytes, std::byte{0});
    return;
  }
  for (Count offset = 0; offset < bytes; offset += kPageBytes) {
    memory[offset] = std::byte{0};
  }
}

// Numbers of scalars of the parts of a front, in the order in which they lie in memory.
struct Parts {
  Count lower = 0;
  Count upper = 0;
  Count d = 0;
};

// Rows of the front in `lower`.
Index lower_rows(Index order, Index p, Method method, FrontShape shape) {
  return shape == FrontShape::summed_rows && is_symmetric(method) ? p : order;
}

PanelLayout layout_of(Index rows, Index p, Method method, FrontShape shape) {
  return shape == FrontShape::unit_lower ? PanelLayout{rows, p, kPanelWidth} : front_layout(rows, p, method);
}

Parts parts(Index order, Index p, Method method, FrontShape shape) {
  Parts parts;
  if (shape == FrontShape::variables) {
    return parts;
  }
  parts.lower = layout_of(lower_rows(order, p, method, shape), p, method, shape).size();
  if (method == Method::lu && shape == FrontShape::whole) {
    parts.upper = static_cast<Count>(order - p) * p;
  } else if (is_symmetric(method) && method != Method::cholesky) {
    parts.d = 2 * static_cast<Count>(p);
  }
  return parts;
}

}  // namespace

FrontShape shape_on(const Mapping& mapping, NodeId node, Rank rank) {
  if (mapping.master(node) != rank) {
    return FrontShape::none;
  }
  switch (mapping.type(node)) {
    case NodeType::row_distributed:
      return FrontShape::summed_rows;
    case NodeType::grid_distributed:
      return FrontShape::variables;
    case NodeType::sequential:
      break;
  }
  return FrontShape::whole;
}

FrontShape kept_shape(const AssemblyTree& tree, NodeId node, FrontShape held, Method method, KeptFactors kept) {
  if (kept == KeptFactors::all || node == tree.schur_node() || held == FrontShape::variables) {
    return held;
  }
  if (kept == KeptFactors::none) {
    return FrontShape::none;
  }
  const bool holds_entries = held == FrontShape::whole || held == FrontShape::summed_rows;
  return method == Method::lu && holds_entries ? FrontShape::unit_lower : held;
}

PanelLayout front_layout(Index order, Index num_fully_summed, Method method) {
  return {order, num_fully_summed, method == Method::cholesky ? kPanelWidth : std::max<Index>(num_fully_summed, 1)};
}

Count front_bytes(Index order, Index num_fully_summed, Method method, Count scalar_bytes, FrontShape shape) {
  if (shape == FrontShape::none) {
    return 0;
  }
  const Parts size = parts(order, num_fully_summed, method, shape);
  const Count p = num_fully_summed;
  const Count index_bytes = (method == Method::lu ? 2 : 1) * p * static_cast<Count>(sizeof(Index));
  const Count pivot_bytes = method == Method::cholesky ? 0 : p * static_cast<Count>(sizeof(PivotKind));
  const Count bytes = (size.lower + size.upper + size.d) * scalar_bytes + index_bytes + pivot_bytes;
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

Count passing_bytes(Index order, Index num_fully_summed, Method method, Count scalar_bytes, FrontShape held, FrontShape kept) {
  return kept == held ? 0 : front_bytes(order, num_fully_summed, method, scalar_bytes, held);
}

FactorStorage::FactorStorage(const AssemblyTree& tree, Method method, Count scalar_bytes, std::shared_ptr<RegionPool> pool,
                             const std::function<FrontShape(NodeId)>& shape_of)
    : offsets_(static_cast<std::size_t>(tree.num_nodes()) + 1, 0),
      has_left_(static_cast<std::size_t>(tree.num_nodes()), 0),
      pool_(std::move(pool)),
      workspaces_(std::make_unique<RegionPool>(kMostForWorkspaces, pool_)) {
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    const auto index = static_cast<std::size_t>(node);
    offsets_[index + 1] =
        offsets_[index] + front_bytes(tree.front_order(node), tree.num_fully_summed(node), method, scalar_bytes, shape_of(node));
  }
  region_ = pool_->take(offsets_.back());
}

FactorStorage::~FactorStorage() {
  pool_->give_back(std::move(region_));
  for (Region& region : larger_) {
    pool_->give_back(std::move(region));
  }
  for (Loan& loan : loans_) {
    pool_->give_back(std::move(loan.region));
  }
}

template <Scalar S>
FrontFactor<S> FactorStorage::place(const AssemblyTree& tree, NodeId node, Index num_delayed_in, Method method, MemoryMeter& meter,
                                    FrontShape shape) {
  const Count bytes =
      front_bytes(tree.front_order(node) + num_delayed_in, tree.num_fully_summed(node) + num_delayed_in, method, sizeof(S), shape);
  meter.charge(bytes);
  const auto [memory, is_zero] = take_place(node, bytes);
  const bool is_watched = is_zero && bytes >= kMeasurableBytes;
  const double begin = is_watched ? steady_seconds() : 0;
  clear(memory, bytes, is_zero);
  if (is_watched && faults_.finds_dear(bytes, steady_seconds() - begin)) {
    region_.avoid_huge_pages();
  }
  return lay_out_front<S>(memory, tree, node, num_delayed_in, method, shape);
}

template <Scalar S>
FrontFactor<S> lay_out_front(std::byte* memory, const AssemblyTree& tree, NodeId node, Index num_delayed_in, Method method,
                             FrontShape shape) {
  FrontFactor<S> front;
  front.num_fully_summed = tree.num_fully_summed(node) + num_delayed_in;
  front.order = lower_rows(tree.front_order(node) + num_delayed_in, front.num_fully_summed, method, shape);
  front.layout = layout_of(front.order, front.num_fully_summed, method, shape);
  const Parts size = parts(front.order, front.num_fully_summed, method, shape);
  front.lower = reinterpret_cast<S*>(memory);
  S* end = front.lower + size.lower;
  if (method == Method::lu && shape == FrontShape::whole) {
    front.upper = end;
    end += size.upper;
  } else if (is_symmetric(method) && method != Method::cholesky) {
    front.d = end;
    end += size.d;
  }
  front.row_variables = reinterpret_cast<Index*>(end);
  front.col_variables = front.row_variables;
  if (method == Method::lu) {
    front.col_variables += front.num_fully_summed;
  }
  if (method != Method::cholesky) {
    front.pivots = reinterpret_cast<PivotKind*>(front.col_variables + front.num_fully_summed);
  }
  if (shape == FrontShape::variables) {
    front.lower = nullptr;
  }
  std::iota(front.row_variables + num_delayed_in, front.row_variables + front.num_fully_summed, tree.variable_begin(node));
  std::copy(front.row_variables + num_delayed_in, front.row_variables + front.num_fully_summed,
            front.col_variables + num_delayed_in);
  return front;
}

// Returns the node's own place, or, if that is too small or given up, a free one. A node whose front has gone to another process
// may come back.
FactorStorage::Place FactorStorage::take_place(NodeId node, Count bytes) {
  const auto index = static_cast<std::size_t>(node);
  const Place own{region_.data() + offsets_[index], region_.is_zero()};
  const Count own_bytes = offsets_[index + 1] - offsets_[index];
  if (bytes <= own_bytes && has_left_[index] == 0) {
    return own;
  }
  const std::lock_guard lock(mutex_);
  if (own_bytes > 0 && std::exchange(has_left_[index], 1) == 0) {
    left_.emplace(own_bytes, own);
  }
  return take_left(bytes);
}

// Returns the smallest free place that fits: otherwise, pages that hold other fronts would hold unused places, too.
FactorStorage::Place FactorStorage::take_left(Count bytes) {
  auto found = left_.lower_bound(bytes);
  if (found == left_.end()) {
    const Region& added = larger_.emplace_back(pool_->take(std::max(bytes, bytes_at_a_time(planned_bytes()))));
    found = left_.emplace(added.bytes(), Place{added.data(), added.is_zero()});
  }
  const auto [whole_bytes, place] = *found;
  left_.erase(found);
  if (whole_bytes > bytes) {
    left_.emplace(whole_bytes - bytes, Place{place.memory + bytes, place.is_zero});
  }
  return place;
}

std::byte* FactorStorage::place_unplanned(Count bytes, MemoryMeter& meter) {
  meter.charge(bytes);
  Region region = pool_->take(bytes);
  std::byte* memory = region.data();
  clear(memory, bytes, region.is_zero());
  const std::lock_guard lock(mutex_);
  loans_.push_back({std::move(region), bytes});
  return memory;
}

void FactorStorage::give_back_unplanned(std::byte* memory, MemoryMeter& meter) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(loans_.begin(), loans_.end(), [memory](const Loan& loan) { return loan.region.data() == memory; });
  meter.release(found->bytes);
  pool_->give_back(std::move(found->region));
  loans_.erase(found);
}

void FactorStorage::forget(const std::byte* memory, Count bytes, MemoryMeter& meter) {
  meter.release(bytes);
  const std::lock_guard lock(mutex_);
  const auto discard_in = [memory, bytes](Region& region) {
    if (std::less_equal<>()(region.data(), memory) && std::less<>()(memory, region.data() + region.bytes())) {
      region.discard(memory - region.data(), memory - region.data() + bytes);
    }
  };
  discard_in(region_);
  std::for_each(larger_.begin(), larger_.end(), discard_in);
}

#define FROND_INSTANTIATE(S)                                                                                          \
  template FrontFactor<S> FactorStorage::place(const AssemblyTree&, NodeId, Index, Method, MemoryMeter&, FrontShape); \
  template FrontFactor<S> lay_out_front(std::byte*, const AssemblyTree&, NodeId, Index, Method, FrontShape);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
