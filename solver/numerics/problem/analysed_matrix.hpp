// SPDX-License-Identifier: BSD-3-Clause
// Presents a matrix in the form of its analysis.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/symbolic.hpp"
#include "frond/matrix.hpp"
#include "solver/numerics/problem/pattern_fit.hpp"
#include "solver/numerics/problem/report.hpp"
#include "solver/numerics/problem/system_matrix.hpp"

namespace frond {

/// LU needs both triangles.
[[nodiscard]] constexpr bool needs_expansion(Symmetry symmetry, Method method) {
  return method == Method::lu && symmetry != Symmetry::general;
}

/// Whether an analysis has the symmetry that the method needs for a matrix with this symmetry.
[[nodiscard]] inline bool serves(const Symbolic& symbolic, Symmetry symmetry, Method method) {
  return symbolic.symmetry() == (needs_expansion(symmetry, method) ? Symmetry::general : symmetry);
}

/// The entries of a matrix in the order of the analysed pattern, with both triangles for LU. If the matrix has that order already,
/// its own arrays are used, and must outlive this object.
template <Scalar S>
class AnalysedMatrix {
 public:
  /// Throws UsageError as fit_to_analysis() does.
  AnalysedMatrix(const Symbolic& symbolic, const SystemMatrix<S>& matrix, Method method);
  AnalysedMatrix(AnalysedMatrix&&) noexcept = default;  // moving keeps the arrays in place
  AnalysedMatrix& operator=(AnalysedMatrix&&) noexcept = default;

  [[nodiscard]] MatrixView<S> view() const { return fitted_ ? fitted_->view() : given_; }
  [[nodiscard]] Count num_missing() const { return fitted_ ? fitted_->num_missing : 0; }  ///< entries that count as zeros

 private:
  SparseMatrix<S> expanded_;
  MatrixView<S> given_;
  std::optional<FittedMatrix<S>> fitted_;
};

/// For a general matrix whose values differ in symmetry from the analysed ones.
inline constexpr const char* kOtherSymmetryNote =
    "the values of the matrix have another symmetry than those that were analysed: it was analysed again; where further values may "
    "lose or gain a symmetry, set the option symmetry to as-stored to analyse once";

/// Adds a note about missing entries, if there are any.
void note_missing_entries(Count num_missing, std::vector<std::string>& notes);

}  // namespace frond
