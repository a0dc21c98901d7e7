# SPDX-License-Identifier: BSD-3-Clause
# The libraries that Frond is built on (docs/dependencies.md says why). cmake/frondConfig.cmake.in looks for the
# same ones again when an installed Frond is used.
find_package(AMD REQUIRED)
find_package(fmt REQUIRED)
find_package(LibArchive REQUIRED)
find_package(METIS REQUIRED)
if(FROND_MPI)
  find_package(MPICH REQUIRED)
  find_package(ZeroMQ REQUIRED)
  find_package(ScaLAPACK REQUIRED)
endif()
find_package(OpenBLAS REQUIRED MODULE)
find_package(TBB REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
