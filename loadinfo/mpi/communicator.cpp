// SPDX-License-Identifier: BSD-3-Clause
// Duplicating and freeing communicators.
#include "loadinfo/mpi/communicator.hpp"

#include <utility>

#include "loadinfo/mpi/communicator_handle.hpp"
#include "loadinfo/mpi/run_request.hpp"

namespace frond {

Communicator::Handle::Handle(MPI_Comm original, std::shared_ptr<MpiGate> shared_gate) : gate(std::move(shared_gate)) {
  run_request(*gate, [&](MPI_Request* request) { check_mpi(MPI_Comm_idup(original, &comm, request), "MPI_Comm_idup"); });
  const auto inside = gate->enter();
  check_mpi(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(comm, &num_ranks), "MPI_Comm_size");
}

Communicator::Handle::~Handle() {
  if (is_mpi_running()) {
    const auto inside = gate->enter();
    MPI_Comm_free(&comm);
  }
}

Communicator Communicator::world(std::shared_ptr<MpiGate> gate) { return frond::duplicate(MPI_COMM_WORLD, std::move(gate)); }

Communicator::Communicator(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
Communicator::Communicator(Communicator&&) noexcept = default;
Communicator& Communicator::operator=(Communicator&&) noexcept = default;
Communicator::~Communicator() = default;

Communicator Communicator::duplicate() const { return frond::duplicate(handle_->comm, handle_->gate); }

Rank Communicator::rank() const { return handle_->rank; }
Rank Communicator::num_ranks() const { return handle_->num_ranks; }
MpiGate& Communicator::gate() const { return *handle_->gate; }

}  // namespace frond
