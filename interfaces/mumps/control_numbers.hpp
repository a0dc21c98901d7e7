// SPDX-License-Identifier: BSD-3-Clause
// The numbers of the controls, ICNTL, that are read.
#pragma once

namespace frond::mumps {

inline constexpr int kErrorUnit = 1;
inline constexpr int kPrintLevel = 4;
inline constexpr int kEntryFormat = 5;
inline constexpr int kMatching = 6;
inline constexpr int kOrdering = 7;
inline constexpr int kScaling = 8;
inline constexpr int kOperation = 9;
inline constexpr int kRefinement = 10;
inline constexpr int kErrorAnalysis = 11;
inline constexpr int kThreads = 16;
inline constexpr int kDistributedEntries = 18;
inline constexpr int kSchur = 19;
inline constexpr int kRightHandSides = 20;
inline constexpr int kDistributedSolution = 21;
inline constexpr int kMemoryLimit = 23;
inline constexpr int kNullPivots = 24;
inline constexpr int kNullSpace = 25;
inline constexpr int kReducedSides = 26;
inline constexpr int kInverse = 30;
inline constexpr int kDiscard = 31;
inline constexpr int kForward = 32;
inline constexpr int kDeterminant = 33;

}  // namespace frond::mumps
