// An array whose memory is not touched before it is written: worker threads fault its pages in, not the caller.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace pingce {

template <class T>
class Buffer {
 public:
    Buffer() = default;
    explicit Buffer(std::size_t size) : data_(std::make_unique_for_overwrite<T[]>(size)), size_(size) {}

    [[nodiscard]] T* data() { return data_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] T& operator[](std::size_t i) { return data_[i]; }
    void shrink(std::size_t size) { size_ = size; }
    [[nodiscard]] std::unique_ptr<T[]> release() { return std::move(data_); }

 private:
    std::unique_ptr<T[]> data_;
    std::size_t size_ = 0;
};

}  // namespace pingce
