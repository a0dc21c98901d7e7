// SPDX-License-Identifier: BSD-3-Clause
// The report of the whole from those of its parts.
#pragma once

#include "frond/factorization_report.hpp"
#include "loadinfo/messages/ranks/communicator.hpp"

namespace frond {

/// Collective: the sum of all ranks' reports, on every rank. With not_positive_definite, which all report alike, this rank's own.
[[nodiscard]] FactorizationReport combined_report(const Communicator& ranks, const FactorizationReport& mine);

}  // namespace frond
