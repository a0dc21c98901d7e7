// SPDX-License-Identifier: BSD-3-Clause
// Sends reports as bytes, field by field.
#include "solver/distributed/mpi/report_exchange.hpp"

#include <vector>

#include "factorization/fronts/report_fields.hpp"
#include "loadinfo/messages/message_fields.hpp"
#include "loadinfo/messages/ranks/collective.hpp"

namespace frond {
FactorizationReport combined_report(const Communicator& ranks, const FactorizationReport& mine) {
  FactorizationReport whole;
  for (const std::vector<std::byte>& bytes : all_gather(ranks, encoded(mine))) {
    whole += decoded<FactorizationReport>(bytes);
  }
  return mine.status == FactorizationStatus::not_positive_definite ? mine : whole;
}

}  // namespace frond
