// SPDX-License-Identifier: BSD-3-Clause
// What is loaded must be what Frond could have saved: checksums are no protection against bytes that somebody has made up.
#pragma once

#include "analysis/tree/assembly_tree.hpp"
#include "solver/storage/saved/saved_system.hpp"

namespace frond {

// Each throws InternalError, which names a promise that is broken: nothing is used as an index or a length before that.

/// Whether `promise` holds, as `holds` says.
void require(bool holds, const char* promise);

/// Whether the parts of an analysis are of one order: before a tree takes memory for it.
void check_order(const SavedSymbolic& parts);

/// The parts of an analysis, of which `tree` has been made, against each other.
void check_symbolic(const SavedSymbolic& parts, const AssemblyTree& tree);

/// What is said of a system against the analysis of its matrix.
void check_system(const SavedSystem& system, Index order, Symmetry analysed);

/// Scales of a matrix of that order.
template <class R>
void check_scaling(const Scaling<R>& scaling, Index order);

}  // namespace frond
