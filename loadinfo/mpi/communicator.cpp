// SPDX-License-Identifier: BSD-3-Clause
// Making and freeing communicators.
#include "loadinfo/mpi/communicator.hpp"

#include <utility>

#include "loadinfo/mpi/communicator_handle.hpp"
#include "loadinfo/mpi/run_request.hpp"

namespace frond {

namespace {

// A set of ranks while a communicator is made of it.
class Group {
 public:
  Group(MPI_Comm all, std::span<const Rank> ranks) {
    MPI_Group everybody = MPI_GROUP_NULL;
    check_mpi(MPI_Comm_group(all, &everybody), "MPI_Comm_group");
    const int code = MPI_Group_incl(everybody, static_cast<int>(ranks.size()), ranks.data(), &group_);
    MPI_Group_free(&everybody);
    check_mpi(code, "MPI_Group_incl");
  }
  ~Group() { MPI_Group_free(&group_); }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  [[nodiscard]] MPI_Group get() const { return group_; }

 private:
  MPI_Group group_ = MPI_GROUP_NULL;
};

}  // namespace

Communicator::Handle::Handle(MPI_Comm owned, std::shared_ptr<MpiGate> shared_gate) : gate(std::move(shared_gate)), comm(owned) {
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

Communicator duplicate(MPI_Comm original, std::shared_ptr<MpiGate> gate) {
  MPI_Comm comm = MPI_COMM_NULL;
  run_request(*gate, [&](MPI_Request* request) { check_mpi(MPI_Comm_idup(original, &comm, request), "MPI_Comm_idup"); });
  return Communicator(std::make_unique<Communicator::Handle>(comm, std::move(gate)));
}

Communicator Communicator::world(std::shared_ptr<MpiGate> gate) { return frond::duplicate(MPI_COMM_WORLD, std::move(gate)); }

Communicator::Communicator(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
Communicator::Communicator(Communicator&&) noexcept = default;
Communicator& Communicator::operator=(Communicator&&) noexcept = default;
Communicator::~Communicator() = default;

Communicator Communicator::duplicate() const { return frond::duplicate(handle_->comm, handle_->gate); }

Communicator Communicator::of_ranks(std::span<const Rank> ranks) const {
  MPI_Comm comm = MPI_COMM_NULL;
  {
    const auto inside = gate().enter();
    const Group group(handle_->comm, ranks);
    constexpr int kTag = 0;
    check_mpi(MPI_Comm_create_group(handle_->comm, group.get(), kTag, &comm), "MPI_Comm_create_group");
  }
  return Communicator(std::make_unique<Handle>(comm, handle_->gate));
}

Rank Communicator::rank() const { return handle_->rank; }
Rank Communicator::num_ranks() const { return handle_->num_ranks; }
MpiGate& Communicator::gate() const { return *handle_->gate; }

}  // namespace frond
