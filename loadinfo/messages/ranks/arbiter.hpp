// SPDX-License-Identifier: BSD-3-Clause
// Decides which processes continue when they cannot hear each other: records in a directory that all of them see.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// What is agreed: who continues, or that the run is over.
struct SurvivalRecord {
  Index number = 0;
  std::vector<Rank> members;         ///< increasing
  std::optional<int> end_code = {};  ///< the exit code of the run, if it has ended

  friend bool operator==(const SurvivalRecord&, const SurvivalRecord&) = default;
};

/// The first record sealed with a number is valid for everybody (seal_file()).
class Arbiter {
 public:
  /// `directory` must be used by this run alone.
  explicit Arbiter(std::string directory) : directory_(std::move(directory)) {}

  [[nodiscard]] const std::string& directory() const { return directory_; }

  /// Seals a record and returns the valid one. Throws OutputError.
  [[nodiscard]] SurvivalRecord seal(const SurvivalRecord& record) const;
  /// Returns the valid record, if there is one. Throws InputError for a file that is not a record.
  [[nodiscard]] std::optional<SurvivalRecord> find(Index number) const;
  /// Notes that a process of the run has ended; called by its launcher, which knows. Write errors are not reported.
  void note_gone(Rank rank) const;
  [[nodiscard]] bool is_gone(Rank rank) const;

 private:
  [[nodiscard]] std::string path(Index number) const;

  std::string directory_;
};

}  // namespace frond
