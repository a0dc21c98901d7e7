// SPDX-License-Identifier: BSD-3-Clause
// Appends lines of results, and reads them in the next run.
#include "tools/program/batch/batch_results.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "frond/error.hpp"

namespace frond {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string result_line(std::size_t number, const BatchItem& item, const BatchResult& result) {
  const Json line = {{"system", number + 1},
                     {"matrix", item.matrix},
                     {"rhs", item.rhs},
                     {"verdict", result.verdict},
                     {"error", result.error},
                     {"order", result.order},
                     {"right_hand_sides", result.num_rhs},
                     {"backward_error", result.backward_error},
                     {"seconds", result.seconds}};
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<std::pair<std::size_t, BatchResult>> read_result_line(const std::string& text, const std::vector<BatchItem>& items) {
  const Json line = Json::parse(text, nullptr, false);
  if (!line.is_object() || !line.contains("seconds")) {
    return std::nullopt;
  }
  // Fields may have any type: the file may be a foreign one.
  try {
    const std::size_t number = line.value("system", std::size_t{0}) - 1;
    if (number >= items.size() || items[number] != BatchItem{line.value("matrix", ""), line.value("rhs", "")}) {
      return std::nullopt;
    }
    BatchResult result;
    result.verdict = line.value("verdict", "");
    result.error = line.value("error", "");
    result.order = line.value("order", Index{0});
    result.num_rhs = line.value("right_hand_sides", Index{0});
    const Json error = line.value("backward_error", Json());
    result.backward_error = error.is_number() ? error.get<double>() : std::numeric_limits<double>::quiet_NaN();
    result.seconds = line.value("seconds", 0.0);
    return std::pair(number, result);
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

BatchResults::BatchResults(std::string path, const std::vector<BatchItem>& items) : path_(std::move(path)) {
  if (path_.empty()) {
    return;
  }
  read(items);
  file_ = std::fopen(path_.c_str(), "a+");
  if (file_ == nullptr) {
    throw OutputError(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
  }
  // Keeps a truncated line on a line of its own.
  if (std::fseek(file_, -1, SEEK_END) == 0 && std::fgetc(file_) != '\n') {
    std::fputc('\n', file_);
  }
}

BatchResults::~BatchResults() {
  if (file_ != nullptr) {
    std::fclose(file_);
  }
}

// Skips lines of other lists and broken ones.
void BatchResults::read(const std::vector<BatchItem>& items) {
  std::ifstream file(path_);
  std::string text;
  while (std::getline(file, text)) {
    if (const auto found = read_result_line(text, items)) {
      all_[found->first] = found->second;
    }
  }
}

void BatchResults::add(std::size_t number, const BatchItem& item, const BatchResult& result) {
  all_[number] = result;
  if (file_ != nullptr && (std::fputs((result_line(number, item, result) + "\n").c_str(), file_) < 0 || std::fflush(file_) != 0)) {
    throw OutputError(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
  }
}

}  // namespace frond
