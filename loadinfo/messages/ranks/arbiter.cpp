// SPDX-License-Identifier: BSD-3-Clause
// Stores records as files.
#include "loadinfo/messages/ranks/arbiter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "frond/error.hpp"
#include "matrices/sealed_file.hpp"

namespace frond {
namespace {

std::string text_of(const SurvivalRecord& record) {
  return fmt::format("record {}\nmembers {}\n{}end\n", record.number, fmt::join(record.members, " "),
                     record.end_code ? fmt::format("exit {}\n", *record.end_code) : "");
}

}  // namespace

std::string Arbiter::path(Index number) const { return fmt::format("{}/record.{}", directory_, number); }

SurvivalRecord Arbiter::seal(const SurvivalRecord& record) const {
  static_cast<void>(seal_file(path(record.number), text_of(record)));  // or another process was first
  const std::optional<SurvivalRecord> sealed = find(record.number);
  if (!sealed) {
    throw InputError(path(record.number), 0, "is gone: leave the directory alone while the processes work");
  }
  return *sealed;
}

std::optional<SurvivalRecord> Arbiter::find(Index number) const {
  std::ifstream file(path(number));
  if (!file.is_open()) {
    return std::nullopt;
  }
  SurvivalRecord record;
  std::string line;
  std::string word;
  bool is_complete = false;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    words >> word;
    if (word == "record") {
      words >> record.number;
    } else if (word == "members") {
      for (Rank member = 0; words >> member;) {
        record.members.push_back(member);
      }
    } else if (word == "exit") {
      words >> record.end_code.emplace();
    }
    is_complete = word == "end";
  }
  if (!is_complete || record.number != number) {
    throw InputError(path(number), 0, "is no record of processes that go on together");
  }
  return record;
}

void Arbiter::note_gone(Rank rank) const { std::ofstream(fmt::format("{}/gone.{}", directory_, rank)) << "gone\n"; }

bool Arbiter::is_gone(Rank rank) const { return access(fmt::format("{}/gone.{}", directory_, rank).c_str(), F_OK) == 0; }

}  // namespace frond
