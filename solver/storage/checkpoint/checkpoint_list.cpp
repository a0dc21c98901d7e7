// SPDX-License-Identifier: BSD-3-Clause
// Stores lists as lines of text with a checksum, sealed by a link.
#include "solver/storage/checkpoint/checkpoint_list.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <span>
#include <sstream>
#include <utility>

#include "frond/error.hpp"
#include "matrices/checksum.hpp"
#include "matrices/folder_paths.hpp"
#include "matrices/sealed_file.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFirstLine = "Frond checkpoint list 1";

std::string checksum_line(const std::string& text) {
  return fmt::format("checksum {:016x}\n", checksum_of(std::as_bytes(std::span(text))));
}

std::string text_of(const CheckpointList& list) {
  std::string text = fmt::format("{}\nrun {} number {}\nkey {:016x}\n", kFirstLine, list.run, list.number, list.key);
  for (const ListedLog& log : list.logs) {
    text += fmt::format("log {} {} {} {}\n", log.stem, log.run, log.num_index_bytes, log.is_open ? "open" : "closed");
  }
  return text + checksum_line(text);
}

std::optional<CheckpointList> parsed(const std::string& text) {
  const std::size_t last = text.rfind("checksum ");
  if (last == std::string::npos || text.substr(last) != checksum_line(text.substr(0, last))) {
    return std::nullopt;
  }
  std::istringstream lines(text.substr(0, last));
  std::string line;
  CheckpointList list;
  std::string word;
  if (!std::getline(lines, line) || line != kFirstLine ||
      !(lines >> word >> list.run >> word >> list.number >> word >> std::hex >> list.key >> std::dec)) {
    return std::nullopt;
  }
  constexpr Index kMost = std::numeric_limits<Index>::max();  // refused: the next run needs a larger number
  if (list.run < 1 || list.run == kMost || list.number < 0 || list.number == kMost) {
    return std::nullopt;
  }
  ListedLog log;
  std::string state;
  while (lines >> word >> log.stem >> log.run >> log.num_index_bytes >> state) {
    log.is_open = state == "open";
    if (log.stem.find('/') != std::string::npos || log.num_index_bytes < 0) {
      return std::nullopt;  // a log must be in the directory of its list
    }
    list.logs.push_back(log);
  }
  return list;
}

// The run and the number in a file's name.
std::optional<std::pair<Index, Index>> place_of(const std::string& name) {
  std::pair<Index, Index> place;
  char rest = 0;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg,cert-err34-c): the number of fields that fit is looked at
  return std::sscanf(name.c_str(), "list.%d.%d%c", &place.first, &place.second, &rest) == 2 ? std::optional(place) : std::nullopt;
}

std::vector<std::pair<Index, Index>> places_in(const std::string& directory) {
  std::vector<std::pair<Index, Index>> places;
  std::error_code error;
  for (const fs::path& file : paths_in(directory, error)) {
    if (const auto place = place_of(file.filename().string())) {
      places.push_back(*place);
    }
  }
  std::sort(places.begin(), places.end());
  return places;
}

std::string path_of(const std::string& directory, std::pair<Index, Index> place) {
  return fmt::format("{}/list.{}.{}", directory, place.first, place.second);
}

}  // namespace

bool seal(const std::string& directory, const CheckpointList& list) {
  if (!seal_file(path_of(directory, {list.run, list.number}), text_of(list))) {
    return false;
  }
  std::error_code ignored;
  for (const std::pair<Index, Index>& place : places_in(directory)) {
    if (place < std::pair(list.run, list.number)) {
      fs::remove(path_of(directory, place), ignored);
    }
  }
  return true;
}

std::optional<CheckpointList> last_list(const std::string& directory) {
  for (;;) {
    const std::vector<std::pair<Index, Index>> places = places_in(directory);
    bool has_gone = false;
    for (auto place = places.rbegin(); place != places.rend() && !has_gone; ++place) {
      std::ifstream file(path_of(directory, *place));
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      if (std::optional<CheckpointList> list = parsed(text)) {
        return list;
      }
      std::error_code error;
      has_gone = !file.is_open() && !fs::exists(path_of(directory, *place), error) && !error;
    }
    if (has_gone) {
      continue;  // it has been replaced in the meantime
    }
    if (!places.empty()) {
      throw InputError(path_of(directory, places.back()), 0,
                       "is damaged, and there is no other list: the checkpoint cannot be used");
    }
    return std::nullopt;
  }
}

}  // namespace frond
