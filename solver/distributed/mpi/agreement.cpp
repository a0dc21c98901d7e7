// SPDX-License-Identifier: BSD-3-Clause
// Sends exceptions to all ranks as messages.
#include "solver/distributed/mpi/agreement.hpp"

#include <vector>

#include "factorization/ranks/failure.hpp"
#include "loadinfo/messages/ranks/collective.hpp"

namespace frond {

void throw_first_failure(const Communicator& ranks, const std::exception_ptr& mine) {
  std::vector<std::byte> bytes;
  if (mine) {
    bytes = encoded(make_failure(ranks.rank(), mine));
  }
  for (const std::vector<std::byte>& of_rank : all_gather(ranks, bytes)) {
    if (!of_rank.empty()) {
      throw_failure(decoded<Failure>(of_rank));
    }
  }
}

}  // namespace frond
