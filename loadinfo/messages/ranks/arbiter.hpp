// SPDX-License-Identifier: BSD-3-Clause
// Who decides which processes go on when they cannot hear each other: a directory that all of them see.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frond/types.hpp"

namespace frond {

/// What is agreed upon: who goes on, or that all is over.
struct SurvivalRecord {
  Index number = 0;
  std::vector<Rank> members;         ///< increasing
  std::optional<int> end_code = {};  ///< the exit code of the run, which has ended

  friend bool operator==(const SurvivalRecord&, const SurvivalRecord&) = default;
};

/// The first record of a number that anybody seals counts, for everybody (seal_file()).
class Arbiter {
 public:
  /// A directory of this run alone.
  explicit Arbiter(std::string directory) : directory_(std::move(directory)) {}

  [[nodiscard]] const std::string& directory() const { return directory_; }

  /// Returns the record that counts. Throws OutputError.
  [[nodiscard]] SurvivalRecord seal(const SurvivalRecord& record) const;
  /// The record that counts, if there is one. Throws InputError for what is none.
  [[nodiscard]] std::optional<SurvivalRecord> find(Index number) const;
  /// A process of the run has ended: said by the one that has started it, who knows. Not thrown if it cannot be written.
  void note_gone(Rank rank) const;
  [[nodiscard]] bool is_gone(Rank rank) const;

  /// The end of the run, if it has come.
  [[nodiscard]] std::optional<SurvivalRecord> find_end() const;

 private:
  [[nodiscard]] std::string path(Index number) const;

  std::string directory_;
};

}  // namespace frond
