// What a walk through directories finds, and the text in its files.
//
// Symbolic links inside a directory are counted and not followed, so a loop of
// links cannot trap the walk; sockets, devices and pipes are counted and not
// opened.
// Any thread, as long as each has its own FileList and TextReader.
//
// Example:
//   FileList found;
//   ListDirectory("/usr/include", &found);
//   for (const TextFile& file : found.files) ...
#ifndef FILCH_TOOLS_DEMO_PROGRAMS_TEXT_FILES_H_
#define FILCH_TOOLS_DEMO_PROGRAMS_TEXT_FILES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace demo {

// Things that were left out: how many, and one of them to name.
struct Omitted {
  std::int64_t count = 0;
  std::string example;  // the first path in the order of the walk, and why

  void Add(const std::string& what);
  // `later` comes after this in the order of the walk.
  void Append(const Omitted& later);
};

struct TextFile {
  std::string path;
  std::uintmax_t size = 0;
};

struct FileList {
  std::vector<TextFile> files;           // regular files that are not empty
  std::vector<std::string> directories;  // found, not yet listed
  std::int64_t listed = 0;               // directories
  std::int64_t empty = 0;                // files
  Omitted unreadable;
  Omitted links;
  Omitted special;

  // `later` comes after this in the order of the walk.
  void Append(FileList&& later);
};

// Adds what lies directly in `directory`, in an order that depends on the names
// alone.
void ListDirectory(const std::string& directory, FileList* found);

class TextReader {
 public:
  enum class Outcome { kText, kBinary, kUnreadable };

  // On kText, text() is the file's bytes; on kUnreadable, problem() says why.
  Outcome Read(const TextFile& file);

  // Valid until the next Read, and free to be overwritten.
  char* text() { return buffer_.data(); }
  std::size_t size() const { return size_; }
  const std::string& problem() const { return problem_; }

 private:
  std::vector<char> buffer_;
  std::size_t size_ = 0;
  std::string problem_;
};

}  // namespace demo

#endif  // FILCH_TOOLS_DEMO_PROGRAMS_TEXT_FILES_H_
