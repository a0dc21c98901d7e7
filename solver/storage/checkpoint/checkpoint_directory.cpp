// SPDX-License-Identifier: BSD-3-Clause
// Manages the names in the directory, its lock, and how attempts ended.
#include "solver/storage/checkpoint/checkpoint_directory.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <utility>

#include "matrices/atomic_file.hpp"
#include "matrices/folder_paths.hpp"
#include "matrices/log_file.hpp"
#include "solver/storage/saved/saved_factors.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
}

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const std::string& path, const std::string& text) {
  write_atomically(path, [&](const std::string& name) {
    std::error_code error;
    fs::remove(name, error);
    LogFile file(name, LogFile::Mode::create);
    file.append(std::as_bytes(std::span(text)));
    file.sync();
  });
}

// Throws unless the directory is missing or empty, except for Frond's own files and leftovers of killed runs.
void require_new(const std::string& path) {
  std::error_code error;
  if (fs::exists(path + "/system", error)) {
    throw UsageError(
        fmt::format("{}: holds a checkpoint already: go on from it with --resume {}, remove it, or name another "
                    "directory",
                    path, path));
  }
  if (fs::exists(path, error) && !fs::is_directory(path, error)) {
    throw UsageError(fmt::format("{}: is no directory: name one for the checkpoint", path));
  }
  for (const fs::path& found : paths_in(path, error)) {
    const std::string name = found.filename().string();
    const bool is_ours = name == "in-use" || name == "request" || name == "leave" || name == "lost+found" ||
                         found.extension() == ".tmp";  // left by a killed run
    if (!is_ours) {
      throw UsageError(fmt::format("{}: is not empty ({}): name a directory for the checkpoint alone", path, name));
    }
  }
}

// Returns -1 if it cannot be opened.
int open_lock(const std::string& path, int flags) {
  return open((path + "/in-use").c_str(), flags | O_CLOEXEC, 0666);  // NOLINT(cppcoreguidelines-pro-type-vararg): POSIX
}

// Locks the whole file. These are locks of open file descriptions rather than flock(), since they can be queried without being
// taken.
struct flock whole_file() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

// Some network file systems do not support locks: there no process is refused.
bool take_lock(int file) {
  struct flock lock = whole_file();
  return fcntl(file, F_OFD_SETLK, &lock) == 0 ||  // NOLINT(cppcoreguidelines-pro-type-vararg): POSIX
         (errno != EAGAIN && errno != EACCES);
}

// Takes no lock: a run that begins at this moment must not be refused because another process checks.
bool is_locked_by_another(int file) {
  struct flock lock = whole_file();
  return fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;  // NOLINT(cppcoreguidelines-pro-type-vararg): POSIX
}

std::string outcome_text(const AttemptOutcome& outcome) {
  if (outcome.indefinite_at) {
    return fmt::format("indefinite {}\n", *outcome.indefinite_at);
  }
  const BudgetError::Figures& figures = outcome.gave_up->figures();
  return fmt::format("gave-up {} {} {} {} {} {}\n{}\n", figures.flops_done, figures.needed_flops, figures.budget_flops,
                     figures.needed_bytes, figures.budget_bytes, figures.num_delayed_pivots, outcome.gave_up->what());
}

// Also reads infinity.
template <class T>
bool read_number(std::istream& words, T& number) {
  std::string word;
  return words >> word && std::from_chars(word.data(), word.data() + word.size(), number).ptr == word.data() + word.size();
}

std::optional<AttemptOutcome> parsed_outcome(const std::string& text, Index order) {
  std::istringstream lines(text);
  std::string word;
  lines >> word;
  if (Index variable = 0; word == "indefinite" && lines >> variable && variable >= 0 && variable < order) {
    return AttemptOutcome{.indefinite_at = variable};
  }
  BudgetError::Figures figures;
  if (word == "gave-up" && read_number(lines, figures.flops_done) && read_number(lines, figures.needed_flops) &&
      read_number(lines, figures.budget_flops) && read_number(lines, figures.needed_bytes) &&
      read_number(lines, figures.budget_bytes) && read_number(lines, figures.num_delayed_pivots)) {
    lines.ignore();
    std::string what;
    std::getline(lines, what);
    return AttemptOutcome{.gave_up = BudgetError(what, figures)};
  }
  return std::nullopt;
}

}  // namespace

CheckpointDirectory::CheckpointDirectory(std::string path) : path_(std::move(path)) { lock(); }

CheckpointDirectory::~CheckpointDirectory() { close(lock_); }

void CheckpointDirectory::lock() {
  lock_ = open_lock(path_, O_RDWR | O_CREAT);
  if (lock_ < 0) {
    throw OutputError(fmt::format("{}/in-use: cannot be created: {}", path_, std::strerror(errno)));
  }
  if (!take_lock(lock_)) {
    close(lock_);
    throw UsageError(fmt::format("{}: is in use by {}: wait for its end, or end it", path_, read_text(path_ + "/in-use")));
  }
  const std::string who = fmt::format("process {} on {}", getpid(), host_name());
  const bool is_written = ftruncate(lock_, 0) == 0 && pwrite(lock_, who.data(), who.size(), 0) == static_cast<ssize_t>(who.size());
  std::error_code error;
  fs::remove(path_ + "/request", error);
  fs::remove(path_ + "/leave", error);
  for (const fs::path& found : paths_in(path_, error)) {
    if (found.filename().string().starts_with("move-")) {  // left by a run that did not finish
      fs::remove(found, error);
    }
  }
  if (!is_written) {
    close(lock_);
    throw OutputError(fmt::format("{}/in-use: cannot be written: {}", path_, std::strerror(errno)));
  }
}

std::shared_ptr<CheckpointDirectory> CheckpointDirectory::begin(const std::string& path, const SavedSystem& system,
                                                                SavedSymbolic symbolic) {
  make_checkpoint_directory(path);
  std::shared_ptr<CheckpointDirectory> directory(new CheckpointDirectory(path));
  directory->write_system(system, std::move(symbolic));
  return directory;
}

std::shared_ptr<CheckpointDirectory> CheckpointDirectory::open(const std::string& path) {
  if (std::error_code error; !fs::exists(path + "/system", error)) {
    make_checkpoint_directory(path);
  }
  std::shared_ptr<CheckpointDirectory> directory(new CheckpointDirectory(path));
  directory->find_unended();
  return directory;
}

bool CheckpointDirectory::is_begun() const {
  std::error_code error;
  return fs::exists(system_file(), error);
}

void CheckpointDirectory::write_system(const SavedSystem& system, SavedSymbolic symbolic) const {
  write_atomically(system_file(), [&](const std::string& name) {
    SavedFileWriter file(name, system_file());
    frond::write_system(file, system, std::move(symbolic));
    file.finish();
  });
  sync_directory(path_);
}

void CheckpointDirectory::find_unended() {
  std::error_code error;
  for (const fs::path& found : paths_in(path_, error)) {
    const std::string folder = found.string();
    if (fs::exists(folder + "/about", error) && !fs::exists(folder + "/outcome", error)) {
      unended_.push_back(folder);
    }
  }
  std::sort(unended_.begin(), unended_.end());
}

std::string CheckpointDirectory::folder(std::uint64_t key, const std::string& about, Index num_fronts) {
  std::string folder = fmt::format("{}/{:016x}", path_, key);
  std::erase(unended_, folder);
  std::error_code error;
  if (fs::create_directory(folder, error)) {
    if (!unended_.empty()) {
      left_behind_ = read_about(unended_.front());
    }
    write_text(folder + "/about", fmt::format("{}\n{} fronts\n", about, num_fronts));
    sync_directory(path_);
  }
  if (error) {
    throw OutputError(fmt::format("{}: cannot be created: {}", folder, error.message()));
  }
  return folder;
}

void make_checkpoint_directory(const std::string& path) {
  require_new(path);
  std::error_code error;
  fs::create_directories(path, error);
  if (error) {
    throw OutputError(fmt::format("{}: cannot be created: {}", path, error.message()));
  }
}

std::string read_about(const std::string& folder) {
  std::string about = read_text(folder + "/about");
  about.resize(std::min(about.size(), about.find('\n')));
  const auto is_plain = [](unsigned char character) { return std::isprint(character) != 0; };
  return std::all_of(about.begin(), about.end(), is_plain) ? about : "?";
}

Index read_num_fronts(const std::string& folder) {
  std::istringstream lines(read_text(folder + "/about"));
  std::string about;
  Index num_fronts = 0;
  return std::getline(lines, about) && lines >> num_fronts ? num_fronts : 0;
}

std::optional<AttemptOutcome> read_outcome(const std::string& folder, Index order) {
  return parsed_outcome(read_text(folder + "/outcome"), order);
}

void set_outcome(const std::string& folder, const AttemptOutcome& outcome) {
  write_text(folder + "/outcome", outcome_text(outcome));
  std::error_code error;
  for (const fs::path& found : paths_in(folder, error)) {
    if (found.filename() != "outcome" && found.filename() != "about") {
      fs::remove(found, error);
    }
  }
}

bool CheckpointDirectory::take_request() const {
  const std::string request = path_ + "/request";
  std::error_code error;
  if (!fs::exists(request, error) || read_text(request) != "list") {
    return false;
  }
  fs::remove(request, error);
  return true;
}

bool is_in_use(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path + "/system", error) && !fs::exists(path + "/in-use", error)) {
    throw InputError(path, 0, "holds no checkpoint: name the directory that was given to --checkpoint");
  }
  const int lock = open_lock(path, O_RDONLY);
  const bool is_locked = lock >= 0 && is_locked_by_another(lock);
  if (lock >= 0) {
    close(lock);
  }
  return is_locked;
}

namespace {

void require_in_use(const std::string& path) {
  if (!is_in_use(path)) {
    throw UsageError(
        fmt::format("{}: no process is at work with this checkpoint on this machine; go on from it with --resume {}", path, path));
  }
}

}  // namespace

void ask_for_list(const std::string& path, bool stop) {
  require_in_use(path);
  write_text(path + "/request", stop ? "stop" : "list");
}

void ask_to_leave(const std::string& path, Rank rank, bool through_files) {
  require_in_use(path);
  std::ofstream file(path + "/leave", std::ios::app);
  file << rank << (through_files ? " files" : "") << '\n' << std::flush;
  if (!file) {
    throw OutputError(fmt::format("{}/leave: cannot be written", path));
  }
}

// An incomplete line is read the next time.
std::vector<Rank> read_leavers(const std::string& path, std::string& folder) {
  std::ifstream file(path + "/leave");
  std::vector<Rank> ranks;
  for (std::string line; std::getline(file, line) && !file.eof();) {
    std::istringstream words(line);
    std::string how;
    if (Rank rank = 0; words >> rank) {
      ranks.push_back(rank);
    }
    if (words >> how && how == "files") {
      folder = path;
    }
  }
  return ranks;
}

bool is_stop_requested(const std::string& path) {
  std::error_code error;
  return fs::exists(path + "/request", error) && read_text(path + "/request") == "stop";
}

}  // namespace frond
