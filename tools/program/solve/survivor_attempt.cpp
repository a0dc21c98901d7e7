// SPDX-License-Identifier: BSD-3-Clause
// Implements the beginning and the end of an attempt.
#include "tools/program/solve/survivor_attempt.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "frond/error.hpp"
#include "tools/program/process/standard_error.hpp"
#include "tools/program/solve/failure_code.hpp"

namespace frond {
namespace {

std::string machine_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : "localhost";
}

[[noreturn]] void leave(Rank rank, const std::string& why) {
  tell_on_stderr(fmt::format("frond: process {} leaves: {}\n", rank, why));
  std::_Exit(static_cast<int>(ExitCode::process_lost));
}

}  // namespace

SurvivalOptions survival_options(const SurvivorPlace& place, double limit_seconds) {
  SurvivalOptions options{.directory = place.directory, .rank = place.rank, .num_ranks = place.num_ranks};
  options.machine = place.is_one_machine ? "" : machine_name();
  options.limit_seconds = limit_seconds;
  return options;
}

void say_into_output_file(const SurvivorPlace& place, Index attempt) {
  const std::string path = output_file(place.directory, attempt, place.rank);
  std::fflush(stdout);
  if (std::freopen(path.c_str(), "w", stdout) == nullptr) {
    throw OutputError(fmt::format("{}: cannot be created: {}", path, std::strerror(errno)));
  }
}

ExitCode outcome_of_attempt(const SurvivorPlace& place, const SurvivalAttempt& attempt, const std::function<ExitCode()>& work) {
  try {
    return work();
  } catch (const LossError&) {
    throw;
  } catch (const CommunicationError& error) {
    leave(place.rank, error.what());
  } catch (const Error&) {
    const ToldFailure failure = failure_of(std::current_exception());
    if (place.rank == attempt.members.front()) {
      tell_on_stderr(fmt::format("frond: error: {}\n", failure.text));
    }
    return failure.code;
  } catch (const std::exception& error) {
    leave(place.rank, error.what());
  }
}

void tell_loss(const std::vector<Rank>& lost, const std::vector<Rank>& members, const std::string& from) {
  tell_on_stderr(fmt::format("frond: process{} {} {} gone; {} go{} on from {}\n", lost.size() == 1 ? "" : "es",
                             fmt::join(lost, ", "), lost.size() == 1 ? "is" : "are", members.size(),
                             members.size() == 1 ? "es" : "", from));
}

ExitCode end_at_once(Farewell& farewell, const std::function<ExitCode()>& run) {
  farewell = [](ExitCode code) {
    std::fflush(nullptr);
    std::_Exit(static_cast<int>(code));
  };
  try {
    return run();
  } catch (const LossError& error) {
    tell_on_stderr(fmt::format("frond: {}\n", error.what()));
    return ExitCode::fenced;
  }
}

}  // namespace frond
