// SPDX-License-Identifier: BSD-3-Clause
// Records as files.
#include "loadinfo/ranks/arbiter.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "frond/error.hpp"

namespace frond {
namespace {

std::string text_of(const SurvivalRecord& record) {
  return fmt::format("record {}\nmembers {}\n{}end\n", record.number, fmt::join(record.members, " "),
                     record.end_code ? fmt::format("exit {}\n", *record.end_code) : "");
}

[[noreturn]] void refuse(const std::string& path, const char* what) {
  throw OutputError(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

// Returns when it is on the disk.
void write_file(const std::string& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);  // NOLINT: POSIX
  if (file < 0) {
    refuse(path, "cannot be created");
  }
  const bool is_written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && fsync(file) == 0;
  close(file);
  if (!is_written) {
    refuse(path, "cannot be written");
  }
}

}  // namespace

std::string Arbiter::path(Index number) const { return fmt::format("{}/record.{}", directory_, number); }

SurvivalRecord Arbiter::seal(const SurvivalRecord& record) const {
  static std::atomic<int> num_temporaries = 0;  // threads of a process write their own
  const std::string temporary = fmt::format("{}.{}.{}", path(record.number), getpid(), num_temporaries++);
  write_file(temporary, text_of(record));
  const bool is_first = link(temporary.c_str(), path(record.number).c_str()) == 0;
  const int error = errno;
  unlink(temporary.c_str());
  if (!is_first && error != EEXIST) {
    errno = error;
    refuse(path(record.number), "cannot be named");
  }
  const std::optional<SurvivalRecord> sealed = find(record.number);
  if (!sealed) {
    throw InputError(path(record.number), 0, "is gone");
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

std::optional<SurvivalRecord> Arbiter::find_end() const {
  for (Index number = 1;; ++number) {
    std::optional<SurvivalRecord> record = find(number);
    if (!record || record->end_code) {
      return record;
    }
  }
}

}  // namespace frond
