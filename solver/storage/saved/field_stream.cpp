// SPDX-License-Identifier: BSD-3-Clause
// Stores texts as lists of characters.
#include "solver/storage/saved/field_stream.hpp"

namespace frond {

void FieldStream::text(std::string& characters) {
  auto length = static_cast<Count>(characters.size());
  value(length);
  resize(length, 1, [&characters, length] { characters.resize(static_cast<std::size_t>(length)); });
  transfer(std::as_writable_bytes(std::span(characters)));
}

void FieldStream::texts(std::vector<std::string>& list) {
  auto length = static_cast<Count>(list.size());
  value(length);
  resize(length, sizeof(length), [&list, length] { list.resize(static_cast<std::size_t>(length)); });
  for (std::string& characters : list) {
    text(characters);
  }
}

}  // namespace frond
