// SPDX-License-Identifier: BSD-3-Clause
// MUMPS over several processes of Open MPI, as Debian builds it: the times of its factorizations as one line of JSON.
#include <cblas.h>
#include <mpi.h>

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "matrices/error.hpp"
#include "tools/benchmarks/factor_benchmark_check.hpp"
#include "tools/benchmarks/factor_benchmark_solvers.hpp"
#include "tools/stopwatch.hpp"

namespace frond {
namespace {

constexpr int kNumFactorizations = 3;

// The first process reads the problem; the others need its method alone.
Problem load_on_first(int rank, const std::vector<std::string>& words) {
  Problem problem;
  if (rank == 0) {
    problem = load_problem(words, std::nullopt);
  }
  MPI_Bcast(&problem.method, sizeof(problem.method), MPI_BYTE, 0, MPI_COMM_WORLD);
  return problem;
}

double seconds_of_factorization(Contender& contender) {
  MPI_Barrier(MPI_COMM_WORLD);
  const Stopwatch stopwatch;
  contender.factorize();
  MPI_Barrier(MPI_COMM_WORLD);
  return stopwatch.seconds();
}

void run(const std::vector<std::string>& words) {
  int rank = 0;
  int num_ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &num_ranks);
  const Problem problem = load_on_first(rank, words);
  const std::unique_ptr<Contender> contender = make_mumps(problem);
  nlohmann::json line = {{"solver", "mumps"}, {"ranks", num_ranks}};
  for (int k = 0; k < kNumFactorizations; ++k) {
    line["factor_seconds"].push_back(seconds_of_factorization(*contender));
  }
  if (rank == 0) {
    line["backward_error"] = checked_backward_error(problem, *contender);
    std::cout << line << std::endl;
  } else {
    static_cast<void>(contender->solve({}));
  }
}

}  // namespace
}  // namespace frond

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  openblas_set_num_threads(1);
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    if (words.empty()) {
      throw frond::UsageError("usage: mpiexec.openmpi -n P frond_mumps_ranks FILE | KIND N");
    }
    frond::run(words);
  } catch (const std::exception& error) {
    std::cerr << "frond_mumps_ranks: " << error.what() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Finalize();
  return 0;
}
