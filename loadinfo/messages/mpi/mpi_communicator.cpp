// SPDX-License-Identifier: BSD-3-Clause
// Implements communicators over MPI and their collective operations, which sleep while they wait.
#include "loadinfo/messages/mpi/mpi_communicator.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "frond/error.hpp"
#include "loadinfo/messages/mpi/byte_type.hpp"
#include "loadinfo/messages/mpi/mpi_channel.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "loadinfo/messages/mpi/run_request.hpp"

namespace frond {
namespace {

constexpr int kPairTag = 1;
constexpr int kMeetTag = 2;
constexpr int kGatherTag = 3;
// A longer broadcast takes many polls of MPI, with growing waits between them: as one piece it runs a tenth as fast in shared
// memory.
constexpr std::size_t kBroadcastBytes = std::size_t{1} << 20;

// A set of ranks, used while a communicator is made from it.
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

Count length_of(std::span<const std::byte> bytes) { return static_cast<Count>(bytes.size()); }

/// Owns an MPI communicator.
class MpiCarrier final : public RankCarrier {
 public:
  MpiCarrier(MPI_Comm owned, std::shared_ptr<MpiGate> gate) : gate_(std::move(gate)), comm_(owned) {
    const auto inside = gate_->enter();
    check_mpi(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check_mpi(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(comm_, &num_ranks_), "MPI_Comm_size");
  }
  ~MpiCarrier() override {
    if (is_mpi_running()) {  // after its end there is nothing to free
      const auto inside = gate_->enter();
      MPI_Comm_free(&comm_);
    }
  }
  MpiCarrier(const MpiCarrier&) = delete;
  MpiCarrier& operator=(const MpiCarrier&) = delete;

  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] const std::shared_ptr<MpiGate>& shared_gate() const { return gate_; }

  [[nodiscard]] Rank rank() const override { return rank_; }
  [[nodiscard]] Rank num_ranks() const override { return num_ranks_; }
  [[nodiscard]] MpiGate& gate() const override { return *gate_; }
  [[nodiscard]] bool is_mpi() const override { return true; }
  [[nodiscard]] std::string machine_name() const override;

  [[nodiscard]] std::unique_ptr<RankCarrier> duplicate() const override { return duplicate_of(comm_, gate_); }
  [[nodiscard]] std::unique_ptr<Channel> make_channel(Count buffer_bytes) const override {
    return std::make_unique<MpiChannel>(Communicator(duplicate()), buffer_bytes);
  }
  void broadcast(Rank root, std::span<std::byte> bytes) const override;
  [[nodiscard]] std::vector<std::vector<std::byte>> all_gather(std::span<const std::byte> mine) const override;
  void gather(Rank root, std::span<const std::byte> mine, std::span<const Count> num_bytes,
              std::span<std::byte> all) const override;
  [[nodiscard]] std::unique_ptr<RankCarrier> of_ranks(std::span<const Rank> ranks) const override;
  void send(Rank to, std::span<const std::byte> bytes) const override;
  [[nodiscard]] Count receive(Rank from, std::span<std::byte> bytes) const override;

  [[nodiscard]] static std::unique_ptr<RankCarrier> duplicate_of(MPI_Comm original, std::shared_ptr<MpiGate> gate) {
    MPI_Comm comm = MPI_COMM_NULL;
    run_request(*gate, [&](MPI_Request* request) { check_mpi(MPI_Comm_idup(original, &comm, request), "MPI_Comm_idup"); });
    return std::make_unique<MpiCarrier>(comm, std::move(gate));
  }

 private:
  [[nodiscard]] std::vector<Count> lengths_of_all(Count mine) const;
  void meet(std::span<const Rank> ranks) const;
  void send(Rank to, std::span<const std::byte> bytes, int tag) const;
  [[nodiscard]] Count receive(Rank from, std::span<std::byte> bytes, int tag) const;

  std::shared_ptr<MpiGate> gate_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  Rank rank_ = 0;
  Rank num_ranks_ = 0;
};

std::string MpiCarrier::machine_name() const {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  const auto inside = gate_->enter();
  check_mpi(MPI_Get_processor_name(name.data(), &length), "MPI_Get_processor_name");
  return {name.data(), static_cast<std::size_t>(length)};
}

// Returns when all of these ranks have called it.
void MpiCarrier::meet(std::span<const Rank> ranks) const {
  const auto others = ranks.subspan(1);
  if (rank_ != ranks.front()) {
    send(ranks.front(), {}, kMeetTag);
    (void)receive(ranks.front(), {}, kMeetTag);
    return;
  }
  for (const Rank other : others) {
    (void)receive(other, {}, kMeetTag);
  }
  for (const Rank other : others) {
    send(other, {}, kMeetTag);
  }
}

// MPI_Comm_create_group waits for all ranks and holds the gate meanwhile. They meet first, so that a late rank does not keep other
// threads of this process from calling MPI.
std::unique_ptr<RankCarrier> MpiCarrier::of_ranks(std::span<const Rank> ranks) const {
  meet(ranks);
  MPI_Comm comm = MPI_COMM_NULL;
  {
    const auto inside = gate_->enter();
    const Group group(comm_, ranks);
    constexpr int kTag = 0;
    check_mpi(MPI_Comm_create_group(comm_, group.get(), kTag, &comm), "MPI_Comm_create_group");
  }
  return std::make_unique<MpiCarrier>(comm, gate_);
}

void MpiCarrier::broadcast(Rank root, std::span<std::byte> bytes) const {
  do {
    const std::span<std::byte> piece = bytes.first(std::min(bytes.size(), kBroadcastBytes));
    bytes = bytes.subspan(piece.size());
    run_request(*gate_, [&](MPI_Request* request) {
      check_mpi(MPI_Ibcast(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, root, comm_, request), "MPI_Ibcast");
    });
  } while (!bytes.empty());
}

std::vector<Count> MpiCarrier::lengths_of_all(Count mine) const {
  std::vector<Count> lengths(static_cast<std::size_t>(num_ranks_));
  run_request(*gate_, [&](MPI_Request* request) {
    check_mpi(MPI_Iallgather(&mine, 1, MPI_INT64_T, lengths.data(), 1, MPI_INT64_T, comm_, request), "MPI_Iallgather");
  });
  return lengths;
}

// Lists that are too long together for the operation of MPI are broadcast one by one.
std::vector<std::vector<std::byte>> MpiCarrier::all_gather(std::span<const std::byte> mine) const {
  if (!is_mpi_running()) {
    throw UsageError("MPI has ended: call and destroy solvers before MPI_Finalize()");
  }
  const std::vector<Count> lengths = lengths_of_all(length_of(mine));
  std::vector<std::vector<std::byte>> parts(lengths.size());
  if (!ByteType::fits_int(std::accumulate(lengths.begin(), lengths.end(), Count{0}))) {
    for (Rank rank = 0; rank < num_ranks_; ++rank) {
      std::vector<std::byte>& part = parts[static_cast<std::size_t>(rank)];
      part.resize(static_cast<std::size_t>(lengths[static_cast<std::size_t>(rank)]));
      if (rank == rank_) {
        std::copy(mine.begin(), mine.end(), part.begin());
      }
      broadcast(rank, part);
    }
    return parts;
  }
  const std::vector<int> counts(lengths.begin(), lengths.end());
  std::vector<int> begins(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), begins.begin() + 1);
  std::vector<std::byte> all(static_cast<std::size_t>(begins.back()));
  run_request(*gate_, [&](MPI_Request* request) {
    check_mpi(MPI_Iallgatherv(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, all.data(), counts.data(), begins.data(),
                              MPI_BYTE, comm_, request),
              "MPI_Iallgatherv");
  });
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    parts[rank].assign(all.begin() + begins[rank], all.begin() + begins[rank + 1]);
  }
  return parts;
}

void MpiCarrier::gather(Rank root, std::span<const std::byte> mine, std::span<const Count> num_bytes,
                        std::span<std::byte> all) const {
  if (rank_ != root) {
    send(root, mine, kGatherTag);
    return;
  }
  for (Rank rank = 0; rank < num_ranks_; ++rank) {
    const std::span<std::byte> part = all.first(static_cast<std::size_t>(num_bytes[static_cast<std::size_t>(rank)]));
    all = all.subspan(part.size());
    if (rank == root) {
      std::copy(mine.begin(), mine.end(), part.begin());
    } else {
      static_cast<void>(receive(rank, part, kGatherTag));
    }
  }
}

void MpiCarrier::send(Rank to, std::span<const std::byte> bytes) const { send(to, bytes, kPairTag); }

void MpiCarrier::send(Rank to, std::span<const std::byte> bytes, int tag) const {
  run_request(*gate_, [&](MPI_Request* request) {
    const ByteType type(length_of(bytes));
    check_mpi(MPI_Isend(bytes.data(), type.count(), type.type(), to, tag, comm_, request), "MPI_Isend");
  });
}

Count MpiCarrier::receive(Rank from, std::span<std::byte> bytes) const { return receive(from, bytes, kPairTag); }

Count MpiCarrier::receive(Rank from, std::span<std::byte> bytes, int tag) const {
  MPI_Status status{};
  run_request(
      *gate_,
      [&](MPI_Request* request) {
        const ByteType type(length_of(bytes));
        check_mpi(MPI_Irecv(bytes.data(), type.count(), type.type(), from, tag, comm_, request), "MPI_Irecv");
      },
      &status);
  return num_bytes_of(status);
}

const MpiCarrier& carrier_of(const Communicator& ranks) {
  if (!ranks.carrier().is_mpi()) {
    throw InternalError("ranks that MPI does not carry are given to MPI");
  }
  return static_cast<const MpiCarrier&>(ranks.carrier());
}

}  // namespace

Communicator duplicate(MPI_Comm original, std::shared_ptr<MpiGate> gate) {
  if (original == MPI_COMM_NULL) {  // MPI would abort the program for it
    throw UsageError("the communicator is MPI_COMM_NULL: give one that this process is a part of");
  }
  int has_two_groups = 0;
  {
    const auto inside = gate->enter();
    check_mpi(MPI_Comm_test_inter(original, &has_two_groups), "MPI_Comm_test_inter");
  }
  if (has_two_groups != 0) {
    throw UsageError("the communicator is between two groups of processes: merge them by MPI_Intercomm_merge() first");
  }
  return Communicator(MpiCarrier::duplicate_of(original, std::move(gate)));
}

Communicator mpi_world(std::shared_ptr<MpiGate> gate) { return duplicate(MPI_COMM_WORLD, std::move(gate)); }

MPI_Comm mpi_comm(const Communicator& ranks) { return carrier_of(ranks).comm(); }
const std::shared_ptr<MpiGate>& shared_gate(const Communicator& ranks) { return carrier_of(ranks).shared_gate(); }

}  // namespace frond
