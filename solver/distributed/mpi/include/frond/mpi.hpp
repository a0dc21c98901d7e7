// SPDX-License-Identifier: BSD-3-Clause
// The only header a program needs to solve on several MPI processes; the program starts and ends MPI itself.
//
//   frond::Factorization<double> factorization(entries, {}, frond::on(MPI_COMM_WORLD));     // triplets of any rank
//   const frond::SolveReport report = factorization.solve_rows({rows, b}, {rows, x});       // rows of any rank
//
// Programs link frond::mpi. MPI may have been started with any thread level: below MPI_THREAD_SERIALIZED there is no load thread.
#pragma once

#include <mpi.h>

#include <frond/frond.hpp>

namespace frond {

/// Collective: the processes of `program`, which solve together. Duplicates the communicator to keep messages apart. All copies of
/// the place, and what is made there, must be destroyed before MPI ends. Throws UsageError if MPI is not running.
[[nodiscard]] FROND_API Place on(MPI_Comm program);
/// The same in addition to `beside`, for other processes or the same ones. If MPI lets only one thread at a time call it, all
/// further places of a process must be made from the first one in this way.
[[nodiscard]] FROND_API Place on(MPI_Comm program, const Place& beside);

}  // namespace frond
