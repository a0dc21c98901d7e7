# SPDX-License-Identifier: BSD-3-Clause
# The rooms, each a static library frond_<room> (frond::<room> outside), and the library frond::frond made of all of them.
# What communicates over MPI is three more, of which frond::mpi is made.
# A room includes only headers of rooms to its left; tools/scripts/check_layering.sh sees to it.
set(FROND_ROOMS matrices analysis loadinfo factorization solver)
set(FROND_MPI_TARGETS frond_mpi frond_scalapack frond_mpi_solver)

# What is the same for every room: sources include by room path ("matrices/types.hpp"), in the build and when installed.
function(frond_configure_room room)
  set(target frond_${room})
  add_library(frond::${room} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${room})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/frond> $<INSTALL_INTERFACE:include>)
endfunction()

# The one target an embedding program links.
function(frond_add_library)
  list(TRANSFORM FROND_ROOMS PREPEND frond_ OUTPUT_VARIABLE targets)
  add_library(frond_library INTERFACE)
  add_library(frond::frond ALIAS frond_library)
  set_target_properties(frond_library PROPERTIES EXPORT_NAME frond)
  target_link_libraries(frond_library INTERFACE ${targets})
  target_include_directories(frond_library INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/solver/include>)
endfunction()

# The one target that a program links to solve in several processes. Its headers show MPI's own.
function(frond_add_mpi_library)
  set_target_properties(frond_mpi PROPERTIES EXPORT_NAME loadinfo_mpi)
  set_target_properties(frond_scalapack PROPERTIES EXPORT_NAME factorization_scalapack)
  set_target_properties(frond_mpi_solver PROPERTIES EXPORT_NAME solver_mpi)
  add_library(frond_mpi_library INTERFACE)
  add_library(frond::mpi ALIAS frond_mpi_library)
  set_target_properties(frond_mpi_library PROPERTIES EXPORT_NAME mpi)
  target_link_libraries(frond_mpi_library INTERFACE frond_library frond_mpi_solver MPICH::MPICH)
  target_include_directories(frond_mpi_library INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/solver/mpi/include>)
endfunction()
