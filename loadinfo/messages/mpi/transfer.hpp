// SPDX-License-Identifier: BSD-3-Clause
// One message from the call that starts it to its completion, with the memory that MPI reads or writes meanwhile.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "frond/types.hpp"
#include "loadinfo/messages/mpi/mpi_call.hpp"

namespace frond {

/// A message of Frond, sent or received: it can be moved, not copied. If it is destroyed before its completion nothing waits: MPI
/// finishes it and keeps the memory.
class Transfer {
 public:
  /// Starts sending a copy of `bytes`.
  static Transfer send(MPI_Comm comm, Rank to, std::span<const std::byte> bytes);

  /// Starts receiving the next message that has arrived from any rank, if there is one.
  static std::optional<Transfer> receive_next(MPI_Comm comm);

  Transfer(Transfer&& other) noexcept;
  Transfer& operator=(Transfer&& other) = delete;
  ~Transfer();

  [[nodiscard]] bool is_finished();  ///< asks MPI, and lets it progress this and other messages
  [[nodiscard]] Rank other_rank() const { return other_rank_; }
  [[nodiscard]] Count num_bytes() const { return num_bytes_; }
  [[nodiscard]] std::unique_ptr<std::byte[]> take_bytes() { return std::move(bytes_); }  ///< after completion

 private:
  Transfer(Rank other_rank, Count num_bytes);

  Rank other_rank_;
  Count num_bytes_;
  std::unique_ptr<std::byte[]> bytes_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace frond
