// SPDX-License-Identifier: BSD-3-Clause
// Two functions of MPI that clients of the sequential MUMPS find in its library. Where the program has an MPI, it is called.
#include <dlfcn.h>

#define FROND_EXPORT __attribute__((visibility("default")))

extern "C" {

FROND_EXPORT int MPI_Init(int* argc, char*** argv) {
  using Init = int (*)(int*, char***);
  const auto next = reinterpret_cast<Init>(dlsym(RTLD_NEXT, "MPI_Init"));
  return next == nullptr ? 0 : next(argc, argv);
}

FROND_EXPORT int MPI_Finalize() {
  using Finalize = int (*)();
  const auto next = reinterpret_cast<Finalize>(dlsym(RTLD_NEXT, "MPI_Finalize"));
  return next == nullptr ? 0 : next();
}
}
