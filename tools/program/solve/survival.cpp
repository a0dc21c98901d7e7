// SPDX-License-Identifier: BSD-3-Clause
// Writes notes of phases, and interprets --survive.
#include "tools/program/solve/survival.hpp"

#include <fmt/format.h>

#include <exception>
#include <fstream>

#include "frond/error.hpp"

namespace frond {
namespace {

std::string note_of(const std::string& directory, Rank rank) { return fmt::format("{}/phase.{}", directory, rank); }

}  // namespace

Protection protection_of(const SolveArguments& arguments) {
  const std::string& word = arguments.ranks.survive;
  const bool has_checkpoint = !arguments.checkpoint_directory().empty();
  if (word == kSurviveByDefault) {
    return has_checkpoint ? Protection::files : Protection::recompute;
  }
  if (word == "files") {
    if (!has_checkpoint) {
      throw UsageError("--survive=files goes on from a checkpoint: name its directory by --checkpoint DIR");
    }
    return Protection::files;
  }
  if (has_checkpoint) {
    throw UsageError(fmt::format("--survive={} has no use for a checkpoint: leave it out, or say --survive=files", word));
  }
  if (word != "copies") {
    return Protection::recompute;
  }
  if (!arguments.ranks.arbiter.empty()) {
    throw UsageError("--survive=copies keeps copies in the memory of one machine, and records beside them: leave out --arbiter");
  }
  return Protection::copies;
}

std::string to_string(Protection protection) {
  switch (protection) {
    case Protection::copies:
      return "copies";
    case Protection::files:
      return "files";
    default:
      return "recompute";
  }
}

// A note is short enough for a single write: a reader finds all of it or nothing.
void Survival::begin_phase(const std::string& phase) const noexcept {
  try {
    std::ofstream(note_of(directory_, rank_)) << phase;
  } catch (const std::exception&) {  // only a note: ignored
  }
}

std::string Survival::last_phase(const std::string& directory, Rank rank) {
  std::ifstream note(note_of(directory, rank));
  std::string phase;
  std::getline(note, phase);
  return phase;
}

}  // namespace frond
