// SPDX-License-Identifier: BSD-3-Clause
// Sends reports as bytes, field by field.
#include "solver/distributed/mpi/report_exchange.hpp"

#include <span>
#include <type_traits>
#include <vector>

#include "factorization/fronts/report_fields.hpp"
#include "loadinfo/messages/byte_stream.hpp"
#include "loadinfo/messages/ranks/collective.hpp"

namespace frond {
namespace {

std::vector<std::byte> encode(const FactorizationReport& report) {
  ByteWriter writer;
  for_each_field(report, [&writer]<class T>(const T& field) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      writer.value(field);
    } else {
      writer.list(field);
    }
  });
  return writer.take();
}

FactorizationReport decode_report(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  FactorizationReport report;
  for_each_field(report, [&reader]<class T>(T& field) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      field = reader.value<T>();
    } else {
      field = reader.list<typename T::value_type>();
    }
  });
  return report;
}

}  // namespace

FactorizationReport combined_report(const Communicator& ranks, const FactorizationReport& mine) {
  FactorizationReport whole;
  for (const std::vector<std::byte>& bytes : all_gather(ranks, encode(mine))) {
    whole += decode_report(bytes);
  }
  return mine.status == FactorizationStatus::not_positive_definite ? mine : whole;
}

}  // namespace frond
