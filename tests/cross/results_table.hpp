// SPDX-License-Identifier: BSD-3-Clause
// The list of what to run, and the table of what came of it, which outlives runs that do not come to their end.
#pragma once

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "frond/types.hpp"

namespace frond::test {

/// What is chosen for one run; the words are those of the command line of `frond solve`.
struct Configuration {
  std::string matrix;
  std::string load_exchange;
  std::string schedule;
  std::string load_thread;
  std::string work;

  /// The first six fields of a line of the table.
  [[nodiscard]] std::string key(Rank num_ranks) const;
};

/// The lines "MATRIX LOAD_EXCHANGE SCHEDULE LOAD_THREAD WORK" of a file. Throws InputError.
[[nodiscard]] std::vector<Configuration> read_configurations(const std::string& path);

/// Lines of fields separated by tabs, one per run: the key, then the outcome. The key is written before the run, so that a launch
/// that is lost leaves an incomplete line.
class ResultsTable {
 public:
  /// The table in a file, which need not be there yet. Completes an incomplete line with the verdict "lost". Throws OutputError,
  /// and InputError where the lines of the file have other fields.
  explicit ResultsTable(const std::string& path);

  [[nodiscard]] bool contains(const std::string& key) const { return keys_.count(key) > 0; }
  void begin(const std::string& key);
  void finish(const std::string& outcome);

 private:
  void append(const std::string& text);

  std::string path_;
  std::set<std::string> keys_;
  std::ofstream file_;
};

}  // namespace frond::test
