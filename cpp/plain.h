// What portable.h has where the compiler has none: integers of 128 bits, registers of several numbers.
// Slower, with the same bits.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pingce {

// Two's complement: sums, differences and products are the same with a sign and without.
template <bool is_signed>
class Wide {
 public:
    constexpr Wide() = default;
    template <std::integral Number>
    constexpr Wide(Number number)  // as numbers of the language convert
        : low_(static_cast<std::uint64_t>(number)) {
        if constexpr (std::is_signed_v<Number>) high_ = number < 0 ? ~std::uint64_t{0} : 0;
    }

    template <std::integral Number>
    constexpr explicit operator Number() const {
        return static_cast<Number>(low_);
    }

    friend constexpr Wide operator+(Wide a, Wide b) {
        const std::uint64_t low = a.low_ + b.low_;
        return {low, a.high_ + b.high_ + (low < a.low_ ? 1 : 0)};
    }
    friend constexpr Wide operator-(Wide a, Wide b) {
        return {a.low_ - b.low_, a.high_ - b.high_ - (a.low_ < b.low_ ? 1 : 0)};
    }
    friend constexpr Wide operator*(Wide a, Wide b) {
        Wide out = product(a.low_, b.low_);
        out.high_ += a.low_ * b.high_ + a.high_ * b.low_;
        return out;
    }
    friend constexpr Wide operator&(Wide a, Wide b) { return {a.low_ & b.low_, a.high_ & b.high_}; }
    friend constexpr Wide operator<<(Wide a, unsigned bits) {
        if (bits == 0) return a;
        if (bits >= 64) return {0, a.low_ << (bits - 64)};
        return {a.low_ << bits, a.high_ << bits | a.low_ >> (64 - bits)};
    }
    friend constexpr Wide operator>>(Wide a, unsigned bits) {
        if (bits == 0) return a;
        if (bits >= 64) return {shifted(a.high_, bits - 64), sign(a.high_)};
        return {a.low_ >> bits | a.high_ << (64 - bits), shifted(a.high_, bits)};
    }
    friend constexpr bool operator==(Wide a, Wide b) { return a.low_ == b.low_ && a.high_ == b.high_; }
    constexpr Wide& operator+=(Wide other) { return *this = *this + other; }
    constexpr Wide& operator-=(Wide other) { return *this = *this - other; }

 private:
    constexpr Wide(std::uint64_t low, std::uint64_t high) : low_(low), high_(high) {}

    static constexpr std::uint64_t sign(std::uint64_t high) {
        return is_signed && high >> 63 != 0 ? ~std::uint64_t{0} : 0;
    }
    static constexpr std::uint64_t shifted(std::uint64_t word, unsigned bits) {
        if constexpr (is_signed) return static_cast<std::uint64_t>(static_cast<std::int64_t>(word) >> bits);
        return word >> bits;
    }
    static constexpr Wide product(std::uint64_t a, std::uint64_t b) {
        constexpr std::uint64_t half = 0xffffffff;
        const std::uint64_t low = (a & half) * (b & half);
        const std::uint64_t first = (a >> 32) * (b & half) + (low >> 32);
        const std::uint64_t second = (a & half) * (b >> 32) + (first & half);
        return {second << 32 | (low & half), (a >> 32) * (b >> 32) + (first >> 32) + (second >> 32)};
    }

    std::uint64_t low_ = 0, high_ = 0;
};

using Int128 = Wide<true>;
using UInt128 = Wide<false>;

// As registers of several numbers, one by one; a comparison is all bits where it holds.
template <class Number, std::size_t lanes>
struct PlainVector {
    using Whole = std::conditional_t<sizeof(Number) == 8, std::int64_t, std::int32_t>;
    Number lane[lanes];

    constexpr Number operator[](std::size_t at) const { return lane[at]; }
    constexpr PlainVector operator-() const {
        return each([&](std::size_t at) { return -lane[at]; });
    }
    friend constexpr PlainVector operator-(Number a, const PlainVector& b) {
        return each([&](std::size_t at) { return a - b.lane[at]; });
    }
    friend constexpr PlainVector operator*(Number a, const PlainVector& b) {
        return each([&](std::size_t at) { return a * b.lane[at]; });
    }
    friend constexpr PlainVector operator*(const PlainVector& a, const PlainVector& b) {
        return each([&](std::size_t at) { return a.lane[at] * b.lane[at]; });
    }
    constexpr PlainVector& operator+=(const PlainVector& other) {
        return *this = each([&](std::size_t at) { return lane[at] + other.lane[at]; });
    }
    constexpr PlainVector& operator-=(const PlainVector& other) {
        return *this = each([&](std::size_t at) { return lane[at] - other.lane[at]; });
    }
    friend constexpr PlainVector operator^(const PlainVector& a, const PlainVector& b) {
        return each([&](std::size_t at) { return a.lane[at] ^ b.lane[at]; });
    }
    friend constexpr PlainVector operator|(const PlainVector& a, const PlainVector& b) {
        return each([&](std::size_t at) { return a.lane[at] | b.lane[at]; });
    }
    friend constexpr PlainVector operator&(const PlainVector& a, const PlainVector& b) {
        return each([&](std::size_t at) { return a.lane[at] & b.lane[at]; });
    }
    constexpr PlainVector& operator|=(const PlainVector& other) { return *this = *this | other; }
    friend constexpr PlainVector<Whole, lanes> operator>(const PlainVector& a, const PlainVector& b) {
        return PlainVector<Whole, lanes>::each([&](std::size_t at) { return a.lane[at] > b.lane[at] ? -1 : 0; });
    }
    friend constexpr PlainVector<Whole, lanes> operator==(const PlainVector& a, const PlainVector& b) {
        return PlainVector<Whole, lanes>::each(
            [&](std::size_t at) { return a.lane[at] >= b.lane[at] && a.lane[at] <= b.lane[at] ? -1 : 0; });
    }

    template <class Make>
    static constexpr PlainVector each(const Make& make) {
        PlainVector out{};
        for (std::size_t at = 0; at < lanes; ++at) out.lane[at] = static_cast<Number>(make(at));
        return out;
    }
};

}  // namespace pingce
