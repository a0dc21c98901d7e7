// SPDX-License-Identifier: BSD-3-Clause
// Takes saved factors apart and reassembles them with valid checksums after changes, as a forger would.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "solver/storage/saved/saved_file.hpp"

namespace frond::testing {

/// The bytes of a section.
using Section = std::vector<std::byte>;

inline constexpr std::array kAllSections = {SavedSection::system, SavedSection::symbolic, SavedSection::scaling,
                                            SavedSection::fronts, SavedSection::entries};

/// Returns the sections, [SavedSection - 1].
[[nodiscard]] inline std::vector<Section> sections_of(std::span<const std::byte> saved) {
  SavedFileReader file(SavedSource::in_memory(saved));
  std::vector<Section> sections;
  for (const SavedSection which : kAllSections) {
    file.begin_section(which);
    sections.emplace_back(static_cast<std::size_t>(file.num_left()));
    file.read(sections.back());
    file.end_section();
  }
  return sections;
}

[[nodiscard]] inline std::vector<std::byte> sealed(const std::vector<Section>& sections) {
  std::vector<std::byte> saved;
  SavedFileWriter file(saved);
  for (std::size_t k = 0; k < sections.size(); ++k) {
    file.begin_section(kAllSections[k], static_cast<Count>(sections[k].size()));
    file.write(sections[k]);
    file.end_section();
  }
  file.finish();
  return saved;
}

/// A change of some bytes, drawn by a test or by a fuzzer.
struct Edit {
  enum class Kind : std::uint8_t { set_byte, set_int, set_count, add_to_int, insert, erase, last = erase };

  Kind kind = Kind::set_byte;
  std::uint32_t place = 0;  ///< modulo the length
  std::int64_t value = 0;
};

inline void apply(const Edit& edit, std::vector<std::byte>& bytes) {
  constexpr std::size_t kWidest = sizeof(edit.value);
  if (bytes.size() < kWidest) {
    return;
  }
  const std::size_t place = edit.place % (bytes.size() - kWidest + 1);
  const std::size_t word = place / sizeof(std::int32_t) * sizeof(std::int32_t);
  const auto value = std::as_bytes(std::span(&edit.value, 1));
  switch (edit.kind) {
    case Edit::Kind::set_byte:
      bytes[place] = value.front();
      break;
    case Edit::Kind::set_int:
      std::memcpy(bytes.data() + word, &edit.value, sizeof(std::int32_t));
      break;
    case Edit::Kind::set_count:
      std::memcpy(bytes.data() + word, &edit.value, sizeof(std::int64_t));
      break;
    case Edit::Kind::add_to_int: {
      std::uint32_t number = 0;  // which may overflow
      std::memcpy(&number, bytes.data() + word, sizeof(number));
      number += static_cast<std::uint32_t>(edit.value % 4);
      std::memcpy(bytes.data() + word, &number, sizeof(number));
      break;
    }
    case Edit::Kind::insert:
      bytes.insert(bytes.begin() + word, value.begin(), value.end());
      break;
    case Edit::Kind::erase:
      bytes.erase(bytes.begin() + word, bytes.begin() + static_cast<std::ptrdiff_t>(word + kWidest));
      break;
  }
}

}  // namespace frond::testing
