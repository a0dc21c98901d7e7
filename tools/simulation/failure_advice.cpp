// SPDX-License-Identifier: BSD-3-Clause
// Computes intervals and expectations, and words them.
#include "tools/simulation/failure_advice.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "frond/types.hpp"
#include "solver/options/byte_size.hpp"
#include "solver/options/duration.hpp"

namespace frond {

using Json = nlohmann::ordered_json;

double checkpoint_interval(double seconds_per_checkpoint, double mean_seconds_between_failures) {
  const double half = seconds_per_checkpoint / (2 * mean_seconds_between_failures);
  if (half >= 1) {
    return mean_seconds_between_failures;
  }
  return std::sqrt(2 * seconds_per_checkpoint * mean_seconds_between_failures) * (1 + std::sqrt(half) / 3 + half / 9) -
         seconds_per_checkpoint;
}

double expected_seconds(double seconds, double seconds_lost, double seconds_to_resume, double mean_seconds_between_failures) {
  const double interval = 2 * seconds_lost / mean_seconds_between_failures;
  const double growth = interval > 0 ? std::expm1(interval) / interval : 1;
  return seconds * growth * std::exp(seconds_to_resume / mean_seconds_between_failures);
}

double expected_seconds_anew(double seconds, double mean_seconds_between_failures) {
  return mean_seconds_between_failures * std::expm1(seconds / mean_seconds_between_failures);
}

Json failure_json(const Json& without, const Json& with, const DiskRates& disk, double mean_seconds_between_failures) {
  const auto seconds = without.at("predicted_seconds").get<double>();
  const auto seconds_with = with.at("predicted_seconds").get<double>();
  const Json& written = with.at("checkpoint");
  const auto bytes = written.at("bytes_written").get<double>();
  const auto lost = written.at("failure_seconds_mean").get<double>();
  const double to_read = bytes / 2 / disk.bytes_per_second;  // of all bytes written, half on average
  const double anew = expected_seconds_anew(seconds, mean_seconds_between_failures);
  return {{"mean_seconds_between", mean_seconds_between_failures},
          {"disk_bytes_per_second", disk.bytes_per_second},
          {"seconds_per_list", disk.seconds_per_list},
          {"checkpoint_every_seconds", checkpoint_interval(disk.seconds_per_list, mean_seconds_between_failures)},
          {"bytes_written", written.at("bytes_written")},
          {"seconds_without_failures", seconds_with},
          {"seconds_lost_mean", lost},
          {"seconds_to_read_back", to_read},
          {"expected_seconds", expected_seconds(seconds_with, lost, to_read, mean_seconds_between_failures)},
          {"expected_seconds_without_checkpoint", std::isfinite(anew) ? Json(anew) : Json()}};
}

std::string failure_text(const Json& failures) {
  const auto number = [&failures](const char* key) { return failures.at(key).get<double>(); };
  const double expected = number("expected_seconds");
  const Json& anew = failures.at("expected_seconds_without_checkpoint");
  std::string text = fmt::format("failures       one every {}, on a disk that takes {}/s and makes a list in {:.2g} s\n",
                                 format_long_duration(number("mean_seconds_between")),
                                 format_byte_size(static_cast<Count>(number("disk_bytes_per_second"))), number("seconds_per_list"));
  text += anew.is_null() ? "               Without a checkpoint the factorization does not come to its end.\n"
                         : fmt::format("               Without a checkpoint the factorization takes {} on average.\n",
                                       format_long_duration(anew.get<double>()));
  text +=
      fmt::format("               With --checkpoint DIR --set checkpoint-every={} it takes {}: a failure costs {} on average,\n",
                  whole_duration(number("checkpoint_every_seconds")), format_long_duration(expected),
                  format_long_duration(number("seconds_lost_mean")));
  text += fmt::format("               and {} to read half of the {} that are written.\n",
                      format_long_duration(number("seconds_to_read_back")),
                      format_byte_size(failures.at("bytes_written").get<Count>()));
  if (!anew.is_null() && expected > anew.get<double>()) {
    text += "               It does not pay here.\n";
  }
  return text;
}

}  // namespace frond
