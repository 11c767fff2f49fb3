// An array whose memory is not touched before it is written: worker threads fault its pages in, not the caller.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace pingce {

namespace detail {

// Large arrays lie on huge pages where the system has them: a fault for every 4 KiB costs more than the work on them.
inline void* allocate(std::size_t bytes) {
    void* memory = nullptr;
#if defined(__linux__)
    constexpr std::size_t huge = std::size_t{1} << 21;
    if (bytes >= 2 * huge) {
        memory = std::aligned_alloc(huge, (bytes + huge - 1) / huge * huge);
        if (memory == nullptr) throw std::bad_alloc();
        madvise(memory, bytes, MADV_HUGEPAGE);  // advice: it does not matter whether it is taken
        return memory;
    }
#endif
    memory = std::malloc(bytes > 0 ? bytes : 1);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace detail

template <class T>
class Buffer {
 public:
    static_assert(std::is_trivially_copyable_v<T>);
    struct Free {
        void operator()(T* data) const { std::free(data); }
    };
    using Pointer = std::unique_ptr<T[], Free>;

    Buffer() = default;
    explicit Buffer(std::size_t size) : data_(static_cast<T*>(detail::allocate(size * sizeof(T)))), size_(size) {}

    [[nodiscard]] T* data() { return data_.get(); }
    [[nodiscard]] const T* data() const { return data_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] T& operator[](std::size_t i) { return data_[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const { return data_[i]; }
    void shrink(std::size_t size) { size_ = size; }
    [[nodiscard]] Pointer release() { return std::move(data_); }

 private:
    Pointer data_;
    std::size_t size_ = 0;
};

}  // namespace pingce
