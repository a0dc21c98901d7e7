# SPDX-License-Identifier: BSD-3-Clause
# Installs libraries, headers and what find_package(frond) and pkg-config need.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/frond)
cmake_path(SET pc_dir NORMALIZE ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_to_prefix /${pc_dir} /)

# frond_install_library(<output> <package of pkg-config> <name of its targets' files>)
function(frond_install_library output package targets)
  foreach(kind Shared Static)
    string(TOLOWER ${kind} suffix)
    install(TARGETS ${output}_${suffix} EXPORT ${targets}${kind}Targets)
    install(EXPORT ${targets}${kind}Targets NAMESPACE frond:: DESTINATION ${package_dir})
  endforeach()
  foreach(pc ${package} ${package}-static)
    configure_file(cmake/${pc}.pc.in ${pc}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${pc}.pc DESTINATION ${pc_dir})
  endforeach()
endfunction()

frond_install_library(frond frond frond)
foreach(room IN LISTS FROND_ROOMS)
  if(EXISTS ${PROJECT_SOURCE_DIR}/${room}/include)
    install(DIRECTORY ${room}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  endif()
endforeach()

install(FILES interfaces/c/include/frond.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# frond.f90, and what it includes.
include(FrondFortran)
install(DIRECTORY ${made_fortran}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.inc")
install(DIRECTORY interfaces/fortran/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.f90" PATTERN "*.inc")

if(FROND_MPI)
  frond_install_library(frond_mpi frond-mpi frondMpi)
  install(FILES interfaces/c/mpi/include/frond_mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(DIRECTORY solver/distributed/mpi/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  frond_install_library(frond_survive frond-survive frondSurvive)
  install(DIRECTORY solver/distributed/survive/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(FILES cmake/FindMPICH.cmake cmake/FindScaLAPACK.cmake cmake/FindZeroMQ.cmake DESTINATION ${package_dir})
endif()

if(FROND_OPENMPI)
  frond_install_library(frond_openmpi frond-openmpi frondOpenmpi)
  install(FILES cmake/FindOpenMPI.cmake DESTINATION ${package_dir})
endif()

# Manual pages, of what the program says of itself.
find_package(Python3 QUIET COMPONENTS Interpreter)
if(FROND_TOOLS AND Python3_FOUND)
  set(man_dir ${PROJECT_BINARY_DIR}/man)
  set(man_script ${PROJECT_SOURCE_DIR}/tools/scripts/make_man_pages.py)
  add_custom_command(OUTPUT ${man_dir}/frond.1
    COMMAND ${Python3_EXECUTABLE} ${man_script} $<TARGET_FILE:frond> ${man_dir}
    DEPENDS frond $<TARGET_NAME_IF_EXISTS:frond_simulator> ${man_script}
    COMMENT "Making manual pages" VERBATIM)
  add_custom_target(frond_man_pages ALL DEPENDS ${man_dir}/frond.1)
  install(DIRECTORY ${man_dir}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

configure_package_config_file(cmake/frondConfig.cmake.in frondConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(frondConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/frondConfig.cmake ${PROJECT_BINARY_DIR}/frondConfigVersion.cmake
  cmake/FindAMD.cmake cmake/FindMETIS.cmake cmake/FindOpenBLAS.cmake
  DESTINATION ${package_dir})
