// SPDX-License-Identifier: BSD-3-Clause
// Sends, receives and completes single messages.
#include "loadinfo/messages/mpi/transfer.hpp"

#include <algorithm>

#include "loadinfo/messages/mpi/byte_type.hpp"

namespace frond {
namespace {

constexpr int kTag = 0;  // the only one: with several, messages of one pair could overtake each other

}  // namespace

Transfer::Transfer(Rank other_rank, Count num_bytes)
    : other_rank_(other_rank),
      num_bytes_(num_bytes),
      bytes_(std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(num_bytes))) {}

Transfer::Transfer(Transfer&& other) noexcept
    : other_rank_(other.other_rank_),
      num_bytes_(other.num_bytes_),
      bytes_(std::move(other.bytes_)),
      request_(std::exchange(other.request_, MPI_REQUEST_NULL)) {}

Transfer::~Transfer() {
  if (request_ != MPI_REQUEST_NULL) {
    MPI_Request_free(&request_);
    (void)bytes_.release();
  }
}

Transfer Transfer::send(MPI_Comm comm, Rank to, std::span<const std::byte> bytes) {
  Transfer transfer(to, static_cast<Count>(bytes.size()));
  std::copy(bytes.begin(), bytes.end(), transfer.bytes_.get());
  const ByteType type(transfer.num_bytes_);
  check_mpi(MPI_Isend(transfer.bytes_.get(), type.count(), type.type(), to, kTag, comm, &transfer.request_), "MPI_Isend");
  return transfer;
}

std::optional<Transfer> Transfer::receive_next(MPI_Comm comm) {
  int has_come = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status{};
  for (int attempt = 0; attempt < 2 && has_come == 0; ++attempt) {  // the first probe may return before it lets messages in
    check_mpi(MPI_Improbe(MPI_ANY_SOURCE, kTag, comm, &has_come, &message, &status), "MPI_Improbe");
  }
  if (has_come == 0) {
    return std::nullopt;
  }
  std::optional<Transfer> transfer(Transfer(status.MPI_SOURCE, num_bytes_of(status)));
  const ByteType type(transfer->num_bytes_);
  check_mpi(MPI_Imrecv(transfer->bytes_.get(), type.count(), type.type(), &message, &transfer->request_), "MPI_Imrecv");
  return transfer;
}

bool Transfer::is_finished() {
  int is_finished = 1;
  MPI_Status status{};
  check_mpi(MPI_Test(&request_, &is_finished, &status), "MPI_Test");
  return is_finished != 0;
}

}  // namespace frond
