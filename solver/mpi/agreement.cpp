// SPDX-License-Identifier: BSD-3-Clause
// Exceptions as messages to all ranks.
#include "solver/mpi/agreement.hpp"

#include <vector>

#include "factorization/main_message.hpp"
#include "loadinfo/mpi/collective.hpp"

namespace frond {

void throw_first_failure(const Communicator& ranks, const std::exception_ptr& mine) {
  std::vector<std::byte> bytes;
  if (mine) {
    bytes = encode(FailureMessage{make_failure(ranks.rank(), mine)});
  }
  for (const std::vector<std::byte>& of_rank : all_gather(ranks, bytes)) {
    if (!of_rank.empty()) {
      throw_failure(std::get<FailureMessage>(decode_main_message(of_rank)).failure);
    }
  }
}

}  // namespace frond
