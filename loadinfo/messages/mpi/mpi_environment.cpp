// SPDX-License-Identifier: BSD-3-Clause
// Starts and ends MPI.
#include "loadinfo/messages/mpi/mpi_environment.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "loadinfo/messages/mpi/mpi_call.hpp"

namespace frond {
namespace {

struct Level {
  std::string_view name;
  int value;
};

// kLevels[level] = MPI's name and constant.
constexpr std::array<Level, 4> kLevels = {{{"MPI_THREAD_SINGLE", MPI_THREAD_SINGLE},
                                           {"MPI_THREAD_FUNNELED", MPI_THREAD_FUNNELED},
                                           {"MPI_THREAD_SERIALIZED", MPI_THREAD_SERIALIZED},
                                           {"MPI_THREAD_MULTIPLE", MPI_THREAD_MULTIPLE}}};

const Level& mpi_level(MpiThreadLevel level) { return kLevels[static_cast<std::size_t>(level)]; }

MpiThreadLevel level_of(int value) {
  auto level = MpiThreadLevel::multiple;
  while (level > MpiThreadLevel::single && mpi_level(level).value > value) {
    level = static_cast<MpiThreadLevel>(static_cast<int>(level) - 1);
  }
  return level;
}

}  // namespace

MpiEnvironment::MpiEnvironment(MpiThreadLevel wanted) {
  int is_initialized = 0;
  check_mpi(MPI_Initialized(&is_initialized), "MPI_Initialized");
  if (is_initialized != 0) {
    throw UsageError(
        "MPI is started a second time: a process can start it once, and it has been started, perhaps by this program itself");
  }
  int granted = MPI_THREAD_SINGLE;
  check_mpi(MPI_Init_thread(nullptr, nullptr, mpi_level(wanted).value, &granted), "MPI_Init_thread");
  if (granted < mpi_level(wanted).value) {
    MPI_Finalize();
    throw CommunicationError(fmt::format("MPI grants {} where {} was asked for: ask for less, or use another MPI library",
                                         mpi_level(level_of(granted)).name, mpi_level(wanted).name));
  }
}

MpiEnvironment::~MpiEnvironment() { MPI_Finalize(); }

MpiThreadLevel mpi_thread_level() {
  if (!is_mpi_running()) {
    throw UsageError("MPI is not running: start it before, and end it after, everything that communicates");
  }
  int granted = MPI_THREAD_SINGLE;
  check_mpi(MPI_Query_thread(&granted), "MPI_Query_thread");
  return level_of(granted);
}

}  // namespace frond
