// The one way in which work ends before its end: it throws one of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>

namespace pingce {

class Stop : public std::exception {};

// The user pressed Ctrl-C.
class Interruption : public Stop {
 public:
    [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

// There are more of something than its counter can count.
class Excess : public Stop {
 public:
    explicit Excess(std::size_t count) : count_(count) {}
    [[nodiscard]] const char* what() const noexcept override { return "more than can be counted"; }
    [[nodiscard]] std::size_t count() const { return count_; }

 private:
    std::size_t count_;
};

inline void refuse_beyond_32_bits(std::size_t count) {
    if (count >= std::numeric_limits<std::uint32_t>::max()) throw Excess(count);
}

}  // namespace pingce
