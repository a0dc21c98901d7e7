// SPDX-License-Identifier: BSD-3-Clause
// Everything a program includes that solves in several processes of MPI; it starts and ends MPI itself.
#pragma once

#include <frond/frond.hpp>

#include "loadinfo/mpi/communicator_handle.hpp"
#include "loadinfo/mpi/mpi_environment.hpp"
#include "loadinfo/mpi/mpi_rank_watch.hpp"
#include "solver/mpi/distributed_factorization.hpp"
#include "solver/mpi/distributed_once.hpp"
