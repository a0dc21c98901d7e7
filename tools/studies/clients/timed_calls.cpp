// SPDX-License-Identifier: BSD-3-Clause
// Measures the calls of MUMPS that a program makes, whatever library answers them: preloaded (LD_PRELOAD), it takes the calls,
// passes them on to the library that MUMPS_LIBRARY names, for the kind of numbers the letter @ stands for, and appends a line "JOB
// SECONDS" for each to the file MUMPS_CALLS.
#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr std::size_t kPlaceOfJob = 8;  // bytes before JOB in the structure of all versions

using Function = void (*)(void*);

Function find(char kind) {
  std::string library = std::getenv("MUMPS_LIBRARY");
  library[library.find('@')] = kind;
  void* loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* function = loaded == nullptr ? nullptr : dlsym(loaded, (std::string(1, kind) + "mumps_c").c_str());
  if (function == nullptr) {
    std::fprintf(stderr, "timed_calls: %s\n", dlerror());
    std::exit(1);
  }
  return reinterpret_cast<Function>(function);
}

void call(Function function, void* structure) {
  int job = 0;
  std::memcpy(&job, static_cast<const char*>(structure) + kPlaceOfJob, sizeof(job));
  const auto begin = std::chrono::steady_clock::now();
  function(structure);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::FILE* file = std::fopen(std::getenv("MUMPS_CALLS"), "a");
  std::fprintf(file, "%d %.9f\n", job, seconds.count());
  std::fclose(file);
}

}  // namespace

extern "C" {

void dmumps_c(void* structure) {
  static const Function kNext = find('d');
  call(kNext, structure);
}
void zmumps_c(void* structure) {
  static const Function kNext = find('z');
  call(kNext, structure);
}
}
