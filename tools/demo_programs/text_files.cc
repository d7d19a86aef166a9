#include "tools/demo_programs/text_files.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace demo {
namespace {

// A byte of zero this early means that it is no text; git looks as far.
constexpr std::size_t kBinaryProbe = 8000;

template <typename Item>
void MoveToEnd(std::vector<Item>* items, std::vector<Item>&& more) {
  if (items->empty()) {
    *items = std::move(more);
  } else {
    items->insert(items->end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
  }
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

void Omitted::Add(const std::string& what) {
  if (count++ == 0) example = what;
}

void Omitted::Append(const Omitted& later) {
  if (count == 0) example = later.example;
  count += later.count;
}

void FileList::Append(FileList&& later) {
  MoveToEnd(&files, std::move(later.files));
  MoveToEnd(&directories, std::move(later.directories));
  listed += later.listed;
  empty += later.empty;
  unreadable.Append(later.unreadable);
  links.Append(later.links);
  special.Append(later.special);
}

void ListDirectory(const std::string& directory, FileList* found) {
  std::error_code error;
  std::filesystem::directory_iterator next(directory, error);
  std::vector<std::filesystem::directory_entry> entries;
  for (; !error && next != std::filesystem::directory_iterator(); next.increment(error)) {
    entries.push_back(*next);
  }
  if (error) found->unreadable.Add(directory + ": " + error.message());
  ++found->listed;
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.path().native() < b.path().native(); });
  for (const std::filesystem::directory_entry& entry : entries) {
    const std::string& path = entry.path().native();
    const std::filesystem::file_status status = entry.symlink_status(error);
    if (error) {
      found->unreadable.Add(path + ": " + error.message());
    } else if (std::filesystem::is_directory(status)) {
      found->directories.push_back(path);
    } else if (std::filesystem::is_symlink(status)) {
      found->links.Add(path);
    } else if (!std::filesystem::is_regular_file(status)) {
      found->special.Add(path);
    } else {
      const std::uintmax_t size = entry.file_size(error);
      if (error) {
        found->unreadable.Add(path + ": " + error.message());
      } else if (size == 0) {
        // Nothing to read; and the files of /proc, some of which block or never
        // end, have this size.
        ++found->empty;
      } else {
        found->files.push_back({path, size});
      }
    }
  }
}

TextReader::Outcome TextReader::Read(const TextFile& file) {
  size_ = 0;
  const std::unique_ptr<std::FILE, CloseFile> in(std::fopen(file.path.c_str(), "rb"));
  if (in == nullptr) {
    problem_ = file.path + ": " + std::strerror(errno);
    return Outcome::kUnreadable;
  }
  std::setvbuf(in.get(), nullptr, _IONBF, 0);  // straight into our buffer
  const auto size = static_cast<std::size_t>(file.size);
  if (buffer_.size() < size) buffer_.resize(size);
  // The beginning alone tells whether the rest is worth reading.
  const std::size_t probe = std::min(size, kBinaryProbe);
  size_ = std::fread(buffer_.data(), 1, probe, in.get());
  if (std::memchr(buffer_.data(), 0, size_) != nullptr) return Outcome::kBinary;
  if (size_ == probe) size_ += std::fread(buffer_.data() + size_, 1, size - size_, in.get());
  if (std::ferror(in.get()) != 0) {
    problem_ = file.path + ": " + std::strerror(errno);
    return Outcome::kUnreadable;
  }
  return Outcome::kText;
}

}  // namespace demo
