// SPDX-License-Identifier: BSD-3-Clause
// Holds the list of configurations to run and the table of their outcomes, which survives runs that do not finish.
#pragma once

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "frond/types.hpp"

namespace frond::test {

/// The choices of one run, in the words of the command line of `frond solve`.
struct Configuration {
  std::string matrix;
  std::string load_exchange;
  std::string schedule;
  std::string load_thread;
  std::string work;

  /// Returns the first six fields of a line of the table.
  [[nodiscard]] std::string key(Rank num_ranks) const;
};

/// Reads the lines "MATRIX LOAD_EXCHANGE SCHEDULE LOAD_THREAD WORK" of a file. Throws InputError.
[[nodiscard]] std::vector<Configuration> read_configurations(const std::string& path);

/// A file with one line of tab-separated fields per run: the key, then the outcome. The key is written before the run, so a lost
/// launch leaves an incomplete line.
class ResultsTable {
 public:
  /// Opens the table in a file, which may not exist yet. Completes an incomplete line with the verdict "lost". Throws OutputError,
  /// and InputError if the lines of the file have other fields.
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
