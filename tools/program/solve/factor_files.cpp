// SPDX-License-Identifier: BSD-3-Clause
// Records sizes and seconds of factor files.
#include "tools/program/solve/factor_files.hpp"

#include <filesystem>
#include <system_error>

#include "tools/program/process/stopwatch.hpp"

namespace frond {

bool has_factors_to_save(SystemReport& report, const SolveReport& solved) {
  if (solved.columns.empty()) {
    report.notes.emplace_back("there are no factors, and nothing was saved");
    return false;
  }
  return true;
}

FactorFileFacts timed_transfer(const std::string& file, const std::function<void()>& transfer) {
  const Stopwatch watch;
  transfer();
  FactorFileFacts facts{file, watch.seconds()};
  std::error_code error;
  const auto num_bytes = std::filesystem::file_size(file, error);
  facts.num_bytes = error ? 0 : static_cast<Count>(num_bytes);  // a device has no size
  return facts;
}

}  // namespace frond
