// SPDX-License-Identifier: BSD-3-Clause
// Combines the reports of the parts into that of the whole.
#pragma once

#include "frond/factorization_report.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Collective: the sum of all ranks' reports, on every rank. For not_positive_definite, which all report alike, this rank's own.
[[nodiscard]] FactorizationReport combined_report(const Communicator& ranks, const FactorizationReport& mine);

}  // namespace frond
