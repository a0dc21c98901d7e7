// SPDX-License-Identifier: BSD-3-Clause
// Finds the builds of OpenBLAS next to the one that this program has loaded.
#include "tools/program/bench/thread_setting.hpp"

#include <link.h>

#include <filesystem>
#include <string_view>
#include <system_error>

namespace frond {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBuildPrefix = "openblas-";

// Keeps the path of the loaded OpenBLAS in `found`, and ends the search there.
int keep_openblas(dl_phdr_info* library, std::size_t, void* found) {
  const std::string_view name = library->dlpi_name;
  if (name.find("/libopenblas") == std::string_view::npos) {
    return 0;
  }
  *static_cast<fs::path*>(found) = name;
  return 1;
}

// Debian has a folder for each build, such as openblas-pthread; a library elsewhere has no builds next to it. The serial build is
// left out: it is not faster than the others with threads.
std::vector<std::string> other_builds() {
  fs::path library;
  dl_iterate_phdr(keep_openblas, &library);
  std::error_code unknown;
  const fs::path own = fs::canonical(library, unknown).parent_path();
  std::vector<std::string> folders;
  for (const char* build : {"pthread", "openmp"}) {
    const fs::path folder = own.parent_path() / (std::string(kBuildPrefix) + build);
    if (own.filename().string().starts_with(kBuildPrefix) && folder != own && fs::exists(folder / "libopenblas.so.0", unknown)) {
      folders.push_back(folder.string());
    }
  }
  return folders;
}

}  // namespace

std::string ThreadSetting::label() const {
  const std::string build = fs::path(blas_folder).filename().string();
  return (build.empty() ? "" : ", " + build.substr(kBuildPrefix.size()) + " BLAS") + (waits_actively ? ", spinning" : "");
}

std::vector<ThreadSetting> thread_settings(int num_threads) {
  std::vector<ThreadSetting> settings = {{}};
  if (num_threads > 1) {
    settings.push_back({"", true});
    for (const std::string& folder : other_builds()) {
      settings.push_back({folder, false});
      settings.push_back({folder, true});
    }
  }
  return settings;
}

}  // namespace frond
