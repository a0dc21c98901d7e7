// SPDX-License-Identifier: BSD-3-Clause
// The two versions differ only in the names of files; a machine may use either, or version 1 for memory next to version 2 for other
// things.
#include "factorization/machine/control_groups.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "factorization/machine/system_file.hpp"

namespace frond {
namespace {

using std::filesystem::path;

// Version 1 writes the largest number of bytes in whole pages where there is no limit; no value near it is a limit.
constexpr Count kUnlimited = Count{1} << 60;

struct Version {
  const char* mount_type;
  const char* usage;
  const char* inactive;  // entry of memory.stat: file pages of the group and those below it
  std::span<const char* const> limits;
};

constexpr const char* kLimits1[] = {"memory.limit_in_bytes"};
constexpr const char* kLimits2[] = {"memory.max", "memory.high"};  // beyond the latter a group is slowed down until it hardly moves

constexpr Version kVersions[] = {{"cgroup", "memory.usage_in_bytes", "total_inactive_file", kLimits1},
                                 {"cgroup2", "memory.current", "inactive_file", kLimits2}};

// The folder in which the groups below `top` are visible.
struct Mount {
  std::string top;
  std::string folder;
};

bool has_memory(const std::string& controllers) {
  std::istringstream list(controllers);
  for (std::string name; std::getline(list, name, ',');) {
    if (name == "memory") {
      return true;
    }
  }
  return false;
}

// Spaces, tabs, line ends and backslashes stand as \ooo in mountinfo.
std::string unescaped(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 3 < text.size()) {
      result += static_cast<char>((text[at + 1] - '0') * 64 + (text[at + 2] - '0') * 8 + (text[at + 3] - '0'));
      at += 3;
    } else {
      result += text[at];
    }
  }
  return result;
}

// A line of mountinfo: number, parent, device, top, folder, options ... - type, source, options of the hierarchy.
std::optional<Mount> parse_mount(const std::string& line, const Version& version) {
  std::istringstream words(line);
  std::string skipped;
  Mount mount;
  words >> skipped >> skipped >> skipped >> mount.top >> mount.folder;
  while (words >> skipped && skipped != "-") {
  }
  std::string type;
  std::string options;
  words >> type >> skipped >> options;
  const bool is_wanted = words && type == version.mount_type && (type == "cgroup2" || has_memory(options));
  return is_wanted ? std::optional(Mount{unescaped(mount.top), unescaped(mount.folder)}) : std::nullopt;
}

std::vector<Mount> mounts_of(const path& root, const Version& version) {
  std::ifstream file(root / "proc/self/mountinfo");
  std::vector<Mount> mounts;
  for (std::string line; std::getline(file, line);) {
    if (line.find(" - cgroup") == std::string::npos) {  // nearly all lines: parsing them takes longer than all else here
      continue;
    }
    if (std::optional<Mount> mount = parse_mount(line, version)) {
      mounts.push_back(std::move(*mount));
    }
  }
  return mounts;
}

// Returns the name of this process's group. A line of proc/self/cgroup: number, controllers, name; of version 2 there are no
// controllers.
std::optional<std::string> own_group(const path& root, const Version& version) {
  std::ifstream file(root / "proc/self/cgroup");
  const bool is_second = std::string_view(version.mount_type) == "cgroup2";
  std::string number;
  std::string controllers;
  for (std::string name; std::getline(file, number, ':') && std::getline(file, controllers, ':') && std::getline(file, name);) {
    if (is_second ? number == "0" && controllers.empty() : has_memory(controllers)) {
      return name;
    }
  }
  return std::nullopt;
}

// Names are those of the namespace of this process: "/" is its top, and kUp leads above it.
constexpr std::string_view kUp = "/..";

// Returns the path from `top` down to the group: "" for itself, "/a/b"; nothing if the group does not lie below.
std::optional<std::string> way_down(const std::string& top, const std::string& group) {
  const std::string base = top == "/" ? "" : top;
  const std::string whole = group == "/" ? "" : group;
  if (!whole.starts_with(base)) {
    return std::nullopt;
  }
  const std::string way = whole.substr(base.size());
  const bool is_below = way.empty() || (way.front() == '/' && !way.starts_with(kUp));
  return is_below ? std::optional(way) : std::nullopt;
}

// True if `top` is further up than the group, which has no name there.
bool is_hidden_ancestor(std::string_view top, std::string_view group) {
  while (top.starts_with(kUp) && group.starts_with(kUp)) {
    top.remove_prefix(kUp.size());
    group.remove_prefix(kUp.size());
  }
  const bool is_above = top.starts_with(kUp);
  while (top.starts_with(kUp)) {
    top.remove_prefix(kUp.size());
  }
  return is_above && top.empty();
}

// The mount through which the group or an ancestor is visible, and the path to it.
struct Place {
  Mount mount;
  std::string way;
};

std::optional<Place> place_of(const std::vector<Mount>& mounts, const std::string& group) {
  for (const Mount& mount : mounts) {
    if (const std::optional<std::string> way = way_down(mount.top, group)) {
      return Place{mount, *way};
    }
  }
  const auto hidden =
      std::find_if(mounts.begin(), mounts.end(), [&](const Mount& mount) { return is_hidden_ancestor(mount.top, group); });
  return hidden == mounts.end() ? std::nullopt : std::optional(Place{*hidden, ""});
}

// Returns an identity that is the same under any name and through any mount of the group.
std::string identity(const path& folder) {
  struct stat facts {};
  return stat(folder.c_str(), &facts) == 0 ? std::to_string(facts.st_dev) + ':' + std::to_string(facts.st_ino) : "group";
}

Count used_bytes(const path& folder, const Version& version) {
  const Count inactive = read_entry(folder / "memory.stat", version.inactive).value_or(0);
  return std::max<Count>(0, read_number(folder / version.usage).value_or(0) - inactive);
}

void add_group(const path& folder, const std::string& name, const Version& version, std::vector<MemoryBound>& bounds) {
  Count lowest = kUnlimited;
  const char* setting = nullptr;
  for (const char* file : version.limits) {
    if (const Count limit = read_number(folder / file).value_or(kUnlimited); limit < lowest) {
      lowest = limit;
      setting = file;
    }
  }
  if (setting != nullptr) {
    bounds.push_back({std::max<Count>(0, lowest - used_bytes(folder, version)), "the control group " + name, setting,
                      identity(folder), MemoryKind::resident});
  }
}

// Returns the name of a group below the top of a mount.
std::string name_of(const std::string& top, const std::string& way) {
  const std::string name = (top == "/" ? "" : top) + way;
  return name.empty() ? "/" : name;
}

}  // namespace

std::vector<MemoryBound> control_group_bounds(const path& root) {
  std::vector<MemoryBound> bounds;
  for (const Version& version : kVersions) {
    const std::optional<std::string> group = own_group(root, version);
    const std::optional<Place> place = group ? place_of(mounts_of(root, version), *group) : std::nullopt;
    if (!place) {
      continue;
    }
    const path top = root / path(place->mount.folder).relative_path();
    for (std::string way = place->way;; way.erase(way.rfind('/'))) {
      add_group(top / path(way).relative_path(), name_of(place->mount.top, way), version, bounds);
      if (way.empty()) {
        break;
      }
    }
  }
  return bounds;
}

}  // namespace frond
