// A program on the default pool, for the reports that it writes at its end.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "filch/pool/task_group.h"

namespace {

// A variable of the environment whose bytes are the program's, which uses them for something
// else later.
class OwnVariable {
 public:
  explicit OwnVariable(const char* name) : name_(name) {
    const char* const value = std::getenv(name);
    if (value == nullptr) return;
    text_ = name_ + "=" + value;
    putenv(text_.data());
  }
  ~OwnVariable() {
    if (text_.empty()) return;
    unsetenv(name_.c_str());
    text_.assign(text_.size(), 'x');
  }
  OwnVariable(const OwnVariable&) = delete;
  OwnVariable& operator=(const OwnVariable&) = delete;

 private:
  const std::string name_;
  std::string text_;
};

}  // namespace

int main() {
  const OwnVariable stats("FILCH_STATS");
  const OwnVariable trace("FILCH_TRACE");
  filch::TaskGroup group;
  for (int i = 0; i < 10; ++i) group.Run([] {});
  group.Wait();
  std::puts("done");
}
