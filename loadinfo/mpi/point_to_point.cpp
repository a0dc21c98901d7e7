// SPDX-License-Identifier: BSD-3-Clause
// One tag of a communicator on which else only collective operations run.
#include "loadinfo/mpi/point_to_point.hpp"

#include "loadinfo/mpi/communicator_handle.hpp"
#include "loadinfo/mpi/run_request.hpp"

namespace frond {
namespace {

constexpr int kTag = 1;

}  // namespace

void send(const Communicator& ranks, Rank to, std::span<const std::byte> bytes) {
  run_request(ranks.gate(), [&](MPI_Request* request) {
    check_mpi(MPI_Isend_c(bytes.data(), static_cast<MPI_Count>(bytes.size()), MPI_BYTE, to, kTag, ranks.handle().comm, request),
              "MPI_Isend_c");
  });
}

Count receive(const Communicator& ranks, Rank from, std::span<std::byte> bytes) {
  MPI_Status status{};
  run_request(
      ranks.gate(),
      [&](MPI_Request* request) {
        check_mpi(
            MPI_Irecv_c(bytes.data(), static_cast<MPI_Count>(bytes.size()), MPI_BYTE, from, kTag, ranks.handle().comm, request),
            "MPI_Irecv_c");
      },
      &status);
  MPI_Count num_bytes = 0;
  check_mpi(MPI_Get_elements_x(&status, MPI_BYTE, &num_bytes), "MPI_Get_elements_x");
  return num_bytes;
}

}  // namespace frond
