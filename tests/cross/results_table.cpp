// SPDX-License-Identifier: BSD-3-Clause
// Begins each line of the table before its run, and completes it afterwards.
#include "tests/cross/results_table.hpp"

#include <iterator>
#include <sstream>
#include <string_view>

#include "frond/error.hpp"

namespace frond::test {
namespace {

constexpr std::string_view kHeader =
    "matrix\tranks\tload_exchange\tschedule\tload_thread\twork\tmethod\tbackward_error\tcondition\tx_difference\t"
    "determinant_difference\tinertia\tone_process_inertia\tdelayed_pivots\tnodes_type2\tnodes_type3\tdecisions\tslaves\tload_"
    "messages\t"
    "tasks_taken\tseconds\tverdict\n";
constexpr std::string_view kLost = "\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\tlost\n";
constexpr int kNumKeyFields = 6;

std::string key_of(const std::string& line) {
  std::size_t end = line.find('\t');
  for (int field = 1; field < kNumKeyFields && end != std::string::npos; ++field) {
    end = line.find('\t', end + 1);
  }
  return line.substr(0, end);
}

std::string whole_file(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::string Configuration::key(Rank num_ranks) const {
  return matrix + '\t' + std::to_string(num_ranks) + '\t' + load_exchange + '\t' + schedule + '\t' + load_thread + '\t' + work;
}

std::vector<Configuration> read_configurations(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw InputError(path, 0, "cannot be read");
  }
  std::vector<Configuration> configurations;
  std::string line;
  for (Count number = 1; std::getline(file, line); ++number) {
    std::istringstream fields(line);
    Configuration& next = configurations.emplace_back();
    if (!(fields >> next.matrix >> next.load_exchange >> next.schedule >> next.load_thread >> next.work)) {
      throw InputError(path, number, "is not 'MATRIX LOAD_EXCHANGE SCHEDULE LOAD_THREAD WORK'");
    }
  }
  return configurations;
}

ResultsTable::ResultsTable(const std::string& path) : path_(path) {
  const std::string content = whole_file(path);
  if (!content.empty() && !content.starts_with(kHeader)) {
    throw InputError(path, 1, "is not the head of such a table");
  }
  file_.open(path, std::ios::app);
  if (content.empty()) {
    append(std::string(kHeader));
  } else if (content.back() != '\n') {
    append(std::string(kLost));
  }
  std::istringstream lines(content);
  for (std::string line; std::getline(lines, line);) {
    keys_.insert(key_of(line));
  }
}

void ResultsTable::begin(const std::string& key) {
  append(key);
  keys_.insert(key);
}

void ResultsTable::finish(const std::string& outcome) { append('\t' + outcome + '\n'); }

void ResultsTable::append(const std::string& text) {
  file_ << text << std::flush;
  if (!file_) {
    throw OutputError(path_ + ": cannot be written");
  }
}

}  // namespace frond::test
