// An index of directory trees: how often each word occurs in their text files.
//
//   tree_index [--top N] [--largest MIB] [DIR...]
//
// A word is a run of letters, digits, underscores and bytes past ASCII that does
// not begin with a digit; upper case counts as lower case.
//
// The trees are walked level by level and the files counted by
// tbb::parallel_reduce.  A body counts into a table of its own, and exists only
// once a thread has stolen a part, so the threads share nothing until they are
// done.  tbb::parallel_sort ranks the words.
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>
#include <tbb/partitioner.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/demo_programs/command_line.h"
#include "tools/demo_programs/json_object.h"
#include "tools/demo_programs/measure.h"
#include "tools/demo_programs/progress.h"
#include "tools/demo_programs/text_files.h"
#include "tools/demo_programs/tree_roots.h"
#include "tools/demo_programs/word_counter.h"
#include "tools/demo_programs/word_table.h"

namespace demo {
namespace {

using Range = tbb::blocked_range<std::size_t>;

// A body of tbb::parallel_reduce over the directories of one level.
class ListBody {
 public:
  explicit ListBody(const std::vector<std::string>* directories) : directories_(directories) {}
  ListBody(ListBody& other, tbb::split) : directories_(other.directories_) {}

  void operator()(const Range& range) {
    for (std::size_t i = range.begin(); i != range.end(); ++i) {
      ListDirectory((*directories_)[i], &found);
    }
  }
  void join(ListBody& right) { found.Append(std::move(right.found)); }

  FileList found;

 private:
  const std::vector<std::string>* const directories_;
};

// A body of tbb::parallel_reduce over the files.
class CountBody {
 public:
  CountBody(const std::vector<TextFile>* files, std::uintmax_t largest, Progress* progress)
      : counter(largest), files_(files), progress_(progress) {}
  CountBody(CountBody& other, tbb::split)
      : CountBody(other.files_, other.counter.largest(), other.progress_) {}

  void operator()(const Range& range) {
    for (std::size_t i = range.begin(); i != range.end(); ++i) {
      counter.Count((*files_)[i]);
      progress_->Add(1);
    }
  }
  void join(CountBody& right) { counter.Append(&right.counter); }

  WordCounter counter;

 private:
  const std::vector<TextFile>* const files_;
  Progress* const progress_;
};

// Every directory of the trees, one level after the other.
FileList Walk(const std::vector<std::string>& roots, bool serial) {
  FileList all;
  std::vector<std::string> level = roots;
  while (!level.empty()) {
    ListBody body(&level);
    const Range range(0, level.size());
    if (serial) {
      body(range);
    } else {
      tbb::parallel_reduce(range, body);
    }
    level = std::move(body.found.directories);
    body.found.directories.clear();
    all.Append(std::move(body.found));
  }
  return all;
}

struct RankedWord {
  std::string_view text;
  std::uint64_t count = 0;
};

struct Index {
  FileList found;
  WordCounter::Totals totals;
  WordTable table;                // holds the letters of `words`
  std::vector<RankedWord> words;  // the most frequent first, then by alphabet
};

Index MakeIndex(const std::vector<std::string>& roots, bool serial, std::uintmax_t largest,
                Progress* progress) {
  Index index;
  progress->Begin("listing directories", 0);
  index.found = Walk(roots, serial);

  progress->Begin("files", static_cast<std::int64_t>(index.found.files.size()));
  CountBody body(&index.found.files, largest, progress);
  const Range range(0, index.found.files.size());
  if (serial) {
    body(range);
  } else {
    tbb::parallel_reduce(range, body, tbb::auto_partitioner());
  }
  index.totals = std::move(body.counter.totals);
  index.table = std::move(body.counter.table);

  progress->Begin("sorting", 0);
  index.words.reserve(index.table.words().size());
  for (const WordTable::Word& word : index.table.words()) {
    index.words.push_back({index.table.Text(word), word.count});
  }
  const auto before = [](const RankedWord& a, const RankedWord& b) {
    return a.count != b.count ? a.count > b.count : a.text < b.text;
  };
  if (serial) {
    std::sort(index.words.begin(), index.words.end(), before);
  } else {
    tbb::parallel_sort(index.words.begin(), index.words.end(), before);
  }
  progress->End();
  return index;
}

std::string Checksum(const std::vector<RankedWord>& words) {
  std::uint64_t sum = 0;
  for (const RankedWord& word : words) {
    sum = (sum ^ WordTable::Hash(word.text) ^ word.count) * 0x100000001b3u;
  }
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(sum));
  return digits;
}

void AddNote(const Omitted& omitted, const std::string& sentence, std::vector<std::string>* notes) {
  if (omitted.count == 0) return;
  notes->push_back(std::to_string(omitted.count) + " " + sentence +
                   " (the first: " + omitted.example + ").");
}

JsonObject Details(const Index& index, long top, std::vector<std::string> notes) {
  Omitted unreadable = index.found.unreadable;
  unreadable.Append(index.totals.unreadable);
  AddNote(unreadable, "files or directories could not be read", &notes);
  AddNote(index.totals.binary, "binary files were skipped", &notes);
  AddNote(index.totals.too_large, "files are over the size limit and were skipped", &notes);
  AddNote(index.found.special, "sockets, pipes or devices were skipped", &notes);
  AddNote(index.found.links, "symbolic links were not followed", &notes);
  if (index.totals.files == 0) notes.push_back("There is no text to index.");
  for (const std::string& note : notes) std::fprintf(stderr, "tree_index: %s\n", note.c_str());

  JsonObject details;
  details.Add("directories", index.found.listed);
  details.Add("files", index.totals.files);
  details.Add("bytes", index.totals.bytes);
  details.Add("lines", index.totals.lines);
  details.Add("words", index.totals.words);
  details.Add("distinct_words", static_cast<std::int64_t>(index.words.size()));
  details.Add("empty_files", index.found.empty);
  details.Add("binary_files", index.totals.binary.count);
  details.Add("unreadable", unreadable.count);
  details.Add("links", index.found.links.count);
  details.Add("special_files", index.found.special.count);
  details.Add("too_large_files", index.totals.too_large.count);
  std::vector<JsonObject> words;
  const std::size_t shown = std::min(static_cast<std::size_t>(top), index.words.size());
  for (std::size_t i = 0; i < shown; ++i) {
    JsonObject word;
    word.Add("word", index.words[i].text);
    word.Add("count", static_cast<std::int64_t>(index.words[i].count));
    words.push_back(std::move(word));
  }
  details.Add("top", words);
  details.Add("notes", notes);
  return details;
}

int Main(int argc, char** argv) {
  RunOptions options;
  long top = 10;
  long largest = 64;  // MiB: a file is read by one thread and into memory
  std::vector<std::string> directories;
  CommandLine line("tree_index", "[--top N] [--largest MIB] [DIR...]");
  line.AddRunOptions(&options);
  line.AddNumber("top", 0, 1000000, &top);
  line.AddNumber("largest", 1, 4096, &largest);
  line.AddRest(&directories);
  line.ParseOrExit(argc, argv);
  if (directories.empty()) directories = {"/usr/include", "/usr/share/common-licenses"};

  std::vector<std::string> notes;
  const std::vector<std::string> roots = UsableRoots(directories, &notes);
  if (roots.empty()) {
    for (const std::string& note : notes) std::fprintf(stderr, "tree_index: %s\n", note.c_str());
    return 1;
  }
  Progress progress("tree_index", options.progress);
  Index index;
  const Measurement measurement = Measure(options, [&] {
    index = MakeIndex(roots, options.serial, static_cast<std::uintmax_t>(largest) << 20, &progress);
  });
  const std::string answer = std::to_string(index.totals.files) + " files, " +
                             std::to_string(index.totals.words) + " words, checksum " +
                             Checksum(index.words);
  JsonObject result = Result("tree_index", options, measurement, answer);
  result.Add("details", Details(index, top, std::move(notes)));
  return WriteJson(result, options.json) ? 0 : 1;
}

}  // namespace
}  // namespace demo

int main(int argc, char** argv) {
  return demo::RunProgram("tree_index", [=] { return demo::Main(argc, argv); });
}
