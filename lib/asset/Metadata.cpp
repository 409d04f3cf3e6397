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

/// A member that is text; empty if it is not there.
static Status readText(const json &root, const char *key, std::string &text) {
  auto member = root.find(key);
  if (member == root.end())
    return {};
  if (!member->is_string())
    return makeError(ErrorKind::Corrupt, "'" + std::string(key) +
                                             "' must be a string, it is " +
                                             member->type_name());
  text = member->get<std::string>();
  return {};
}

/// What the library says, without its own code in front.
static std::string parseProblem(const json::exception &error) {
  std::string_view text = error.what();
  size_t end = text.find("] ");
  return std::string(end == text.npos ? text : text.substr(end + 2));
}

static Status readMembers(const json &root, asset::MetadataFile &file) {
  if (!root.is_object())
    return makeError(ErrorKind::Corrupt, "a JSON object is wanted");
  if (!root.contains("assetVersion"))
    return makeError(ErrorKind::Corrupt, "has no 'assetVersion'");
  std::string date;
  std::pair<const char *, std::string *> texts[] = {
      {"assetVersion", &file.version},
      {"producer", &file.producer},
      {"creationDate", &date}};
  for (auto [key, text] : texts)
    if (Status status = readText(root, key, *text); !status)
      return status;
  for (auto [key, member] : textMembers)
    if (Status status = readText(root, key, file.metadata.*member); !status)
      return status;
  file.metadata.creationDate = parseDate(date);
  auto custom = root.find("creatorDefinedMetadata");
  if (custom == root.end())
    return {};
  if (!custom->is_object())
    return makeError(ErrorKind::Corrupt,
                     "'creatorDefinedMetadata' must be an object");
  for (const auto &[key, value] : custom->items())
    file.metadata.creatorDefined[key] =
        value.is_string() ? value.get<std::string>() : value.dump();
  return {};
}

Result<asset::MetadataFile> asset::readMetadata(std::string_view text) {
  try {
    MetadataFile file;
    if (Status status = readMembers(json::parse(text), file); !status)
      return status.error();
    return file;
  } catch (const json::exception &e) {
    return makeError(ErrorKind::Corrupt,
                     "is not valid JSON: " + parseProblem(e));
  }
}
