// SPDX-License-Identifier: BSD-3-Clause
// Checks that loaded data could have been saved by Frond: checksums do not protect against forged bytes.
#pragma once

#include "analysis/tree/assembly_tree.hpp"
#include "solver/storage/saved/saved_system.hpp"

namespace frond {

// Each throws InternalError, naming the broken promise: nothing is used as an index or a length before that.

/// Throws unless `holds`.
void require(bool holds, const char* promise);

/// Checks that the parts of an analysis have the same order, before a tree takes memory for it.
void check_order(const SavedSymbolic& parts);

/// Checks the parts of an analysis, from which `tree` was made, against each other.
void check_symbolic(const SavedSymbolic& parts, const AssemblyTree& tree);

/// Checks the description of a system against the analysis of its matrix.
void check_system(const SavedSystem& system, Index order, Symmetry analysed);

/// Checks the scales of a matrix of that order.
template <class R>
void check_scaling(const Scaling<R>& scaling, Index order);

}  // namespace frond
