// SPDX-License-Identifier: BSD-3-Clause
// Reads what the child writes, until it ends.
#include "tests/interfaces/mumps/client.hpp"

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace frond::testing {
namespace {

[[noreturn]] void run_child(int to, const std::string& path, const char* name, const std::function<std::string(void*)>& work) {
  std::string result;
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* function = library == nullptr ? nullptr : dlsym(library, name);
  try {
    result = function == nullptr ? std::string("died: ") + dlerror() : work(function);
  } catch (const std::exception& error) {
    result = std::string("died: ") + error.what();
  }
  const bool is_written = write(to, result.data(), result.size()) == static_cast<ssize_t>(result.size());
  _exit(is_written ? 0 : 1);
}

}  // namespace

std::string with_library(const std::string& path, const char* name, const std::function<std::string(void*)>& work) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) {
    return "died: no pipe";
  }
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    constexpr unsigned kLongestSeconds = 60;
    alarm(kLongestSeconds);
    run_child(ends[1], path, name, work);
  }
  close(ends[1]);
  std::string result;
  std::array<char, 4096> buffer{};
  for (ssize_t size = 0; (size = read(ends[0], buffer.data(), buffer.size())) > 0;) {
    result.append(buffer.data(), static_cast<std::size_t>(size));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? result
                     : "died: " + (WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status)) : "by itself") + result;
}

}  // namespace frond::testing
