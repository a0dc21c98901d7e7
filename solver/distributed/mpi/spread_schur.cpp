// SPDX-License-Identifier: BSD-3-Clause
// Determines which rank sends which entry to which.
#include "solver/distributed/mpi/spread_schur.hpp"

#include <algorithm>

#include "loadinfo/messages/ranks/collective.hpp"
#include "matrices/position.hpp"
#include "solver/distributed/mpi/agreement.hpp"

namespace frond {
namespace {

/// How entry (i, j) held by the ranks becomes an entry of S.
struct Passage {
  bool is_flipped = false;     // it is for S(j, i)
  bool is_conjugated = false;  // it is the conjugate of that
  Index first_below = 0;       // only entries with i >= j + first_below,
  bool is_lower = false;       // if set
};

/// A lower triangle is sent twice, the second time as the upper one.
std::vector<Passage> passages(SchurForm form, bool is_transposed) {
  const bool is_lower = form != SchurForm::all;
  std::vector<Passage> passages{{.is_flipped = is_transposed, .is_lower = is_lower}};
  if (is_lower) {
    passages.push_back(
        {.is_flipped = !is_transposed, .is_conjugated = form == SchurForm::hermitian_lower, .first_below = 1, .is_lower = true});
  }
  return passages;
}

/// Numbers that belong to both a part of one distribution and a part of another, increasing.
std::vector<Index> numbers_of_both(const BlockCyclic& one, Rank part_of_one, const BlockCyclic& other, Rank part_of_other) {
  std::vector<Index> numbers;
  for (Index local = 0; local < one.local_size(part_of_one); ++local) {
    if (const Index number = one.global(part_of_one, local); other.owner(number) == part_of_other) {
      numbers.push_back(number);
    }
  }
  return numbers;
}

/// The entries that a rank of one grid sends to a rank of another, in an order that both compute on their own.
class Piece {
 public:
  Piece(const Passage& passage, const RootLayout& from, GridPosition source, const RootLayout& to, GridPosition target)
      : passage_(passage),
        rows_(passage.is_flipped ? numbers_of_both(from.rows(), source.row, to.cols(), target.col)
                                 : numbers_of_both(from.rows(), source.row, to.rows(), target.row)),
        cols_(passage.is_flipped ? numbers_of_both(from.cols(), source.col, to.rows(), target.row)
                                 : numbers_of_both(from.cols(), source.col, to.cols(), target.col)) {}

  [[nodiscard]] Count num_entries() const {
    Count entries = 0;
    for (const Index col : cols_) {
      entries += rows_.end() - first_row(col);
    }
    return entries;
  }

  /// Calls take(i, j) for each of these entries, by its position in what the ranks hold.
  template <class Take>
  void for_each(const Take& take) const {
    for (const Index col : cols_) {
      std::for_each(first_row(col), rows_.end(), [&](Index row) { take(row, col); });
    }
  }

 private:
  [[nodiscard]] std::vector<Index>::const_iterator first_row(Index col) const {
    return passage_.is_lower ? std::lower_bound(rows_.begin(), rows_.end(), col + passage_.first_below) : rows_.begin();
  }

  Passage passage_;
  std::vector<Index> rows_;
  std::vector<Index> cols_;
};

// There are no variables either where nothing is scaled.
template <class R>
R scale_of(std::span<const R> scaling, std::span<const Index> variables, Index k) {
  return scaling.empty() ? R(1) : scaling[at(variables[at(k)])];
}

template <Scalar S>
void pack(const SchurSource<S>& source, const Passage& passage, const Piece& piece, std::vector<S>& packed) {
  piece.for_each([&](Index i, Index j) {
    const Index row = passage.is_flipped ? j : i;
    const Index col = passage.is_flipped ? i : j;
    const S value = source.entries[source.layout.offset(i, j)];
    packed.push_back((passage.is_conjugated ? conjugate(value) : value) /
                     (scale_of(source.row_scaling, source.variables, row) * scale_of(source.col_scaling, source.variables, col)));
  });
}

template <Scalar S>
const S* unpack(const Passage& passage, const Piece& piece, const RootLayout& to, const S* packed, std::span<S> mine) {
  piece.for_each([&](Index i, Index j) {
    const Count offset = passage.is_flipped ? to.offset(j, i) : to.offset(i, j);
    mine[offset] = *packed++;
  });
  return packed;
}

/// Sends the entries for one rank of the grid `to`.
template <Scalar S>
void send_to_one(const Communicator& ranks, const SchurSource<S>& source, const RootLayout& to, Rank target, std::span<S> mine) {
  const GridPosition position = to.position(target);
  std::vector<Count> num_bytes(static_cast<std::size_t>(ranks.num_ranks()), 0);
  std::vector<S> packed;
  std::vector<S> received;
  agree(ranks, [&] {
    Count num_received = 0;
    for (std::size_t k = 0; k < source.ranks.size(); ++k) {
      Count num_entries = 0;
      for (const Passage& passage : passages(source.form, source.is_transposed)) {
        const Piece piece(passage, source.layout, source.layout.position(static_cast<Rank>(k)), to, position);
        num_entries += piece.num_entries();
        if (source.ranks[k] == ranks.rank()) {
          packed.reserve(static_cast<std::size_t>(num_entries));
          pack(source, passage, piece, packed);
        }
      }
      num_bytes[source.ranks[k]] = num_entries * static_cast<Count>(sizeof(S));
      num_received += num_entries;
    }
    if (ranks.rank() == target) {
      received.resize(static_cast<std::size_t>(num_received));
    }
  });
  gather(ranks, target, std::as_bytes(std::span<const S>(packed)), num_bytes, std::as_writable_bytes(std::span<S>(received)));
  agree(ranks, [&] {
    const S* from = received.data();
    for (std::size_t k = 0; k < source.ranks.size() && ranks.rank() == target; ++k) {
      for (const Passage& passage : passages(source.form, source.is_transposed)) {
        const Piece piece(passage, source.layout, source.layout.position(static_cast<Rank>(k)), to, position);
        from = unpack(passage, piece, to, from, mine);
      }
    }
  });
}

}  // namespace

template <Scalar S>
void spread_schur_complement(const Communicator& ranks, const SchurSource<S>& source, const RootLayout& to, std::span<S> mine) {
  for (Rank target = 0; target < to.shape().size(); ++target) {
    send_to_one(ranks, source, to, target, mine);
  }
}

#define FROND_INSTANTIATE(S) \
  template void spread_schur_complement(const Communicator&, const SchurSource<S>&, const RootLayout&, std::span<S>);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
