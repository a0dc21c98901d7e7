// SPDX-License-Identifier: BSD-3-Clause
// Non-blocking collectives of MPI, asked now and then whether they are finished.
#include "loadinfo/mpi/collective.hpp"

#include <numeric>
#include <thread>

#include "loadinfo/mpi/communicator_handle.hpp"
#include "loadinfo/wake_period.hpp"

namespace frond {
namespace {

// Starts an operation by start(request), then sleeps until it is finished.
template <class Start>
void run_collective(const Communicator& ranks, Start start) {
  MPI_Request request = MPI_REQUEST_NULL;
  {
    const auto inside = ranks.gate().enter();
    start(&request);
  }
  const auto is_finished = [&] {
    const auto inside = ranks.gate().enter();
    int flag = 0;
    check_mpi(MPI_Test(&request, &flag, MPI_STATUS_IGNORE), "MPI_Test");
    return flag != 0;
  };
  WakePeriod period(std::chrono::microseconds(10), std::chrono::milliseconds(5));
  while (!is_finished()) {
    std::this_thread::sleep_for(period.after(false));
  }
}

// What a gathering operation receives: parts of rank r in all[begins[r] .. begins[r] + lengths[r]).
struct Parts {
  explicit Parts(std::vector<MPI_Count> of_ranks) : lengths(std::move(of_ranks)), begins(lengths.size()) {
    std::exclusive_scan(lengths.begin(), lengths.end(), begins.begin(), MPI_Aint{0});
    all.resize(static_cast<std::size_t>(std::accumulate(lengths.begin(), lengths.end(), MPI_Count{0})));
  }

  [[nodiscard]] std::vector<std::vector<std::byte>> split() const {
    std::vector<std::vector<std::byte>> parts;
    for (std::size_t rank = 0; rank < lengths.size(); ++rank) {
      const auto begin = all.begin() + begins[rank];
      parts.emplace_back(begin, begin + lengths[rank]);
    }
    return parts;
  }

  std::vector<MPI_Count> lengths;
  std::vector<MPI_Aint> begins;
  std::vector<std::byte> all;
};

std::vector<MPI_Count> lengths_of_all(const Communicator& ranks, std::size_t mine) {
  const auto length = static_cast<MPI_Count>(mine);
  std::vector<MPI_Count> lengths(static_cast<std::size_t>(ranks.num_ranks()));
  run_collective(ranks, [&](MPI_Request* request) {
    check_mpi(MPI_Iallgather(&length, 1, MPI_COUNT, lengths.data(), 1, MPI_COUNT, ranks.handle().comm, request), "MPI_Iallgather");
  });
  return lengths;
}

}  // namespace

void broadcast(const Communicator& ranks, Rank root, std::span<std::byte> bytes) {
  run_collective(ranks, [&](MPI_Request* request) {
    check_mpi(MPI_Ibcast_c(bytes.data(), static_cast<MPI_Count>(bytes.size()), MPI_BYTE, root, ranks.handle().comm, request),
              "MPI_Ibcast_c");
  });
}

std::vector<std::vector<std::byte>> all_gather(const Communicator& ranks, std::span<const std::byte> mine) {
  Parts parts(lengths_of_all(ranks, mine.size()));
  run_collective(ranks, [&](MPI_Request* request) {
    check_mpi(MPI_Iallgatherv_c(mine.data(), static_cast<MPI_Count>(mine.size()), MPI_BYTE, parts.all.data(), parts.lengths.data(),
                                parts.begins.data(), MPI_BYTE, ranks.handle().comm, request),
              "MPI_Iallgatherv_c");
  });
  return parts.split();
}

std::vector<std::vector<std::byte>> gather(const Communicator& ranks, Rank root, std::span<const std::byte> mine) {
  std::vector<MPI_Count> lengths = lengths_of_all(ranks, mine.size());
  const bool is_root = ranks.rank() == root;
  Parts parts(is_root ? std::move(lengths) : std::vector<MPI_Count>());
  run_collective(ranks, [&](MPI_Request* request) {
    check_mpi(MPI_Igatherv_c(mine.data(), static_cast<MPI_Count>(mine.size()), MPI_BYTE, parts.all.data(), parts.lengths.data(),
                             parts.begins.data(), MPI_BYTE, root, ranks.handle().comm, request),
              "MPI_Igatherv_c");
  });
  return parts.split();
}

}  // namespace frond
