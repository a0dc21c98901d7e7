# SPDX-License-Identifier: BSD-3-Clause
# Finds the ScaLAPACK that is built for MPICH as ScaLAPACK::ScaLAPACK. Debian installs its builds side by side, one for each MPI, and a
# program must not mix them; libscalapack.so would be the one for OpenMPI.
include(FindPackageHandleStandardArgs)

find_library(ScaLAPACK_LIBRARY scalapack-mpich)
mark_as_advanced(ScaLAPACK_LIBRARY)
find_package_handle_standard_args(ScaLAPACK
  REQUIRED_VARS ScaLAPACK_LIBRARY
  REASON_FAILURE_MESSAGE "on Debian: apt install libscalapack-mpich-dev, or do without MPI: -DFROND_MPI=OFF")

if(ScaLAPACK_FOUND AND NOT TARGET ScaLAPACK::ScaLAPACK)
  add_library(ScaLAPACK::ScaLAPACK UNKNOWN IMPORTED)
  set_target_properties(ScaLAPACK::ScaLAPACK PROPERTIES IMPORTED_LOCATION ${ScaLAPACK_LIBRARY})
endif()
