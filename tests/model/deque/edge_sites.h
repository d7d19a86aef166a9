// FindEdgeSites(): where the edges named in README.md stand in a header.
//
// An edge tag is an end-of-line comment such as "// E1: publishes the slots.";
// it belongs to the statement it ends, or stands in.
#ifndef FILCH_TESTS_MODEL_DEQUE_EDGE_SITES_H_
#define FILCH_TESTS_MODEL_DEQUE_EDGE_SITES_H_

#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace filch {
namespace model {

struct EdgeSite {
  std::string tags;     // "E1", or "C3 C5"
  std::string code;     // the statement, without comments, on one line
  std::string comment;  // that has the tags
  int first_line = 0;
  int last_line = 0;
};

inline std::string CodeOf(const std::string& line) {
  const std::string code = line.substr(0, line.find("//"));
  const std::size_t begin = code.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return code.substr(begin, code.find_last_not_of(' ') - begin + 1);
}

inline bool EndsStatement(const std::string& code) {
  return code.empty() || std::string(";{}:").find(code.back()) != std::string::npos;
}

inline std::vector<EdgeSite> FindEdgeSites(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);

  const std::regex tag("[A-Z][0-9]+(?=:|, [A-Z][0-9])");
  std::vector<EdgeSite> sites;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t comment = lines[i].find("// ");
    if (comment == std::string::npos || CodeOf(lines[i]).empty()) continue;
    EdgeSite site;
    const std::string text = lines[i].substr(comment);
    for (std::sregex_iterator match(text.begin(), text.end(), tag), end; match != end; ++match) {
      site.tags += (site.tags.empty() ? "" : " ") + match->str();
    }
    if (site.tags.empty()) continue;
    std::size_t first = i;
    while (first > 0 && !EndsStatement(CodeOf(lines[first - 1]))) --first;
    std::size_t last = i;
    while (last + 1 < lines.size() && !EndsStatement(CodeOf(lines[last]))) ++last;
    for (std::size_t line = first; line <= last; ++line) site.code += CodeOf(lines[line]) + " ";
    site.comment = text;
    site.first_line = static_cast<int>(first) + 1;
    site.last_line = static_cast<int>(last) + 1;
    sites.push_back(site);
  }
  return sites;
}

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_DEQUE_EDGE_SITES_H_
