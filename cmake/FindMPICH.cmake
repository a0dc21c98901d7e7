# SPDX-License-Identifier: BSD-3-Clause
# Finds MPICH as MPICH::MPICH, and its launcher as MPICH_MPIEXEC. CMake's own FindMPI takes the MPI that the system prefers, which on Debian
# becomes OpenMPI as soon as anything brings that along; programs must be compiled, linked and launched by one and the same.
include(FindPackageHandleStandardArgs)

find_path(MPICH_INCLUDE_DIR mpi.h PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE}/mpich mpich)
find_library(MPICH_LIBRARY mpich)
find_program(MPICH_MPIEXEC mpiexec.mpich)
mark_as_advanced(MPICH_INCLUDE_DIR MPICH_LIBRARY MPICH_MPIEXEC)

if(MPICH_INCLUDE_DIR)
  file(STRINGS ${MPICH_INCLUDE_DIR}/mpi.h version_line REGEX "^#define MPICH_VERSION ")
  string(REGEX MATCH "[0-9.]+" MPICH_VERSION "${version_line}")  # empty if the header is that of another MPI
endif()
find_package_handle_standard_args(MPICH
  REQUIRED_VARS MPICH_LIBRARY MPICH_INCLUDE_DIR MPICH_MPIEXEC MPICH_VERSION
  VERSION_VAR MPICH_VERSION
  REASON_FAILURE_MESSAGE "on Debian: apt install libmpich-dev mpich, or do without: -DFROND_MPI=OFF")

if(MPICH_FOUND AND NOT TARGET MPICH::MPICH)
  add_library(MPICH::MPICH UNKNOWN IMPORTED)
  set_target_properties(MPICH::MPICH PROPERTIES
    IMPORTED_LOCATION ${MPICH_LIBRARY}
    INTERFACE_COMPILE_DEFINITIONS MPICH_SKIP_MPICXX
    INTERFACE_INCLUDE_DIRECTORIES ${MPICH_INCLUDE_DIR})
endif()
