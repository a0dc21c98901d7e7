// SPDX-License-Identifier: BSD-3-Clause
// Eliminates vertices on rows of bits.
#include "analysis/ordering/leaf_ordering.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace frond {
namespace {

constexpr std::size_t kBits = 64;

void set_bit(std::span<std::uint64_t> row, Index bit) {
  row[static_cast<std::size_t>(bit) / kBits] |= std::uint64_t{1} << (static_cast<std::size_t>(bit) % kBits);
}

void clear_bit(std::span<std::uint64_t> row, Index bit) {
  row[static_cast<std::size_t>(bit) / kBits] &= ~(std::uint64_t{1} << (static_cast<std::size_t>(bit) % kBits));
}

template <class Visit>
void for_each_bit(std::span<const std::uint64_t> row, Visit visit) {
  for (std::size_t word = 0; word < row.size(); ++word) {
    for (std::uint64_t bits = row[word]; bits != 0; bits &= bits - 1) {
      visit(static_cast<Index>(word * kBits) + std::countr_zero(bits));
    }
  }
}

}  // namespace

void LeafOrdering::number_vertices(std::span<const Index> vertices) {
  members_.clear();
  const auto add = [this](Index vertex) {
    if (number_[vertex] == kAbsent) {
      number_[vertex] = static_cast<Index>(members_.size());
      members_.push_back(vertex);
    }
  };
  for (const Index vertex : vertices) add(vertex);
  for (const Index vertex : vertices) {
    for (const Index neighbor : graph_.neighbors_of(vertex)) add(neighbor);
  }
  has_equal_weights_ =
      std::all_of(members_.begin(), members_.end(), [&](Index v) { return graph_.weights[v] == graph_.weights[members_.front()]; });
}

void LeafOrdering::fill_rows(Index num_inside) {
  num_words_ = (members_.size() + kBits - 1) / kBits;
  rows_.assign(static_cast<std::size_t>(num_inside) * num_words_, 0);
  degrees_.resize(num_inside);
  for (Index k = 0; k < num_inside; ++k) {
    for (const Index neighbor : graph_.neighbors_of(members_[k])) set_bit(row(k), number_[neighbor]);
    degrees_[k] = degree(k);
  }
}

Count LeafOrdering::degree(Index vertex) {
  Count degree = 0;
  if (has_equal_weights_) {
    for (const Word word : row(vertex)) degree += std::popcount(word);
  } else {
    for_each_bit(row(vertex), [&](Index other) { degree += graph_.weights[members_[other]]; });
  }
  return degree;
}

// Makes the neighbours of the pivot neighbours of each other.
void LeafOrdering::eliminate(Index pivot) {
  const auto num_inside = static_cast<Index>(degrees_.size());
  const std::span<const Word> neighbors = row(pivot);
  for_each_bit(neighbors, [&](Index other) {
    if (other >= num_inside) return;
    const std::span<Word> target = row(other);
    for (std::size_t word = 0; word < num_words_; ++word) target[word] |= neighbors[word];
    clear_bit(target, other);
    clear_bit(target, pivot);
    degrees_[other] = degree(other);
  });
  degrees_[pivot] = std::numeric_limits<Count>::max();
}

void LeafOrdering::order(std::span<Index> vertices) {
  number_vertices(vertices);
  fill_rows(static_cast<Index>(vertices.size()));
  for (Index& place : vertices) {
    const auto pivot = static_cast<Index>(std::min_element(degrees_.begin(), degrees_.end()) - degrees_.begin());
    place = members_[pivot];
    eliminate(pivot);
  }
  for (const Index member : members_) number_[member] = kAbsent;
}

}  // namespace frond
