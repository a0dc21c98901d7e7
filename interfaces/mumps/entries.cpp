// SPDX-License-Identifier: BSD-3-Clause
// Leaves out entries whose indices do not exist, as callers expect, and counts them.
#include "interfaces/mumps/entries.hpp"

#include <algorithm>
#include <numeric>

#include "interfaces/mumps/control_numbers.hpp"
#include "matrices/position.hpp"

namespace frond::mumps {
namespace {

constexpr int kElements = 1;
constexpr int kLocal = 3;  // of ICNTL(18); 1 and 2: local at JOB=2 only

}  // namespace

template <Scalar S>
Entries<S>::Entries(const Structure<S>& structure, Symmetry symmetry, Source source, bool leads) : source_(source) {
  pattern_.order = structure.integer(Member::n);
  if (pattern_.order <= 0 && leads) {  // it is the same everywhere
    throw Failure(Code::order, pattern_.order, "the order N of the matrix is not positive");
  }
  pattern_.symmetry = symmetry;
}

template <Scalar S>
Entries<S>::Entries(const Structure<S>& structure, Symmetry symmetry, const Arrays<S>& arrays, bool leads)
    : Entries(structure, symmetry,
              structure.icntl(kEntryFormat) == kElements       ? Source::elements
              : structure.icntl(kDistributedEntries) == kLocal ? Source::local
                                                               : Source::assembled,
              leads) {
  const int distribution = structure.icntl(kDistributedEntries);
  is_dealt_out_ = source_ == Source::assembled && distribution > 0 && distribution < kLocal;
  is_elsewhere_ = source_ != Source::local && !leads;
  if (is_elsewhere_) {
    return;
  }
  if (source_ == Source::elements) {
    read_elements(structure, arrays);
  } else {
    read_assembled(structure, arrays);
  }
}

template <Scalar S>
Entries<S> Entries<S>::of_factorization(const Structure<S>& structure, Symmetry symmetry, const Arrays<S>& arrays) {
  Entries entries(structure, symmetry, Source::local, true);
  entries.read_assembled(structure, arrays);
  return entries;
}

template <Scalar S>
Count Entries<S>::num_assembled(const Structure<S>& structure) const {
  const bool is_local = source_ == Source::local;
  const std::int64_t wide = structure.wide(is_local ? Member::nnz_loc : Member::nnz);
  return wide > 0 ? wide : structure.integer(is_local ? Member::nz_loc : Member::nz);
}

template <Scalar S>
void Entries<S>::read_assembled(const Structure<S>& structure, const Arrays<S>& arrays) {
  const bool is_local = source_ == Source::local;
  num_given_ = num_assembled(structure);
  if (num_given_ <= 0 && !is_local) {
    throw Failure(Code::number_of_entries, num_given_, "the number of entries is not positive");
  }
  num_given_ = std::max<Count>(num_given_, 0);
  if (num_given_ == 0) {
    return;
  }
  const int* rows =
      arrays.template require<int>(is_local ? Member::irn_loc : Member::irn, is_local ? Pointer::local_entries : Pointer::rows);
  const int* cols =
      arrays.template require<int>(is_local ? Member::jcn_loc : Member::jcn, is_local ? Pointer::local_entries : Pointer::columns);
  pattern_.rows.reserve(at(num_given_));
  pattern_.cols.reserve(at(num_given_));
  for (Count k = 0; k < num_given_; ++k) {
    add(k, rows[k], cols[k]);
  }
}

// Values of an element are those of its columns, of a symmetric one of its lower triangle.
template <Scalar S>
void Entries<S>::read_elements(const Structure<S>& structure, const Arrays<S>& arrays) {
  const int num_elements = structure.integer(Member::nelt);
  if (num_elements <= 0) {
    throw Failure(Code::elements, num_elements, "the number of elements is not positive");
  }
  const int* offsets = arrays.template require<int>(Member::eltptr, Pointer::rows);
  const int* variables = arrays.template require<int>(Member::eltvar, Pointer::columns);
  for (int element = 0; element < num_elements; ++element) {
    if (offsets[0] != 1 || offsets[element + 1] < offsets[element]) {
      throw Failure(Code::elements, element + 1, "ELTPTR does not count up from 1");
    }
    for (int col = offsets[element] - 1; col < offsets[element + 1] - 1; ++col) {
      for (int row = pattern_.symmetry == Symmetry::general ? offsets[element] - 1 : col; row < offsets[element + 1] - 1; ++row) {
        add(num_given_++, variables[row], variables[col]);
      }
    }
  }
}

template <Scalar S>
void Entries<S>::add(Count entry, int row, int col) {
  const auto exists = [this](int index) { return index >= 1 && index <= pattern_.order; };
  if (!exists(row) || !exists(col)) {
    if (num_ignored_++ == 0) {  // all before are kept
      kept_.resize(pattern_.rows.size());
      std::iota(kept_.begin(), kept_.end(), Count{0});
    }
    return;
  }
  pattern_.rows.push_back(row - 1);
  pattern_.cols.push_back(col - 1);
  if (num_ignored_ > 0) {
    kept_.push_back(entry);
  }
}

template <Scalar S>
Member Entries<S>::value_member() const {
  return source_ == Source::elements ? Member::a_elt : source_ == Source::local ? Member::a_loc : Member::a;
}

template <Scalar S>
bool Entries<S>::are_valued(const Structure<S>& structure) const {
  return !is_dealt_out_ && (num_given_ == 0 || structure.template pointer<S>(value_member()) != nullptr);
}

template <Scalar S>
std::span<const S> Entries<S>::values(const Structure<S>& structure, const Arrays<S>& arrays) {
  if (is_elsewhere_) {
    return {};
  }
  if (source_ != Source::elements && std::max<Count>(num_assembled(structure), 0) != num_given_) {
    throw Failure(Pointer::rows);  // as if the arrays of the other number were missing
  }
  if (num_given_ == 0) {
    return {};
  }
  const S* given = arrays.template require<S>(value_member(), source_ == Source::local ? Pointer::local_entries : Pointer::values);
  if (num_ignored() == 0) {
    return {given, at(num_given_)};
  }
  values_.resize(kept_.size());
  std::transform(kept_.begin(), kept_.end(), values_.begin(), [given](Count entry) { return given[entry]; });
  return values_;
}

FROND_INSTANTIATE_CLASS(Entries)

}  // namespace frond::mumps
