// SPDX-License-Identifier: BSD-3-Clause
// The entries of a caller's matrix: assembled ones, those of one process, or elements.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "interfaces/c/input_pattern.hpp"
#include "interfaces/mumps/arrays.hpp"
#include "interfaces/mumps/structure.hpp"

namespace frond::mumps {

template <Scalar S>
class Entries {
 public:
  Entries() = default;
  /// Reads the positions of a matrix of this symmetry: on a process that does not lead, none but local ones. Throws Failure.
  Entries(const Structure<S>& structure, Symmetry symmetry, const Arrays<S>& arrays, bool leads);
  /// Reads those that a process has at JOB=2, where the first one gave the pattern at JOB=1.
  [[nodiscard]] static Entries of_factorization(const Structure<S>& structure, Symmetry symmetry, const Arrays<S>& arrays);

  [[nodiscard]] Index order() const { return pattern_.order; }
  /// Hands the positions over: they are not needed any more.
  [[nodiscard]] TripletPattern take_pattern() { return std::move(pattern_); }
  [[nodiscard]] Count num_given() const { return num_given_; }
  [[nodiscard]] Count num_ignored() const { return num_ignored_; }  ///< without a place in the matrix
  /// Whether they are those of an assembled matrix, given by one process.
  [[nodiscard]] bool are_assembled() const { return source_ == Source::assembled; }
  /// Whether the first process gives the pattern, and each process entries of its own with their values later.
  [[nodiscard]] bool are_dealt_out_later() const { return is_dealt_out_; }

  /// Whether this call gives values.
  [[nodiscard]] bool are_valued(const Structure<S>& structure) const;
  /// The values in the order of the pattern, valid until the next call. Throws Failure if there are none, or their number has
  /// changed.
  [[nodiscard]] std::span<const S> values(const Structure<S>& structure, const Arrays<S>& arrays);

 private:
  enum class Source { assembled, local, elements };

  [[nodiscard]] Count num_assembled(const Structure<S>& structure) const;
  [[nodiscard]] Member value_member() const;
  void read_assembled(const Structure<S>& structure, const Arrays<S>& arrays);
  void read_elements(const Structure<S>& structure, const Arrays<S>& arrays);
  void add(Count entry, int row, int col);

  Entries(const Structure<S>& structure, Symmetry symmetry, Source source, bool leads);

  Source source_ = Source::assembled;
  bool is_elsewhere_ = false;  // another process has them
  bool is_dealt_out_ = false;
  TripletPattern pattern_;
  Count num_given_ = 0;
  Count num_ignored_ = 0;
  std::vector<Count> kept_;  // [entry of the pattern] = the given one; empty if all are kept
  std::vector<S> values_;    // of the kept entries
};

}  // namespace frond::mumps
