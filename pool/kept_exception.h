// KeptException: room for an exception that is nearly never there.
//
// Whoever has one knows by a state of its own whether the room is filled.  So to
// have it costs nothing, neither when it is made nor when it goes.  Not
// synchronized.
#ifndef FILCH_POOL_KEPT_EXCEPTION_H_
#define FILCH_POOL_KEPT_EXCEPTION_H_

#include <exception>
#include <new>
#include <utility>

namespace filch {
namespace pool_internal {

class KeptException {
 public:
  // Empty, and to be left empty.
  KeptException() {}
  ~KeptException() {}
  KeptException(const KeptException&) = delete;
  KeptException& operator=(const KeptException&) = delete;

  // While it is empty.
  void Fill(std::exception_ptr exception) {
    ::new (static_cast<void*>(&room_)) std::exception_ptr(std::move(exception));
  }

  // While it is filled.
  const std::exception_ptr& value() const { return room_; }
  std::exception_ptr Empty() {
    std::exception_ptr exception = std::move(room_);
    room_.~exception_ptr();
    return exception;
  }

 private:
  union {
    std::exception_ptr room_;
  };
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_KEPT_EXCEPTION_H_
