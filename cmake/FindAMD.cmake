# SPDX-License-Identifier: BSD-3-Clause
# Finds AMD of SuiteSparse, whose Debian package has no CMake files, as AMD::AMD.
include(FindPackageHandleStandardArgs)

find_path(AMD_INCLUDE_DIR amd.h PATH_SUFFIXES suitesparse)
find_library(AMD_LIBRARY amd)
mark_as_advanced(AMD_INCLUDE_DIR AMD_LIBRARY)
find_package_handle_standard_args(AMD
  REQUIRED_VARS AMD_LIBRARY AMD_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "on Debian: apt install libsuitesparse-dev")

if(AMD_FOUND AND NOT TARGET AMD::AMD)
  add_library(AMD::AMD UNKNOWN IMPORTED)
  set_target_properties(AMD::AMD PROPERTIES
    IMPORTED_LOCATION ${AMD_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${AMD_INCLUDE_DIR})
endif()
