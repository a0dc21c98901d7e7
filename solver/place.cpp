// SPDX-License-Identifier: BSD-3-Clause
// Implements the user's view of a place.
#include "frond/place.hpp"

#include <utility>

#include "solver/course/place_parts.hpp"
#include "solver/local/local_place.hpp"

namespace frond {

Place::Place() {
  static const std::shared_ptr<const PlaceParts> kHere = local_place();
  parts_ = kHere;
}
Place::Place(std::shared_ptr<const PlaceParts> parts) : parts_(std::move(parts)) {}

Rank Place::rank() const { return parts_->rank(); }
Rank Place::num_ranks() const { return parts_->team().size(); }

}  // namespace frond
