// SPDX-License-Identifier: BSD-3-Clause
// Expands to both triangles, then sorts into the order of the analysis.
#include "solver/numerics/problem/analysed_matrix.hpp"

#include <fmt/core.h>

#include "matrices/symmetry.hpp"

namespace frond {

template <Scalar S>
AnalysedMatrix<S>::AnalysedMatrix(const Symbolic& symbolic, const SystemMatrix<S>& matrix, Method method) : given_(matrix.stored) {
  if (needs_expansion(matrix.stored.pattern.symmetry, method)) {
    expanded_ = expand_to_general(matrix.stored);
    given_ = expanded_.view();
  }
  fitted_ = fit_to_analysis(symbolic, given_, matrix.transposed);
}

void note_missing_entries(Count num_missing, std::vector<std::string>& notes) {
  if (num_missing > 0) {
    notes.push_back(
        fmt::format("entries of the analysed pattern that the matrix does not have, and that count as zeros: {}", num_missing));
  }
}

FROND_INSTANTIATE_CLASS(AnalysedMatrix)

}  // namespace frond
