// SPDX-License-Identifier: BSD-3-Clause
// What the values of JOB ask for.
#pragma once

namespace frond::mumps {

inline constexpr int kBegin = -1;
inline constexpr int kEnd = -2;
inline constexpr int kAnalysis = 1;
inline constexpr int kFactorization = 2;
inline constexpr int kSolve = 3;
inline constexpr int kFirstTwo = 4;
inline constexpr int kLastTwo = 5;
inline constexpr int kAll = 6;
inline constexpr int kDistribution = 9;

[[nodiscard]] constexpr bool analyses(int job) { return job == kAnalysis || job == kFirstTwo || job == kAll; }
[[nodiscard]] constexpr bool factorizes(int job) {
  return job == kFactorization || job == kFirstTwo || job == kLastTwo || job == kAll;
}
[[nodiscard]] constexpr bool solves(int job) { return job == kSolve || job == kLastTwo || job == kAll; }

}  // namespace frond::mumps
