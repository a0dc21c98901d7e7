// SPDX-License-Identifier: BSD-3-Clause
// Bytes as MPI counts them: MPI 3, which OpenMPI implements, has no counts beyond int.
#pragma once

#include <limits>

#include "frond/types.hpp"
#include "loadinfo/messages/mpi/mpi_call.hpp"

namespace frond {

/// The count and the type for a number of bytes: so many MPI_BYTE, or, beyond int, one value of a type that holds them all.
/// Operations that are started by then go on when it is destroyed.
class ByteType {
 public:
  explicit ByteType(Count num_bytes);
  ~ByteType();
  ByteType(const ByteType&) = delete;
  ByteType& operator=(const ByteType&) = delete;

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

  [[nodiscard]] static bool fits_int(Count num_bytes) { return num_bytes <= std::numeric_limits<int>::max(); }

 private:
  int count_ = 1;
  MPI_Datatype type_ = MPI_BYTE;
};

/// The bytes of a message that was received or probed.
[[nodiscard]] Count num_bytes_of(const MPI_Status& status);

}  // namespace frond
