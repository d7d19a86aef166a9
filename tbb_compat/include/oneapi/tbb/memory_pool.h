// memory_pool and fixed_pool: memory that can be given back all at once.
//
// Both are pools of scalable_allocator.h. memory_pool takes large pieces from an allocator and
// hands out small ones; fixed_pool hands out parts of a buffer of the caller's and nothing else.
// What is not freed one by one goes with recycle() or with the pool. Any thread; recycle() only
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
#include <cstdint>
#include <memory>
#include <utility>

#include "detail/_allocator_base.h"
#include "detail/_config.h"
#include "detail/_exception.h"
#include "filch/topology/catch_all.h"
#include "scalable_allocator.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

class pool_base {
 public:
  pool_base(const pool_base&) = delete;
  pool_base& operator=(const pool_base&) = delete;

  // Null if there is no more memory. Fit for any type of ordinary alignment.
  void* malloc(std::size_t size) { return rml::pool_malloc(pool_, size); }
  void free(void* memory) { rml::pool_free(pool_, memory); }
  // As the C library's; what cannot be moved for want of memory stays as it is.
  void* realloc(void* memory, std::size_t size) { return rml::pool_realloc(pool_, memory, size); }
  // Everything that was handed out is free.
  void recycle() { rml::pool_reset(pool_); }

 protected:
  // Throws std::bad_alloc.
  pool_base(std::intptr_t id, const rml::MemPoolPolicy& policy);
  ~pool_base() { rml::pool_destroy(pool_); }

 private:
  rml::MemoryPool* pool_ = nullptr;
};

// The memory of a memory_pool: an allocator of whatever value type.
template <typename Alloc>
class AllocatorPieces {
 protected:
  explicit AllocatorPieces(const Alloc& allocator) : allocator_(allocator) {}

  std::intptr_t id() const { return reinterpret_cast<std::intptr_t>(this); }
  static rml::MemPoolPolicy Policy() { return {&Take, &GiveBack}; }

 private:
  using Value = typename std::allocator_traits<Alloc>::value_type;
  // By its members, for old allocators may have void* here.
  using Pointer = decltype(std::declval<Alloc&>().allocate(std::size_t{}));

  static Alloc& AllocatorOf(std::intptr_t id) {
    return reinterpret_cast<AllocatorPieces*>(id)->allocator_;
  }
  static std::size_t Values(std::size_t bytes) {
    return (bytes + sizeof(Value) - 1) / sizeof(Value);
  }

  static void* Take(std::intptr_t id, std::size_t& bytes) {
    FILCH_TRY { return AllocatorOf(id).allocate(Values(bytes)); }
    FILCH_CATCH_ALL { return nullptr; }
  }
  static int GiveBack(std::intptr_t id, void* memory, std::size_t bytes) {
    AllocatorOf(id).deallocate(static_cast<Pointer>(memory), Values(bytes));
    return 0;
  }

  Alloc allocator_;
};

// Takes its memory from an allocator, in large pieces.
template <typename Alloc>
class memory_pool : private AllocatorPieces<Alloc>, public pool_base {
 public:
  explicit memory_pool(const Alloc& source = Alloc())
      : AllocatorPieces<Alloc>(source), pool_base(this->id(), this->Policy()) {}
};

// Hands out parts of the buffer.
class fixed_pool : public pool_base {
 public:
  // Throws std::invalid_argument if there is no buffer.
  fixed_pool(void* buffer, std::size_t size);

 private:
  static void* GiveBuffer(std::intptr_t id, std::size_t& bytes);

  void* const buffer_;
  const std::size_t size_;
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
