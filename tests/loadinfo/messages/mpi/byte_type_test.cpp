// SPDX-License-Identifier: BSD-3-Clause
#include "loadinfo/messages/mpi/byte_type.hpp"

#include <gtest/gtest.h>

namespace frond {
namespace {

TEST(ByteType, HoldsNumbersOfBytesBeyondInt) {
  for (const Count num_bytes :
       {Count{0}, Count{1}, Count{1} << 30, (Count{1} << 31) - 1, Count{1} << 31, (Count{5} << 30) + 7, (Count{1} << 40) + 3}) {
    const ByteType type(num_bytes);
    MPI_Count size = 0;
    MPI_Type_size_x(type.type(), &size);
    EXPECT_EQ(size * type.count(), num_bytes);
    MPI_Aint begin = -1;
    MPI_Aint extent = 0;
    MPI_Type_get_extent(type.type(), &begin, &extent);
    EXPECT_EQ(begin, 0);
    EXPECT_EQ(extent * type.count(), num_bytes) << "bytes without gaps";
  }
}

}  // namespace
}  // namespace frond
