# SPDX-License-Identifier: BSD-3-Clause
# Installs libraries, headers and what find_package(frond), `pkg-config frond` and `pkg-config frond-mpi` need.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/frond)
cmake_path(SET pc_dir NORMALIZE ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_to_prefix /${pc_dir} /)

# Writes <name>.pc for some static libraries. Each must follow all that use it on the linker's command line: from right to left.
function(frond_install_pkg_config name)
  set(pc_libs ${ARGN})
  list(REVERSE pc_libs)
  list(TRANSFORM pc_libs PREPEND -l)
  list(JOIN pc_libs " " pc_libs)
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${pc_dir})
endfunction()

list(TRANSFORM FROND_ROOMS PREPEND frond_ OUTPUT_VARIABLE targets)
install(TARGETS ${targets} frond_library EXPORT frondTargets)
install(EXPORT frondTargets NAMESPACE frond:: DESTINATION ${package_dir})
install(DIRECTORY ${FROND_ROOMS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/frond
  FILES_MATCHING PATTERN "*.hpp" PATTERN "include" EXCLUDE PATTERN "loadinfo/mpi" EXCLUDE
  PATTERN "factorization/scalapack" EXCLUDE PATTERN "solver/mpi" EXCLUDE)
install(FILES solver/include/frond/frond.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/frond)
frond_install_pkg_config(frond ${targets})

if(FROND_MPI)
  install(TARGETS ${FROND_MPI_TARGETS} frond_mpi_library EXPORT frondMpiTargets)
  install(EXPORT frondMpiTargets NAMESPACE frond:: DESTINATION ${package_dir})
  foreach(room loadinfo solver)
    install(DIRECTORY ${room}/mpi DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/frond/${room}
      FILES_MATCHING PATTERN "*.hpp" PATTERN "include" EXCLUDE)
  endforeach()
  install(FILES solver/mpi/include/frond/mpi.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/frond)
  install(FILES cmake/FindMPICH.cmake cmake/FindScaLAPACK.cmake DESTINATION ${package_dir})
  frond_install_pkg_config(frond-mpi ${FROND_MPI_TARGETS})
endif()

configure_package_config_file(cmake/frondConfig.cmake.in frondConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(frondConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/frondConfig.cmake ${PROJECT_BINARY_DIR}/frondConfigVersion.cmake
  cmake/FindAMD.cmake cmake/FindMETIS.cmake cmake/FindOpenBLAS.cmake
  DESTINATION ${package_dir})
