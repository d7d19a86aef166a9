#include "../include/oneapi/tbb/memory_pool.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>

#include "../include/oneapi/tbb/scalable_allocator.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

pool_base::pool_base(std::intptr_t id, const rml::MemPoolPolicy& policy) {
  if (rml::pool_create_v1(id, &policy, &pool_) != rml::POOL_OK) throw std::bad_alloc();
}

fixed_pool::fixed_pool(void* buffer, std::size_t size)
    : pool_base(reinterpret_cast<std::intptr_t>(this),
                rml::MemPoolPolicy(&GiveBuffer, nullptr, 0, /*fixed=*/true)),
      buffer_(buffer),
      size_(size) {
  if (buffer == nullptr || size == 0) {
    throw std::invalid_argument("tbb::fixed_pool: there is no buffer");
  }
}

void* fixed_pool::GiveBuffer(std::intptr_t id, std::size_t& bytes) {
  const auto* const pool = reinterpret_cast<fixed_pool*>(id);
  bytes = pool->size_;
  return pool->buffer_;
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb
