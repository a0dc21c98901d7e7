// SPDX-License-Identifier: BSD-3-Clause
// Applies the passes of Fiduccia and Mattheyses (1982, "A linear-time heuristic for improving network partitions", DAC) to
// separators, one side at a time.
#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>

#include "analysis/ordering/separator.hpp"
#include "matrices/large_vector.hpp"

namespace frond {
namespace {

constexpr Index kAbsent = -1;

// Vertices by decreasing gain; among equals the latest first, which stays at one place of the separator (Hagen, Huang, Kahng 1997,
// "On implementation choices for iterative improvement partitioning algorithms", IEEE Trans. CAD 16).
class GainQueue {
 public:
  explicit GainQueue(Index num_vertices) : place_(num_vertices, kAbsent) {}

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] bool holds(Index vertex) const { return place_[vertex] != kAbsent; }

  void insert(Index vertex, Index gain) {
    heap_.push_back({next_key(gain), vertex});
    rise(heap_.size() - 1);
  }

  void increase(Index vertex, Index gain) {
    const auto at = static_cast<std::size_t>(place_[vertex]);
    heap_[at].key = next_key(gain);
    rise(at);
  }

  Index remove_best() {
    const Index best = heap_.front().vertex;
    place_[best] = kAbsent;
    const Item last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(last);
    return best;
  }

  void clear() {
    for (const Item& item : heap_) place_[item.vertex] = kAbsent;
    heap_.clear();
  }

 private:
  struct Item {
    std::uint64_t key;  // the gain, then the time: larger ones are better
    Index vertex;
  };

  std::uint64_t next_key(Index gain) {
    constexpr std::uint32_t kSign = 1U << 31;
    return std::uint64_t{static_cast<std::uint32_t>(gain) ^ kSign} << 32 | ++clock_;
  }

  void rise(std::size_t at) {
    const Item item = heap_[at];
    while (at > 0 && item.key > heap_[(at - 1) / 2].key) {
      put(at, heap_[(at - 1) / 2]);
      at = (at - 1) / 2;
    }
    put(at, item);
  }

  // Fills the place at the top.
  void sink(const Item& item) {
    std::size_t at = 0;
    for (std::size_t child = 1; child < heap_.size(); child = 2 * at + 1) {
      if (child + 1 < heap_.size()) child += heap_[child + 1].key > heap_[child].key ? 1 : 0;
      if (heap_[child].key <= item.key) break;
      put(at, heap_[child]);
      at = child;
    }
    put(at, item);
  }

  void put(std::size_t at, const Item& item) {
    heap_[at] = item;
    place_[item.vertex] = static_cast<Index>(at);
  }

  std::vector<Item> heap_;
  std::uint32_t clock_ = 0;
  std::vector<Index> place_;  // of a vertex in the heap
};

class Refiner {
 public:
  Refiner(const LevelGraph& graph, Separation& separation)
      : graph_(graph),
        separation_(separation),
        max_side_(largest_side(graph)),
        beside_(graph.num_vertices()),
        queue_(graph.num_vertices()) {
    for (Index vertex = 0; vertex < graph.num_vertices(); ++vertex) {
      if (side(vertex) == Side::separator) {
        separator_.push_back(vertex);
        beside_[vertex] = weights_beside(vertex);
      }
    }
  }

  void run() {
    Side to = separation_.weight(Side::first) < separation_.weight(Side::second) ? Side::first : Side::second;
    int num_idle = 0;
    for (int pass = 0; pass < kMostPasses && num_idle < 2; ++pass) {
      num_idle = improve(to) ? 0 : num_idle + 1;
      to = opposite(to);
    }
  }

 private:
  static constexpr int kMostPasses = 20;
  static constexpr Count kWorthwhilePart = 50;  // of the separator: a pass that gains less is not worth another

  // A vertex that has left the separator; the vertices that it has pulled into it: pulled_[pulled_begin ..]
  struct Move {
    Index vertex;
    std::size_t pulled_begin;
  };

  static Side opposite(Side side) { return side == Side::first ? Side::second : Side::first; }

  [[nodiscard]] Side side(Index vertex) const { return separation_.sides[vertex]; }
  [[nodiscard]] Index& beside(Index vertex, Side side) { return beside_[vertex][static_cast<std::size_t>(side)]; }
  [[nodiscard]] Index gain(Index vertex, Side to) { return graph_.weights[vertex] - beside(vertex, opposite(to)); }

  [[nodiscard]] std::array<Index, 2> weights_beside(Index vertex) const {
    std::array<Index, 3> weights = {};
    for (const Index neighbor : graph_.neighbors_of(vertex)) {
      weights[static_cast<std::size_t>(side(neighbor))] += graph_.weights[neighbor];
    }
    return {weights[0], weights[1]};
  }

  // Quantities to minimize, the most important first.
  [[nodiscard]] std::tuple<Count, Count, Count> cost() const {
    const auto [least, largest] = std::minmax({separation_.weight(Side::first), separation_.weight(Side::second)});
    return {std::max<Count>(largest - max_side_, 0), separation_.weight(Side::separator), largest - least};
  }

  void put(Index vertex, Side to) { separation_.put(graph_, vertex, to); }

  // Moves vertices to one side, the most profitable first, and goes back to the best separator found; returns whether that gained
  // enough to continue.
  bool improve(Side to) {
    moves_.clear();
    pulled_.clear();
    for (const Index vertex : separator_) queue_.insert(vertex, gain(vertex, to));
    const auto before = cost();
    auto best = before;
    std::size_t num_good = 0;
    const std::size_t patience = std::clamp<std::size_t>(8 * separator_.size(), 50, 20000);
    while (!queue_.empty() && moves_.size() - num_good <= patience) {
      const Index vertex = queue_.remove_best();
      if (separation_.weight(to) + graph_.weights[vertex] > max_side_) continue;
      move(vertex, to);
      if (cost() < best) {
        best = cost();
        num_good = moves_.size();
      }
    }
    queue_.clear();
    while (moves_.size() > num_good) take_back(to);
    collect_separator();
    const auto [excess_before, weight_before, difference_before] = before;
    const auto [excess, weight, difference] = best;
    return excess < excess_before || (weight_before - weight) * kWorthwhilePart > weight_before;
  }

  void move(Index vertex, Side to) {
    moves_.push_back({vertex, pulled_.size()});
    put(vertex, to);
    for (const Index neighbor : graph_.neighbors_of(vertex)) {
      if (side(neighbor) == Side::separator) {
        beside(neighbor, to) += graph_.weights[vertex];
      } else if (side(neighbor) != to) {
        pull(neighbor, to);
      }
    }
  }

  // Pulls a vertex into the separator; it may leave again later if that pays off.
  void pull(Index vertex, Side to) {
    pulled_.push_back(vertex);
    put(vertex, Side::separator);
    std::array<Index, 3> weights = {};
    for (const Index neighbor : graph_.neighbors_of(vertex)) {
      weights[static_cast<std::size_t>(side(neighbor))] += graph_.weights[neighbor];
      if (side(neighbor) != Side::separator) continue;
      beside(neighbor, opposite(to)) -= graph_.weights[vertex];
      if (queue_.holds(neighbor)) queue_.increase(neighbor, gain(neighbor, to));
    }
    beside_[vertex] = {weights[0], weights[1]};
    queue_.insert(vertex, gain(vertex, to));
  }

  // The weights next to a vertex that has left the separator are as they were when it left.
  void take_back(Side to) {
    const Move last = moves_.back();
    moves_.pop_back();
    for (; pulled_.size() > last.pulled_begin; pulled_.pop_back()) {
      const Index vertex = pulled_.back();
      put(vertex, opposite(to));
      for (const Index neighbor : graph_.neighbors_of(vertex)) {
        if (side(neighbor) == Side::separator) beside(neighbor, opposite(to)) += graph_.weights[vertex];
      }
    }
    put(last.vertex, Side::separator);
    for (const Index neighbor : graph_.neighbors_of(last.vertex)) {
      if (side(neighbor) == Side::separator) beside(neighbor, to) -= graph_.weights[last.vertex];
    }
  }

  // Collects the previous vertices and the pulled ones that are in the separator now.
  void collect_separator() {
    separator_.insert(separator_.end(), pulled_.begin(), pulled_.end());
    std::erase_if(separator_, [this](Index vertex) { return side(vertex) != Side::separator; });
  }

  const LevelGraph& graph_;
  Separation& separation_;
  Count max_side_;
  LargeVector<std::array<Index, 2>> beside_;  // of vertices in the separator: the weights of their neighbours on the two sides
  std::vector<Index> separator_;
  GainQueue queue_;
  std::vector<Move> moves_;
  std::vector<Index> pulled_;
};

}  // namespace

void refine(const LevelGraph& graph, Separation& separation) { Refiner(graph, separation).run(); }

}  // namespace frond
