// SPDX-License-Identifier: BSD-3-Clause
// Counts the messages that a rank of frond sends while it factorizes, by interposing on MPI (LD_PRELOAD). As in
// allocation_counter.cpp, counting begins when frond resets the system's peak of memory; whenever frond reads /proc/self/status
// from then on, a line
//
//   COMMUNICATOR KIND COUNT BYTES
//
// for each communicator and each first byte of messages is written to $MESSAGE_COUNTS.RANK. Frond does so before the factorization
// and after it.
#include <dlfcn.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace {

struct Sent {
  long long messages = 0;
  long long bytes = 0;
};

std::mutex mutex;  // guards the following
std::map<std::pair<MPI_Comm, int>, Sent> sent_by_kind;
bool has_begun = false;

void begin() {
  const std::lock_guard lock(mutex);
  sent_by_kind.clear();
  has_begun = true;
}

void write_counts() {
  const std::lock_guard lock(mutex);
  const char* const path = std::getenv("MESSAGE_COUNTS");
  if (!has_begun || path == nullptr) {
    return;
  }
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::FILE* const file = std::fopen((std::string(path) + "." + std::to_string(rank)).c_str(), "w");
  for (const auto& [key, sent] : sent_by_kind) {
    std::fprintf(file, "%lld %d %lld %lld\n", static_cast<long long>(key.first), key.second, sent.messages, sent.bytes);
  }
  std::fclose(file);
}

}  // namespace

extern "C" {

int MPI_Isend(const void* bytes, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  {
    const std::lock_guard lock(mutex);
    Sent& sent = sent_by_kind[{comm, count == 0 ? -1 : *static_cast<const unsigned char*>(bytes)}];
    sent.messages += 1;
    sent.bytes += count;
  }
  return PMPI_Isend(bytes, count, type, to, tag, comm, request);
}

std::FILE* fopen64(const char* path, const char* mode) {
  static auto* const kNext = reinterpret_cast<decltype(&fopen64)>(dlsym(RTLD_NEXT, "fopen64"));
  if (path == std::string_view("/proc/self/clear_refs")) {
    begin();
  } else if (path == std::string_view("/proc/self/status")) {
    write_counts();
  }
  return kNext(path, mode);
}

}  // extern "C"
