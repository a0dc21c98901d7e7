# SPDX-License-Identifier: BSD-3-Clause
# Finds Open MPI as OpenMPI::OpenMPI, and its launcher as OPENMPI_MPIEXEC, for peers that are built with it: on Debian it stands beside
# MPICH, under directories of its own.
find_path(OPENMPI_INCLUDE_DIR mpi.h PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE}/openmpi openmpi
  PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openmpi/include NO_DEFAULT_PATH)
find_library(OPENMPI_LIBRARY mpi PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openmpi/lib NO_DEFAULT_PATH)
find_program(OPENMPI_MPIEXEC mpiexec.openmpi)
mark_as_advanced(OPENMPI_INCLUDE_DIR OPENMPI_LIBRARY OPENMPI_MPIEXEC)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenMPI REQUIRED_VARS OPENMPI_LIBRARY OPENMPI_INCLUDE_DIR OPENMPI_MPIEXEC)
if(OpenMPI_FOUND AND NOT TARGET OpenMPI::OpenMPI)
  add_library(OpenMPI::OpenMPI UNKNOWN IMPORTED)
  set_target_properties(OpenMPI::OpenMPI PROPERTIES
    IMPORTED_LOCATION ${OPENMPI_LIBRARY}
    INTERFACE_COMPILE_DEFINITIONS OMPI_SKIP_MPICXX
    INTERFACE_INCLUDE_DIRECTORIES ${OPENMPI_INCLUDE_DIR})
endif()
