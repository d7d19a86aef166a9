// A library that is loaded: what it calls is the program's, in the constructor of a static
// object, while the thread that loads it holds the loader's lock.
extern "C" void WhileLoading();

namespace {

struct Loaded {
  Loaded() { WhileLoading(); }
};
const Loaded loaded;

}  // namespace
