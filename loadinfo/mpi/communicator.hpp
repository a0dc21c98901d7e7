// SPDX-License-Identifier: BSD-3-Clause
// A communicator of MPI, owned.
#pragma once

#include <memory>
#include <span>

#include "frond/types.hpp"
#include "loadinfo/mpi/mpi_gate.hpp"

namespace frond {

/// A duplicate of somebody's communicator: messages on it meet no others, and its failures are exceptions. Making and destroying
/// one is collective. It can be moved, not copied.
class Communicator {
 public:
  struct Handle;  ///< what MPI has, in communicator_handle.hpp

  /// Of all processes. The gate is shared by all that call MPI in this process.
  [[nodiscard]] static Communicator world(std::shared_ptr<MpiGate> gate);

  explicit Communicator(std::unique_ptr<Handle> handle);
  Communicator(Communicator&&) noexcept;
  Communicator& operator=(Communicator&&) noexcept;
  ~Communicator();

  [[nodiscard]] Communicator duplicate() const;

  /// A communicator of some ranks, this one among them: ranks[k] becomes k. Collective over those ranks, which spin until all have
  /// come; others take no part.
  [[nodiscard]] Communicator of_ranks(std::span<const Rank> ranks) const;

  [[nodiscard]] Rank rank() const;
  [[nodiscard]] Rank num_ranks() const;
  [[nodiscard]] MpiGate& gate() const;
  [[nodiscard]] const Handle& handle() const { return *handle_; }

 private:
  std::unique_ptr<Handle> handle_;
};

}  // namespace frond
