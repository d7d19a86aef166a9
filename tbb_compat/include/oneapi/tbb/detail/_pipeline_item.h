// PipelineItem: what one filter of a pipeline hands to the next.
//
// It holds one value of any type; small ones without the heap. One thread at a
// time.
#ifndef FILCH_TBB_COMPAT_DETAIL_PIPELINE_ITEM_H_
#define FILCH_TBB_COMPAT_DETAIL_PIPELINE_ITEM_H_

#include <cstddef>
#include <new>
#include <utility>

#include "_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

class PipelineItem {
 public:
  PipelineItem() = default;
  ~PipelineItem() { Clear(); }
  PipelineItem(const PipelineItem&) = delete;
  PipelineItem& operator=(const PipelineItem&) = delete;

  // Becomes what make() returns; it is empty before.
  template <typename T, typename Make>
  void Fill(const Make& make) {
    if constexpr (FitsInline<T>) {
      ::new (static_cast<void*>(&memory_)) T(make());
      destroy_ = [](PipelineItem& self) { self.Inline<T>().~T(); };
    } else {
      heap_ = new T(make());
      destroy_ = [](PipelineItem& self) { delete static_cast<T*>(self.heap_); };
    }
  }

  // The value; it is a T.
  template <typename T>
  T& Get() {
    if constexpr (FitsInline<T>) {
      return Inline<T>();
    } else {
      return *static_cast<T*>(heap_);
    }
  }

  void Clear() {
    if (destroy_ == nullptr) return;
    std::exchange(destroy_, nullptr)(*this);
  }

 private:
  struct alignas(std::max_align_t) Memory {
    unsigned char bytes[48];
  };

  template <typename T>
  static constexpr bool FitsInline = sizeof(T) <= sizeof(Memory) && alignof(T) <= alignof(Memory);

  template <typename T>
  T& Inline() {
    return *std::launder(reinterpret_cast<T*>(&memory_));
  }

  void (*destroy_)(PipelineItem&) = nullptr;
  union {
    Memory memory_;
    void* heap_;
  };
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_PIPELINE_ITEM_H_
