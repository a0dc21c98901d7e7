// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 makes the directory; the others check that they see it.
#include "solver/distributed/mpi/begin_checkpoint.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "frond/error.hpp"
#include "solver/distributed/mpi/agreement.hpp"
#include "solver/distributed/mpi/field_exchange.hpp"
#include "solver/distributed/mpi/saved_ranks.hpp"
#include "solver/storage/checkpoint/checkpointed.hpp"

namespace frond {

template <Scalar S>
std::optional<RankCheckpoint> begin_checkpoint(const RankBackend<S>& backend) {
  const Communicator& ranks = backend.ranks();
  RankCheckpoint checkpoint{nullptr, backend.options().checkpoint, backend.options().observer};
  broadcast_fields(ranks, checkpoint.options.directory, checkpoint.options.every_seconds, checkpoint.options.is_in_memory);
  const std::string& path = checkpoint.options.directory;
  if (path.empty()) {
    return std::nullopt;
  }
  agree(ranks, [&] {
    check_checkpoint_options(backend.keeps_schur_complement(), backend.options().factorization.kept);
    if (ranks.rank() == 0) {
      SystemReport report;
      report.method = backend.method();
      const SavedSystem saved = saved_system(backend, report);
      checkpoint.directory = backend.system().opened_checkpoint();
      if (checkpoint.directory == nullptr) {
        checkpoint.directory = CheckpointDirectory::begin(path, saved, parts_of(backend.symbolic()));
      } else if (!checkpoint.directory->is_begun()) {
        checkpoint.directory->write_system(saved, parts_of(backend.symbolic()));
      }
    }
  });
  agree(ranks, [&] {
    std::error_code error;
    if (!std::filesystem::exists(path + "/in-use", error)) {
      throw UsageError(fmt::format("{}: is not there for this process: name a directory on a disk that all of them share", path));
    }
  });
  return checkpoint;
}

#define FROND_INSTANTIATE(S) template std::optional<RankCheckpoint> begin_checkpoint(const RankBackend<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
