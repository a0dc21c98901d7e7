// SPDX-License-Identifier: BSD-3-Clause
// Solves with every configuration of a list that is missing in a table, and adds one line per configuration to the table:
//
//   mpiexec.mpich -n P frond_cross_test LIST TABLE SECONDS
//
// Consecutive configurations of one matrix read and order it once. A configuration that takes longer than SECONDS ends the launch;
// the next launch continues after it. tests/cross/run.sh makes the lists, launches this program, and judges the table.
#include <fmt/core.h>
#include <unistd.h>

#include <complex>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "frond/error.hpp"
#include "loadinfo/messages/mpi/mpi_environment.hpp"
#include "loadinfo/messages/mpi/mpi_world.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/agreement.hpp"
#include "tests/cross/cross_run.hpp"
#include "tests/cross/named_matrix.hpp"
#include "tests/cross/results_table.hpp"

namespace frond::test {
namespace {

class CrossTest {
 public:
  CrossTest(const Communicator& ranks, const std::string& list, const std::string& table, unsigned seconds)
      : ranks_(ranks), seconds_(seconds) {
    agree(ranks_, [&] {
      configurations_ = read_configurations(list);
      if (is_first()) {
        table_.emplace(table);
      }
    });
    drop_finished();
  }

  void run() {
    for (std::size_t begin = 0; begin < configurations_.size();) {
      std::size_t end = begin;
      while (end < configurations_.size() && configurations_[end].matrix == configurations_[begin].matrix) {
        ++end;
      }
      try {
        run_matrix(std::span(configurations_).subspan(begin, end - begin));
      } catch (const CommunicationError&) {
        throw;
      } catch (const Error& error) {  // without the matrix its lines stay missing
        tell(error);
      }
      begin = end;
    }
  }

 private:
  [[nodiscard]] bool is_first() const { return ranks_.rank() == 0; }

  void tell(const Error& error) const {
    if (is_first()) {
      fmt::print(stderr, "frond_cross_test: error: {}\n", error.what());
    }
  }

  void drop_finished() {
    std::vector<std::uint8_t> is_finished(configurations_.size());
    if (is_first()) {
      for (std::size_t k = 0; k < configurations_.size(); ++k) {
        is_finished[k] = table_->contains(configurations_[k].key(ranks_.num_ranks())) ? 1 : 0;
      }
    }
    broadcast(ranks_, 0, std::as_writable_bytes(std::span(is_finished)));
    std::vector<Configuration> unfinished;
    for (std::size_t k = 0; k < configurations_.size(); ++k) {
      if (is_finished[k] == 0) {
        unfinished.push_back(configurations_[k]);
      }
    }
    configurations_ = std::move(unfinished);
  }

  void run_matrix(std::span<const Configuration> configurations) {
    std::optional<AnyMatrix> matrix;
    const char* const folder = std::getenv("FROND_MATRIX_DIR");
    agree(ranks_, [&] {
      if (is_first()) {
        matrix = named_matrix(configurations.front().matrix, folder == nullptr ? "." : folder);
      }
    });
    bool is_complex = matrix && std::holds_alternative<SparseMatrix<std::complex<double>>>(*matrix);
    broadcast(ranks_, 0, std::as_writable_bytes(std::span(&is_complex, 1)));
    const auto run_all = [&]<Scalar S>(const SparseMatrix<S>* whole) {
      CrossRun<S> runs(ranks_, whole);
      for (const Configuration& configuration : configurations) {
        run_one(runs, configuration);
      }
    };
    if (is_complex) {
      run_all(matrix ? std::get_if<SparseMatrix<std::complex<double>>>(&*matrix) : nullptr);
    } else {
      run_all(matrix ? std::get_if<SparseMatrix<double>>(&*matrix) : nullptr);
    }
  }

  template <Scalar S>
  void run_one(CrossRun<S>& runs, const Configuration& configuration) {
    agree(ranks_, [&] {
      if (is_first()) {
        table_->begin(configuration.key(ranks_.num_ranks()));
      }
    });
    alarm(seconds_);  // SIGALRM has no handler: it ends the process, and thereby the launch
    const std::string outcome = runs.run(configuration);
    alarm(0);
    agree(ranks_, [&] {
      if (is_first()) {
        table_->finish(outcome);
      }
    });
  }

  const Communicator& ranks_;
  unsigned seconds_;
  std::vector<Configuration> configurations_;
  std::optional<ResultsTable> table_;  // set on the first rank only
};

int run_program(const std::vector<std::string>& arguments) {
  if (arguments.size() != 4) {
    fmt::print(stderr, "usage: mpiexec.mpich -n P {} LIST TABLE SECONDS\n", arguments.front());
    return 2;
  }
  const MpiEnvironment environment(MpiThreadLevel::multiple);
  const Communicator ranks = mpi_world(std::make_shared<MpiGate>(mpi_thread_level()));
  try {
    CrossTest(ranks, arguments[1], arguments[2], static_cast<unsigned>(std::stoul(arguments[3]))).run();
  } catch (const CommunicationError&) {
    throw;  // MPI cannot be finalized any more
  } catch (const Error& error) {
    if (ranks.rank() == 0) {
      fmt::print(stderr, "{}: error: {}\n", arguments.front(), error.what());
    }
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace frond::test

int main(int argc, char** argv) { return frond::test::run_program({argv, argv + argc}); }
