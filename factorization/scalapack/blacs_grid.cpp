// SPDX-License-Identifier: BSD-3-Clause
// Makes and releases contexts.
#include "factorization/scalapack/blacs_grid.hpp"

#include <utility>

#include "loadinfo/messages/mpi/mpi_communicator.hpp"

extern "C" {
int Csys2blacs_handle(MPI_Comm communicator);
void Cfree_blacs_system_handle(int handle);
void Cblacs_gridinit(int* context, const char* order, int num_rows, int num_cols);
void Cblacs_gridexit(int context);
}

namespace frond {
namespace {

std::mutex& blacs_mutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

BlacsUse::BlacsUse(MpiGate& gate) : blacs_(blacs_mutex()), mpi_(gate.enter()) {}

BlacsGrid::BlacsGrid(Communicator communicator, GridShape shape) : communicator_(std::move(communicator)) {
  const BlacsUse inside = enter();
  handle_ = Csys2blacs_handle(mpi_comm(communicator_));
  context_ = handle_;
  Cblacs_gridinit(&context_, "Row-major", shape.num_rows, shape.num_cols);
}

BlacsGrid::~BlacsGrid() {
  if (is_mpi_running()) {
    const BlacsUse inside = enter();
    Cblacs_gridexit(context_);
    Cfree_blacs_system_handle(handle_);
  }
}

}  // namespace frond
