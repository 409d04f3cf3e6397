//===- Metadata.cpp - metadata.json of an asset ---------------------------===//
#include "asset/Metadata.h"

#include "asset/Asset.h"

#include <charconv>
#include <ctime>
#include <nlohmann/json.hpp>

using namespace bessemer;
using nlohmann::json;

/// The optional members, by their key in the file.
static constexpr std::pair<const char *, std::string AssetMetadata::*>
    textMembers[] = {{"author", &AssetMetadata::author},
                     {"license", &AssetMetadata::license},
                     {"description", &AssetMetadata::description}};

/// SOURCE_DATE_EPOCH makes builds reproducible (reproducible-builds.org).
static Result<int64_t> defaultDate() {
  const char *epoch = std::getenv("SOURCE_DATE_EPOCH");
  if (!epoch || !*epoch)
    return static_cast<int64_t>(std::time(nullptr));
  std::string_view text = epoch;
  int64_t seconds = 0;
  auto [end, failure] =
      std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (failure != std::errc() || end != text.data() + text.size() || seconds < 0)
    return makeError(ErrorKind::InvalidArgument,
                     "SOURCE_DATE_EPOCH is '" + std::string(text) +
                         "', not a number of seconds; correct or unset it");
  return seconds;
}

static Result<std::string> formatDate(int64_t seconds) {
  std::time_t time = seconds;
  std::tm parts;
  char text[64];
  if (!gmtime_r(&time, &parts) || parts.tm_year + 1900 > 9999 ||
      !std::strftime(text, sizeof(text), "%Y%m%dT%H%M%SZ", &parts))
    return makeError(ErrorKind::InvalidArgument,
                     "creation date " + std::to_string(seconds) +
                         " does not fit a year of four digits");
  return std::string(text);
}

/// Zero for a date in another form: it is information only.
static int64_t parseDate(const std::string &text) {
  std::tm parts{};
  const char *end = strptime(text.c_str(), "%Y%m%dT%H%M%SZ", &parts);
  return end && !*end ? timegm(&parts) : 0;
}

Result<std::string> asset::writeMetadata(const AssetMetadata &metadata) {
  Result<int64_t> seconds = metadata.creationDate
                                ? Result<int64_t>(metadata.creationDate)
                                : defaultDate();
  if (!seconds)
    return seconds.error();
  Result<std::string> date = formatDate(*seconds);
  if (!date)
    return date.error();
  json root = {{"assetVersion", assetVersion},
               {"producer", "bessemer " BESSEMER_VERSION},
               {"creationDate", *date}};
  for (auto [key, member] : textMembers)
    if (!(metadata.*member).empty())
      root[key] = metadata.*member;
  if (!metadata.creatorDefined.empty())
    root["creatorDefinedMetadata"] = metadata.creatorDefined;
  return root.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

Result<asset::MetadataFile> asset::readMetadata(std::string_view text) {
  try {
    json root = json::parse(text);
    MetadataFile file;
    root.at("assetVersion").get_to(file.version);
    file.producer = root.value("producer", "");
    for (auto [key, member] : textMembers)
      file.metadata.*member = root.value(key, "");
    if (root.contains("creatorDefinedMetadata"))
      for (const auto &[key, value] : root["creatorDefinedMetadata"].items())
        file.metadata.creatorDefined[key] =
            value.is_string() ? value.get<std::string>() : value.dump();
    file.metadata.creationDate = parseDate(root.value("creationDate", ""));
    return file;
  } catch (const json::parse_error &e) {
    return makeError(ErrorKind::Corrupt,
                     std::string("is not valid JSON: ") + e.what());
  } catch (const json::exception &e) {
    return makeError(ErrorKind::Corrupt,
                     std::string("has not the expected members: ") + e.what());
  }
}
