# SPDX-License-Identifier: BSD-3-Clause
# Finds ZeroMQ as ZeroMQ::ZeroMQ.
include(FindPackageHandleStandardArgs)

find_path(ZeroMQ_INCLUDE_DIR zmq.h)
find_library(ZeroMQ_LIBRARY zmq)
mark_as_advanced(ZeroMQ_INCLUDE_DIR ZeroMQ_LIBRARY)
find_package_handle_standard_args(ZeroMQ
  REQUIRED_VARS ZeroMQ_LIBRARY ZeroMQ_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "on Debian: apt install libzmq3-dev, or do without several processes: -DFROND_MPI=OFF")

if(ZeroMQ_FOUND AND NOT TARGET ZeroMQ::ZeroMQ)
  add_library(ZeroMQ::ZeroMQ UNKNOWN IMPORTED)
  set_target_properties(ZeroMQ::ZeroMQ PROPERTIES
    IMPORTED_LOCATION ${ZeroMQ_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${ZeroMQ_INCLUDE_DIR})
endif()
