// SPDX-License-Identifier: BSD-3-Clause
// Implements the calls that exist for several processes only.
#include <memory>
#include <utility>
#include <vector>

#include "frond/mpi.hpp"
#include "loadinfo/messages/mpi/mpi_communicator.hpp"
#include "loadinfo/messages/mpi/mpi_environment.hpp"
#include "loadinfo/messages/mpi/mpi_rank_watch.hpp"
#include "solver/distributed/mpi/distributed_system.hpp"
#include "solver/distributed/mpi/rank_backend.hpp"
#include "solver/distributed/mpi/rank_checkpoint.hpp"
#include "solver/distributed/mpi/rank_place.hpp"

namespace frond {
namespace {

// The matrix counts on rank 0.
template <Scalar S, class Matrix>
std::shared_ptr<const DistributedSystem<S>> analysed(const Ranks& ranks, const Matrix& matrix, const SolverOptions& options) {
  return std::make_shared<const DistributedSystem<S>>(ranks.communicator(), matrix, options);
}

}  // namespace

Ranks::Ranks(MPI_Comm program)
    : communicator_(std::make_shared<const Communicator>(duplicate(program, std::make_shared<MpiGate>(mpi_thread_level())))) {}

Ranks::Ranks(MPI_Comm program, const Ranks& beside)
    : communicator_(std::make_shared<const Communicator>(duplicate(program, shared_gate(beside.communicator())))) {}

Ranks::Ranks(std::shared_ptr<const Communicator> communicator) : communicator_(std::move(communicator)) {}

Rank Ranks::rank() const { return communicator_->rank(); }
Rank Ranks::num_ranks() const { return communicator_->num_ranks(); }

template <Scalar S>
Analysis analyze(const Ranks& ranks, const SystemMatrix<S>& matrix, const SolverOptions& options) {
  return Analysis(analysed<S>(ranks, given_or_null(matrix), options)->analysis());
}

template <Scalar S>
Analysis analyze(const Ranks& ranks, const Triplets<S>& mine, const SolverOptions& options) {
  return Analysis(analysed<S>(ranks, mine, options)->analysis());
}

template <Scalar S>
Factorization<S>::Factorization(const Ranks& ranks, const SystemMatrix<S>& matrix, const SolverOptions& options)
    : Factorization(factorize_on_ranks<S>(analysed<S>(ranks, given_or_null(matrix), options))) {}

template <Scalar S>
Factorization<S>::Factorization(const Ranks& ranks, const Triplets<S>& mine, const SolverOptions& options)
    : Factorization(factorize_on_ranks<S>(analysed<S>(ranks, mine, options))) {}

template <Scalar S>
Factorization<S> Factorization<S>::load(const Ranks& ranks, const std::string& path, const SystemMatrix<S>& matrix,
                                        const SolverOptions& options) {
  return load_on_ranks<S>(ranks.communicator(), {path}, given_or_null(matrix), options);
}

template <Scalar S>
Factorization<S> Factorization<S>::load_from_memory(const Ranks& ranks, std::span<const std::byte> bytes,
                                                    const SystemMatrix<S>& matrix, const SolverOptions& options) {
  return load_on_ranks<S>(ranks.communicator(), SavedSource::in_memory(bytes), given_or_null(matrix), options);
}

template <Scalar S>
Factorization<S> Factorization<S>::resume(const Ranks& ranks, const SystemMatrix<S>& matrix, const SolverOptions& options) {
  return factorize_on_ranks<S>(resume_system<S>(ranks.communicator(), given_or_null(matrix), options));
}

template <Scalar S>
std::vector<Index> own_rows(const Factorization<S>& factorization) {
  const auto* backend = dynamic_cast<const RankBackend<S>*>(&factorization.course().current().backend());
  if (backend == nullptr) {
    throw UsageError("these are the factors of one process, which has all rows");
  }
  return backend->own_rows();
}

class ProcessWatch::Inside {
 public:
  Inside(const Ranks& ranks, double limit_seconds, std::function<void(Rank)> rank_lost)
      : watch_(ranks.communicator(), limit_seconds, std::move(rank_lost)) {}

 private:
  MpiRankWatch watch_;
};

ProcessWatch::ProcessWatch(const Ranks& ranks, double limit_seconds, std::function<void(Rank)> rank_lost)
    : inside_(std::make_unique<Inside>(ranks, limit_seconds, std::move(rank_lost))) {}
ProcessWatch::~ProcessWatch() = default;

#define FROND_INSTANTIATE(S)                                                                                                     \
  template std::vector<Index> own_rows(const Factorization<S>&);                                                                 \
  template Analysis analyze(const Ranks&, const SystemMatrix<S>&, const SolverOptions&);                                         \
  template Factorization<S> Factorization<S>::resume(const Ranks&, const SystemMatrix<S>&, const SolverOptions&);                \
  template Analysis analyze(const Ranks&, const Triplets<S>&, const SolverOptions&);                                             \
  template Factorization<S>::Factorization(const Ranks&, const SystemMatrix<S>&, const SolverOptions&);                          \
  template Factorization<S>::Factorization(const Ranks&, const Triplets<S>&, const SolverOptions&);                              \
  template Factorization<S> Factorization<S>::load_from_memory(const Ranks&, std::span<const std::byte>, const SystemMatrix<S>&, \
                                                               const SolverOptions&);                                            \
  template Factorization<S> Factorization<S>::load(const Ranks&, const std::string&, const SystemMatrix<S>&, const SolverOptions&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
