# SPDX-License-Identifier: BSD-3-Clause
# Finds OpenBLAS as OpenBLAS::OpenBLAS. Debian installs its builds side by side; only the pthread build may be called from several
# threads at once, so it is preferred here, and Frond checks at run time which one the dynamic linker loaded.
include(FindPackageHandleStandardArgs)

find_path(OpenBLAS_INCLUDE_DIR openblas_config.h PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread openblas)
find_library(OpenBLAS_LIBRARY openblas PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread openblas-pthread)
mark_as_advanced(OpenBLAS_INCLUDE_DIR OpenBLAS_LIBRARY)
find_package_handle_standard_args(OpenBLAS
  REQUIRED_VARS OpenBLAS_LIBRARY OpenBLAS_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "on Debian: apt install libopenblas-pthread-dev")

if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES
    IMPORTED_LOCATION ${OpenBLAS_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${OpenBLAS_INCLUDE_DIR})
endif()
