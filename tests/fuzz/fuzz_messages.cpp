// SPDX-License-Identifier: BSD-3-Clause
// Fuzzes the decoders of messages between processes: factorization, its parts, plans and failures, loads, batches, and the mesh.
// The first byte selects the decoder.
#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/mapping/mapping.hpp"
#include "factorization/distributed/part_message.hpp"
#include "factorization/kernels/cholesky.hpp"
#include "factorization/ranks/failure.hpp"
#include "factorization/ranks/main_message.hpp"
#include "factorization/recovery/recovery_plan.hpp"
#include "frond/error.hpp"
#include "loadinfo/mechanisms/load_message.hpp"
#include "loadinfo/messages/byte_stream.hpp"
#include "loadinfo/messages/mesh/mesh_address.hpp"
#include "loadinfo/messages/mesh/mesh_head.hpp"
#include "solver/distributed/batch/desk_messages.hpp"

namespace frond {
namespace {

// Reads every byte of a view, so that sanitizers find views of invalid memory.
template <class T>
void look_at(std::span<const T> values) {
  volatile unsigned sum = 0;
  for (const std::byte byte : std::as_bytes(values)) {
    sum = sum + std::to_integer<unsigned>(byte);
  }
}

template <class S>
void look_at(const DenseView<const S>& view) {
  for (Index j = 0; j < view.cols && view.rows > 0; ++j) {
    look_at(std::span<const S>(view.column(j), static_cast<std::size_t>(view.rows)));
  }
}

template <class S>
void read_part(int kind, ByteReader& reader) {
  switch (kind) {
    case 0: {
      const LuPanel<S> panel = decoded<LuPanel<S>>(reader);
      look_at(std::span<const Index>(panel.exchanged));
      look_at(panel.m);
      break;
    }
    case 1:
      look_at(decoded<CholeskyPanel<S>>(reader).l);
      break;
    case 2: {
      const LdltPanel<S> panel = decoded<LdltPanel<S>>(reader);
      look_at(std::span<const Exchange>(panel.exchanges));
      look_at(panel.l);
      look_at(std::span<const S>(panel.d));
      look_at(std::span<const PivotKind>(panel.pivots));
      break;
    }
    case 3:
      look_at(decoded<RowsOfL<S>>(reader).l);
      break;
    case 4:
      look_at(decoded<std::span<const S>>(reader));
      break;
    case 5:
      static_cast<void>(decoded<CommitOfPanel>(reader));
      break;
    default:
      static_cast<void>(decoded<EndOfPanels>(reader));
  }
}

// Encodes what was decoded, and decodes it again.
void read_main(std::span<const std::byte> bytes) {
  const std::vector<std::byte> again = encode(decode_main_message(bytes), record_of_main_message(bytes));
  static_cast<void>(decode_main_message(again));
}

void read_plan(ByteReader& reader) {
  constexpr Rank kNumRanks = 3;
  constexpr NodeId kNumNodes = 4;
  const Mapping before(kNumRanks, kNumNodes, {{0, kNumNodes, 0}}, {}, {});
  static_cast<void>(read_recovery_plan(reader, before));
}

void read_desk(int kind, ByteReader& reader) {
  switch (kind) {
    case 0:
      static_cast<void>(decoded<ChunkSeconds>(reader));
      break;
    case 1:
      static_cast<void>(decoded<std::string>(reader));
      break;
    default:
      if (const DeskEnd end = decoded<DeskEnd>(reader); end.failure) {
        throw_failure(*end.failure);
      }
  }
}

void read_mesh(int kind, std::span<const std::byte> bytes) {
  if (kind == 0) {
    static_cast<void>(read_head(bytes, 0, 3));
  } else {
    static_cast<void>(parse_address({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "fuzz"));
  }
}

void read(unsigned which, std::span<const std::byte> bytes) {
  const int kind = static_cast<int>(which / 8);
  ByteReader reader(bytes);
  switch (which % 8) {
    case 0:
      read_main(bytes);
      break;
    case 1:
      read_part<double>(kind, reader);
      break;
    case 2:
      read_part<std::complex<float>>(kind, reader);
      break;
    case 3:
      read_plan(reader);
      break;
    case 4:
      throw_failure(decoded<Failure>(reader));
    case 5:
      static_cast<void>(decode(encode(decode(bytes))));
      break;
    case 6:
      read_desk(kind, reader);
      break;
    default:
      read_mesh(kind, bytes);
  }
}

}  // namespace
}  // namespace frond

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const auto* first = reinterpret_cast<const std::byte*>(data);
  const std::vector<std::byte> aligned(first + 1, first + size);
  try {
    frond::read(*data, aligned);
  } catch (const frond::Error&) {
    // Anything else is a finding.
  } catch (const frond::NotPositiveDefinite&) {  // an outcome that ranks send
  }
  return 0;
}
