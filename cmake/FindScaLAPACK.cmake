# SPDX-License-Identifier: BSD-3-Clause
# Finds the ScaLAPACKs that are built for the components mpich (ScaLAPACK::MPICH) and openmpi (ScaLAPACK::OpenMPI). Debian installs its
# builds side by side, one for each MPI, and a program must not mix them; libscalapack.so would be the one for OpenMPI.
include(FindPackageHandleStandardArgs)

set(libraries "")
foreach(mpi IN ITEMS MPICH OpenMPI)
  string(TOLOWER ${mpi} component)
  if(NOT component IN_LIST ScaLAPACK_FIND_COMPONENTS)
    continue()
  endif()
  find_library(ScaLAPACK_${mpi}_LIBRARY scalapack-${component})
  mark_as_advanced(ScaLAPACK_${mpi}_LIBRARY)
  list(APPEND libraries ScaLAPACK_${mpi}_LIBRARY)
  if(ScaLAPACK_${mpi}_LIBRARY)
    set(ScaLAPACK_${component}_FOUND TRUE)
    if(NOT TARGET ScaLAPACK::${mpi})
      add_library(ScaLAPACK::${mpi} UNKNOWN IMPORTED)
      set_target_properties(ScaLAPACK::${mpi} PROPERTIES IMPORTED_LOCATION ${ScaLAPACK_${mpi}_LIBRARY})
    endif()
  endif()
endforeach()
find_package_handle_standard_args(ScaLAPACK
  REQUIRED_VARS ${libraries} HANDLE_COMPONENTS
  REASON_FAILURE_MESSAGE "on Debian: apt install libscalapack-mpich-dev, for OpenMPI libscalapack-openmpi-dev, or do without MPI: -DFROND_MPI=OFF")
