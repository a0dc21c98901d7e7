// SPDX-License-Identifier: BSD-3-Clause
// What came of the systems of a batch, in a file that outlives the run.
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

inline constexpr std::string_view kTooLarge = "too large";  ///< the verdict on what the memory does not hold

struct BatchResult {
  std::string verdict{};  ///< that of the solver, or "unreadable", "refused", kTooLarge, "failed"
  std::string error{};    ///< why there is none
  Index order = 0;
  Index num_rhs = 0;
  double backward_error = 0;
  double seconds = 0;  ///< from reading to writing

  [[nodiscard]] bool is_solved() const { return verdict == "solved"; }
};

/// A line of JSON, without its end, and back: the number of the system in `items` and its result, unless it is cut off or of
/// another list.
[[nodiscard]] std::string result_line(std::size_t number, const BatchItem& item, const BatchResult& result);
[[nodiscard]] std::optional<std::pair<std::size_t, BatchResult>> read_result_line(const std::string& text,
                                                                                  const std::vector<BatchItem>& items);

/// A line for each system, written when it is done.
class BatchResults {
 public:
  /// Those of the items of which an earlier run has left lines in the file, which is made if need be; with an empty name nothing is
  /// kept. A line that was cut off does not count. Throws InputError, OutputError.
  BatchResults(std::string path, const std::vector<BatchItem>& items);
  ~BatchResults();
  BatchResults(const BatchResults&) = delete;
  BatchResults& operator=(const BatchResults&) = delete;

  [[nodiscard]] const std::map<std::size_t, BatchResult>& all() const { return all_; }  ///< by the number of the item
  /// Throws OutputError.
  void add(std::size_t number, const BatchItem& item, const BatchResult& result);

 private:
  void read(const std::vector<BatchItem>& items);

  std::string path_;
  std::FILE* file_ = nullptr;
  std::map<std::size_t, BatchResult> all_;
};

}  // namespace frond
