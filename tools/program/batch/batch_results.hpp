// SPDX-License-Identifier: BSD-3-Clause
// Keeps the results of a batch's systems in a file that outlives the run.
#pragma once

#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frond/types.hpp"
#include "tools/program/batch/batch_list.hpp"

namespace frond {

inline constexpr std::string_view kTooLarge = "too large";  ///< verdict on a system that does not fit in memory

struct BatchResult {
  std::string verdict{};  ///< that of the solver, or "unreadable", "refused", kTooLarge, "failed"
  std::string error{};    ///< why there is no solution
  Index order = 0;
  Index num_rhs = 0;
  double backward_error = 0;  ///< NaN if it was not measured
  double seconds = 0;         ///< from reading to writing

  [[nodiscard]] bool is_solved() const { return verdict == "solved" || verdict == "unmeasured"; }
};

/// Converts a result to a line of JSON without its end, and back: the system's number in `items` and its result, unless the line is
/// cut off or belongs to another list.
[[nodiscard]] std::string result_line(std::size_t number, const BatchItem& item, const BatchResult& result);
[[nodiscard]] std::optional<std::pair<std::size_t, BatchResult>> read_result_line(const std::string& text,
                                                                                  const std::vector<BatchItem>& items);

/// Appends a line for each system when it is done.
class BatchResults {
 public:
  /// Reads the lines that an earlier run has left for these items in the file, which is created if needed; with an empty name,
  /// nothing is kept. A truncated line is ignored. Throws InputError, OutputError.
  BatchResults(std::string path, const std::vector<BatchItem>& items);
  ~BatchResults();
  BatchResults(const BatchResults&) = delete;
  BatchResults& operator=(const BatchResults&) = delete;

  [[nodiscard]] const std::map<std::size_t, BatchResult>& all() const { return all_; }  ///< by item number
  /// Throws OutputError.
  void add(std::size_t number, const BatchItem& item, const BatchResult& result);

 private:
  void read(const std::vector<BatchItem>& items);

  std::string path_;
  std::FILE* file_ = nullptr;
  std::map<std::size_t, BatchResult> all_;
};

}  // namespace frond
