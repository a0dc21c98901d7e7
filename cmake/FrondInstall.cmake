# SPDX-License-Identifier: BSD-3-Clause
# Installs libraries, headers and what find_package(frond) and `pkg-config frond` need.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/frond)

list(TRANSFORM FROND_ROOMS PREPEND frond_ OUTPUT_VARIABLE targets)
install(TARGETS ${targets} frond_library EXPORT frondTargets)
install(EXPORT frondTargets NAMESPACE frond:: DESTINATION ${package_dir})
install(DIRECTORY ${FROND_ROOMS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/frond
  FILES_MATCHING PATTERN "*.hpp" PATTERN "include" EXCLUDE PATTERN "loadinfo/mpi" EXCLUDE
  PATTERN "factorization/scalapack" EXCLUDE PATTERN "solver/mpi" EXCLUDE)
install(FILES solver/include/frond/frond.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/frond)

configure_package_config_file(cmake/frondConfig.cmake.in frondConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(frondConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/frondConfig.cmake ${PROJECT_BINARY_DIR}/frondConfigVersion.cmake
  cmake/FindAMD.cmake cmake/FindMETIS.cmake cmake/FindOpenBLAS.cmake
  DESTINATION ${package_dir})

# A static library must follow all that use it on the linker's command line: the rooms from right to left.
set(pc_libs ${targets})
list(REVERSE pc_libs)
list(TRANSFORM pc_libs PREPEND -l)
list(JOIN pc_libs " " pc_libs)
cmake_path(SET pc_dir NORMALIZE ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_to_prefix /${pc_dir} /)
configure_file(cmake/frond.pc.in frond.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/frond.pc DESTINATION ${pc_dir})
