// SPDX-License-Identifier: BSD-3-Clause
// Writes what is known of an analysis and a factorization to INFO, INFOG, RINFO and RINFOG.
#pragma once

#include "frond/report.hpp"
#include "interfaces/mumps/structure.hpp"
#include "solver/tables/figures.hpp"

namespace frond::mumps {

template <Scalar S>
void write_analysis(const FigureSources& sources, const Structure<S>& structure);

/// `has_signs`: pivots were counted by their signs.
template <Scalar S>
void write_factorization(const SystemReport& report, Index order, bool has_signs, const Structure<S>& structure);

}  // namespace frond::mumps
