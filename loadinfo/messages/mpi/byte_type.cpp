// SPDX-License-Identifier: BSD-3-Clause
// Makes MPI's types of many bytes out of blocks.
#include "loadinfo/messages/mpi/byte_type.hpp"

#include <array>

namespace frond {

ByteType::ByteType(Count num_bytes) {
  if (fits_int(num_bytes)) {
    count_ = static_cast<int>(num_bytes);
    return;
  }
  constexpr int kBlockBytes = 1 << 30;
  const auto num_blocks = static_cast<int>(num_bytes / kBlockBytes);
  MPI_Datatype block = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_contiguous(kBlockBytes, MPI_BYTE, &block), "MPI_Type_contiguous");
  const std::array<int, 2> lengths = {num_blocks, static_cast<int>(num_bytes % kBlockBytes)};
  const std::array<MPI_Aint, 2> begins = {0, static_cast<MPI_Aint>(num_blocks) * kBlockBytes};
  const std::array<MPI_Datatype, 2> types = {block, MPI_BYTE};
  const int code = MPI_Type_create_struct(2, lengths.data(), begins.data(), types.data(), &type_);
  MPI_Type_free(&block);
  check_mpi(code, "MPI_Type_create_struct");
  check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
}

ByteType::~ByteType() {
  if (type_ != MPI_BYTE) {
    MPI_Type_free(&type_);
  }
}

Count num_bytes_of(const MPI_Status& status) {
  MPI_Count num_bytes = 0;
  check_mpi(MPI_Get_elements_x(&status, MPI_BYTE, &num_bytes), "MPI_Get_elements_x");
  return num_bytes;
}

}  // namespace frond
