# SPDX-License-Identifier: BSD-3-Clause
# The rooms, each a static library frond_<room> (frond::<room> outside), and the library frond::frond made of all of them.
# What communicates over MPI is three more, of which frond::mpi is made, and with two more frond::survive.
# A room includes only headers of the rooms before it; tools/scripts/check_layering.py sees to it.
set(FROND_ROOMS matrices analysis loadinfo factorization solver)
set(FROND_MPI_TARGETS frond_mpi frond_scalapack frond_mpi_solver frond_c_mpi)
set(FROND_SURVIVE_TARGETS frond_mesh frond_survive)
# What the parts of each MPI are called: frond_mpi with MPICH, frond_mpi_openmpi with OpenMPI.
set(FROND_MPIS MPICH)
if(FROND_OPENMPI)
  list(APPEND FROND_MPIS OpenMPI)
endif()
set(FROND_SUFFIX_OF_MPICH "")
set(FROND_SUFFIX_OF_OpenMPI _openmpi)

# frond_precompile(<target> [<owner>]): what nearly all sources of a target include is parsed once, for the owner, and serves all that
# are compiled with the same options: a quarter of the time that compiling takes. Without it, as where all is tested, a source that
# lacks an include does not compile.
function(frond_precompile target)
  if(NOT FROND_PRECOMPILE)
    return()
  endif()
  target_link_libraries(${target} PRIVATE fmt::fmt)
  if(ARGC GREATER 1 AND NOT ARGV1 STREQUAL target)
    target_precompile_headers(${target} REUSE_FROM ${ARGV1})
  else()
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <atomic> <cmath> <complex> <cstddef> <cstdint> <cstdio> <fmt/core.h> <functional> <limits> <map> <memory>
      <mutex> <new> <numeric> <optional> <set> <span> <string> <string_view> <type_traits> <utility> <vector>)
  endif()
endfunction()

# What is the same for every room: sources include by room path ("matrices/types.hpp"), in the build and when installed.
function(frond_configure_room room)
  set(target frond_${room})
  add_library(frond::${room} ALIAS ${target})
  target_compile_features(${target} PUBLIC cxx_std_20)
  frond_precompile(${target} frond_matrices)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/${room}/include>)
endfunction()

# frond_add_mpi_part(<name> ROOM <target> SOURCES <file>... [PARTS <name>...] [SHOWS_MPI] [INCLUDE <folder>] [LIBRARIES <target>...])
# adds a library for each MPI, on top of a room and of other parts; with SHOWS_MPI its headers include MPI's. GRID: it calls ScaLAPACK.
function(frond_add_mpi_part name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SHOWS_MPI;GRID" "ROOM;INCLUDE" "SOURCES;PARTS;LIBRARIES")
  foreach(mpi IN LISTS FROND_MPIS)
    set(suffix ${FROND_SUFFIX_OF_${mpi}})
    set(target ${name}${suffix})
    add_library(${target} STATIC ${arg_SOURCES})
    list(TRANSFORM arg_PARTS APPEND "${suffix}" OUTPUT_VARIABLE parts)
    target_link_libraries(${target} PUBLIC ${arg_ROOM} ${parts} PRIVATE fmt::fmt ${mpi}::${mpi} ${arg_LIBRARIES})
    if(arg_SHOWS_MPI)
      target_link_libraries(${target} PUBLIC ${mpi}::${mpi})
    endif()
    if(arg_GRID)
      target_link_libraries(${target} PRIVATE ScaLAPACK::${mpi})
    endif()
    if(arg_INCLUDE)
      target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${arg_INCLUDE}>)
    endif()
    frond_precompile(${target} frond_matrices)
  endforeach()
endfunction()

# The one target an embedding program links.
function(frond_add_library)
  list(TRANSFORM FROND_ROOMS PREPEND frond_ OUTPUT_VARIABLE targets)
  add_library(frond_library INTERFACE)
  add_library(frond::frond ALIAS frond_library)
  target_link_libraries(frond_library INTERFACE ${targets})
endfunction()

# What is installed: the objects of some targets in one library, shared (frond::<name>) and static (frond::<static_name>).
function(frond_add_installed_library output name static_name)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "TARGETS;LIBRARIES")
  list(TRANSFORM arg_TARGETS REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
  add_library(${output}_shared SHARED ${objects})
  add_library(${output}_static STATIC ${objects})
  set_target_properties(${output}_shared PROPERTIES EXPORT_NAME ${name}
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  set_target_properties(${output}_static PROPERTIES EXPORT_NAME ${static_name})
  target_link_options(${output}_shared PRIVATE LINKER:--no-undefined,--version-script=${PROJECT_BINARY_DIR}/exported.map)
  set_target_properties(${output}_shared PROPERTIES LINK_DEPENDS ${PROJECT_BINARY_DIR}/exported.map)
  foreach(target ${output}_shared ${output}_static)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${output} LINKER_LANGUAGE CXX)
    target_compile_features(${target} INTERFACE cxx_std_20)
    target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:include>)
    target_link_libraries(${target} PRIVATE
      fmt::fmt LibArchive::LibArchive METIS::METIS AMD::AMD OpenBLAS::OpenBLAS TBB::tbb Threads::Threads ZLIB::ZLIB ${arg_LIBRARIES})
  endforeach()
endfunction()

# Each holds all of Frond: a program links one of them.
function(frond_add_installed_libraries)
  configure_file(cmake/exported.map.in exported.map @ONLY)
  list(TRANSFORM FROND_ROOMS PREPEND frond_ OUTPUT_VARIABLE rooms)
  list(APPEND rooms frond_c)
  frond_add_installed_library(frond frond static TARGETS ${rooms})
  if(FROND_MPI)
    frond_add_installed_library(frond_mpi mpi mpi_static TARGETS ${rooms} ${FROND_MPI_TARGETS}
      LIBRARIES ScaLAPACK::MPICH)
    frond_add_installed_library(frond_survive survive survive_static
      TARGETS ${rooms} ${FROND_MPI_TARGETS} ${FROND_SURVIVE_TARGETS} LIBRARIES ScaLAPACK::MPICH ZeroMQ::ZeroMQ)
    foreach(target frond_mpi_shared frond_mpi_static frond_survive_shared frond_survive_static)
      target_link_libraries(${target} PUBLIC MPICH::MPICH)
    endforeach()
  endif()
  if(FROND_OPENMPI)
    list(TRANSFORM FROND_MPI_TARGETS APPEND _openmpi OUTPUT_VARIABLE parts)
    frond_add_installed_library(frond_openmpi openmpi openmpi_static TARGETS ${rooms} ${parts} LIBRARIES ScaLAPACK::OpenMPI)
    foreach(target frond_openmpi_shared frond_openmpi_static)
      target_link_libraries(${target} PUBLIC OpenMPI::OpenMPI)
    endforeach()
  endif()
endfunction()

# The one target that a program links to solve in several processes. Its headers show MPI's own.
function(frond_add_mpi_library)
  add_library(frond_mpi_library INTERFACE)
  add_library(frond::mpi ALIAS frond_mpi_library)
  target_link_libraries(frond_mpi_library INTERFACE frond_library frond_mpi_solver MPICH::MPICH)
  add_library(frond::survive ALIAS frond_survive)
endfunction()
