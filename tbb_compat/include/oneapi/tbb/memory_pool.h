// memory_pool and fixed_pool: memory that can be given back all at once.
//
// memory_pool takes large pieces from an allocator and hands out small ones;
// fixed_pool hands out parts of a buffer of the caller's and nothing else. What is not
// freed one by one goes with recycle() or with the pool. Any thread; recycle() only
// when no other thread uses the pool.
//
//   tbb::memory_pool<std::allocator<char>> pool;
//   std::list<int, tbb::memory_pool_allocator<int>> numbers{
//       tbb::memory_pool_allocator<int>(pool)};
#ifndef FILCH_TBB_COMPAT_MEMORY_POOL_H_
#define FILCH_TBB_COMPAT_MEMORY_POOL_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <new>

#include "detail/_allocator_base.h"
#include "detail/_config.h"
#include "detail/_exception.h"
#include "detail/_sleeping_lock.h"
#include "filch/topology/catch_all.h"
#include "scalable_allocator.h"  // comes along

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

class pool_base {
 public:
  pool_base(const pool_base&) = delete;
  pool_base& operator=(const pool_base&) = delete;

  // Null if there is no more memory. Fit for any type of ordinary alignment.
  void* malloc(std::size_t size);
  void free(void* memory);
  // As the C library's; what cannot be moved for want of memory stays as it is.
  void* realloc(void* memory, std::size_t size);
  // Everything that was handed out is free.
  void recycle();

 protected:
  pool_base() = default;
  virtual ~pool_base() = default;

 private:
  // `size` bytes at a multiple of kPoolAlignment; null if there are none. One thread at
  // a time, as the other two.
  virtual void* Take(std::size_t size) noexcept = 0;
  virtual void Return(void* memory, std::size_t size) noexcept = 0;
  virtual void ReturnAll() noexcept = 0;

  SleepingLock lock_;
};

// What lies before each block, with room for its size.
inline constexpr std::size_t kPoolAlignment = alignof(std::max_align_t);

// The upstream of a memory_pool: an allocator of whatever value type.
template <typename Alloc>
class AllocatorResource final : public std::pmr::memory_resource {
 public:
  explicit AllocatorResource(const Alloc& allocator) : allocator_(allocator) {}

 private:
  using Value = typename std::allocator_traits<Alloc>::value_type;

  // Room for the alignment, and for the address of what the allocator gave.
  static std::size_t Values(std::size_t bytes, std::size_t alignment) {
    return (bytes + alignment + sizeof(void*) - 1) / sizeof(Value) + 1;
  }

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const std::size_t count = Values(bytes, alignment);
    Value* const given = std::allocator_traits<Alloc>::allocate(allocator_, count);
    void* place = reinterpret_cast<unsigned char*>(given) + sizeof(Value*);
    std::size_t space = count * sizeof(Value) - sizeof(Value*);
    std::align(alignment, bytes, place, space);
    ::new (static_cast<void*>(static_cast<unsigned char*>(place) - sizeof(Value*))) Value*(given);
    return place;
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    Value* const given =
        *reinterpret_cast<Value**>(static_cast<unsigned char*>(memory) - sizeof(Value*));
    std::allocator_traits<Alloc>::deallocate(allocator_, given, Values(bytes, alignment));
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  Alloc allocator_;
};

// Takes its memory from an allocator, in large pieces.
template <typename Alloc>
class memory_pool : public pool_base {
 public:
  explicit memory_pool(const Alloc& source = Alloc()) : upstream_(source), blocks_(&upstream_) {}

 private:
  void* Take(std::size_t size) noexcept override {
    FILCH_TRY { return blocks_.allocate(size, kPoolAlignment); }
    FILCH_CATCH_ALL { return nullptr; }
  }
  void Return(void* memory, std::size_t size) noexcept override {
    blocks_.deallocate(memory, size, kPoolAlignment);
  }
  void ReturnAll() noexcept override { blocks_.release(); }

  AllocatorResource<Alloc> upstream_;
  std::pmr::unsynchronized_pool_resource blocks_;
};

// Hands out parts of the buffer, the first free one that is large enough; for
// small numbers of blocks.
class fixed_pool : public pool_base {
 public:
  // Throws std::invalid_argument if there is no buffer.
  fixed_pool(void* buffer, std::size_t size);

 private:
  // A free part of the buffer; the list is in the order of addresses, and no two
  // parts touch.
  struct Part {
    Part* next;
    std::size_t size;
  };
  static_assert(sizeof(Part) <= kPoolAlignment, "a part fits into the smallest block");

  void* Take(std::size_t size) noexcept override;
  void Return(void* memory, std::size_t size) noexcept override;
  void ReturnAll() noexcept override;

  void* const buffer_;
  const std::size_t size_;
  Part* parts_ = nullptr;
};

// An allocator for containers on a pool, which must outlive them.
template <typename T, typename P = pool_base>
class memory_pool_allocator : public OldAllocatorMembers<T> {
 public:
  template <typename U>
  struct rebind {
    using other = memory_pool_allocator<U, P>;
  };

  explicit memory_pool_allocator(P& pool) noexcept : pool_(&pool) {}
  template <typename U>
  memory_pool_allocator(const memory_pool_allocator<U, P>& other) noexcept : pool_(other.pool_) {}

  // Throws std::bad_alloc.
  T* allocate(std::size_t count, const void* = nullptr) {
    void* const memory = count <= this->max_size() ? pool_->malloc(count * sizeof(T)) : nullptr;
    if (memory == nullptr) r1::throw_exception(r1::exception_id::bad_alloc);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { pool_->free(memory); }

  template <typename U, typename V, typename R>
  friend bool operator==(const memory_pool_allocator<U, R>& a,
                         const memory_pool_allocator<V, R>& b) noexcept;

 private:
  template <typename U, typename R>
  friend class memory_pool_allocator;

  P* pool_;
};

template <typename P>
class memory_pool_allocator<void, P> : public OldAllocatorMembers<void> {
 public:
  using pool_type = P;
  template <typename U>
  struct rebind {
    using other = memory_pool_allocator<U, P>;
  };

  explicit memory_pool_allocator(P& pool) noexcept : pool_(&pool) {}
  template <typename U>
  memory_pool_allocator(const memory_pool_allocator<U, P>& other) noexcept : pool_(other.pool_) {}

  template <typename U, typename V, typename R>
  friend bool operator==(const memory_pool_allocator<U, R>& a,
                         const memory_pool_allocator<V, R>& b) noexcept;

 private:
  template <typename U, typename R>
  friend class memory_pool_allocator;

  P* pool_;
};

template <typename U, typename V, typename R>
bool operator==(const memory_pool_allocator<U, R>& a,
                const memory_pool_allocator<V, R>& b) noexcept {
  return a.pool_ == b.pool_;
}
template <typename U, typename V, typename R>
bool operator!=(const memory_pool_allocator<U, R>& a,
                const memory_pool_allocator<V, R>& b) noexcept {
  return !(a == b);
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::fixed_pool;
using detail::d1::memory_pool;
using detail::d1::memory_pool_allocator;
}  // namespace v1
#ifdef FILCH_TBB_CLASSIC
// Where TBB 2020 defines them, and some programs look for them.
namespace interface6 {
using detail::d1::fixed_pool;
using detail::d1::memory_pool;
using detail::d1::memory_pool_allocator;
}  // namespace interface6
#endif
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_MEMORY_POOL_H_
