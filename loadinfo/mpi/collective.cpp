// SPDX-License-Identifier: BSD-3-Clause
// Collectives on bytes.
#include "loadinfo/mpi/collective.hpp"

#include <numeric>

#include "loadinfo/mpi/communicator_handle.hpp"
#include "loadinfo/mpi/run_request.hpp"

namespace frond {
namespace {

// begins[r] = the sum of the lengths before rank r; the last one is the whole.
std::vector<MPI_Aint> begins_of(std::span<const MPI_Count> lengths) {
  std::vector<MPI_Aint> begins(lengths.size() + 1, 0);
  std::partial_sum(lengths.begin(), lengths.end(), begins.begin() + 1);
  return begins;
}

std::vector<MPI_Count> lengths_of_all(const Communicator& ranks, std::size_t mine) {
  const auto length = static_cast<MPI_Count>(mine);
  std::vector<MPI_Count> lengths(static_cast<std::size_t>(ranks.num_ranks()));
  run_request(ranks.gate(), [&](MPI_Request* request) {
    check_mpi(MPI_Iallgather(&length, 1, MPI_COUNT, lengths.data(), 1, MPI_COUNT, ranks.handle().comm, request), "MPI_Iallgather");
  });
  return lengths;
}

}  // namespace

void broadcast(const Communicator& ranks, Rank root, std::span<std::byte> bytes) {
  run_request(ranks.gate(), [&](MPI_Request* request) {
    check_mpi(MPI_Ibcast_c(bytes.data(), static_cast<MPI_Count>(bytes.size()), MPI_BYTE, root, ranks.handle().comm, request),
              "MPI_Ibcast_c");
  });
}

std::vector<std::vector<std::byte>> all_gather(const Communicator& ranks, std::span<const std::byte> mine) {
  const std::vector<MPI_Count> lengths = lengths_of_all(ranks, mine.size());
  const std::vector<MPI_Aint> begins = begins_of(lengths);
  std::vector<std::byte> all(static_cast<std::size_t>(begins.back()));
  run_request(ranks.gate(), [&](MPI_Request* request) {
    check_mpi(MPI_Iallgatherv_c(mine.data(), static_cast<MPI_Count>(mine.size()), MPI_BYTE, all.data(), lengths.data(),
                                begins.data(), MPI_BYTE, ranks.handle().comm, request),
              "MPI_Iallgatherv_c");
  });
  std::vector<std::vector<std::byte>> parts;
  for (std::size_t rank = 0; rank < lengths.size(); ++rank) {
    parts.emplace_back(all.begin() + begins[rank], all.begin() + begins[rank + 1]);
  }
  return parts;
}

void gather(const Communicator& ranks, Rank root, std::span<const std::byte> mine, std::span<const Count> num_bytes,
            std::span<std::byte> all) {
  const std::vector<MPI_Count> lengths(num_bytes.begin(), num_bytes.end());
  const std::vector<MPI_Aint> begins = begins_of(lengths);
  run_request(ranks.gate(), [&](MPI_Request* request) {
    check_mpi(MPI_Igatherv_c(mine.data(), static_cast<MPI_Count>(mine.size()), MPI_BYTE, all.data(), lengths.data(), begins.data(),
                             MPI_BYTE, root, ranks.handle().comm, request),
              "MPI_Igatherv_c");
  });
}

}  // namespace frond
