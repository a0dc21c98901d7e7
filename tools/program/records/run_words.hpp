// SPDX-License-Identifier: BSD-3-Clause
// The words shared by the summary of a run and its JSON.
#pragma once

#include <string>
#include <vector>

#include "tools/program/records/run_record.hpp"

namespace frond {

/// Counts real arithmetic of the factorization; 0 if it took no time.
[[nodiscard]] double gflops_per_second(const RunRecord& record);
/// Returns who set the limit.
[[nodiscard]] std::string reason_of(const MemoryLimit& limit);
[[nodiscard]] std::string format_determinant(const Determinant& determinant, bool is_complex);
/// True if the signs of the eigenvalues are known from symmetric factors and the eigenvalues are real.
[[nodiscard]] bool has_inertia(const RunRecord& record);
[[nodiscard]] std::vector<Index> counted_from_1(std::vector<Index> variables);
/// Describes the run as a whole in one sentence.
[[nodiscard]] std::string describe(const RunRecord& record);
[[nodiscard]] std::vector<std::string> all_notes(const RunRecord& record);
/// Names the precision of the factors that were used first.
[[nodiscard]] const char* precision_word(const RunRecord& record);
[[nodiscard]] std::string verdict_word(const RunRecord& record);

}  // namespace frond
