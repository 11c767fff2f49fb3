// Sums of doubles, and of products of two, without any rounding: integers, counted by exponent.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "portable.h"

namespace pingce {

// A double is m · 2^(e - 1075) with 53 binary digits m and 1 <= e <= 2046, a product of two m · 2^(s - 2150) with 106
// digits and 2 <= s <= 4092. Sum = Σ bins[s] · 2^(s - 2150): integers add up in any order, so that threads, batches and
// rows may come in any.
class Total {
 public:
    // Every value must be finite.
    void add(double a) {
        const Parts one = parts(a);
        put(static_cast<Int128>(one.digits) * (std::int64_t{1} << 52), one.exponent + 1023);
    }

    void add(double a, double b) {
        const Parts one = parts(a), other = parts(b);
        put(static_cast<Int128>(one.digits) * other.digits, one.exponent + other.exponent);
    }

    // a · b · weight with every digit, where a · b neither overflows nor vanishes.
    void add(double a, double b, double weight) {
        const double product = a * b;
        add(product, weight);
        add(rest_of(a, b, product), weight);
    }

    // Either may be as full as it gets: the digits of one are carried on before those of the other come, and after.
    void add(const Total& other) {
        carry();
        for (const Bin& one : other.bins())
            bin(one.exponent) += static_cast<Int128>(one.high) * 2 * (Int128{1} << 63) + one.low;
        carry();
    }

    // digits · 2^(exponent - 2150), at most 106 digits.
    void put(Int128 digits, std::size_t exponent) {
        bin(exponent) += digits;
        if (--room_ == 0) carry();
    }

    struct Bin {
        std::size_t exponent;
        std::int64_t high;
        std::uint64_t low;
    };

    // What is not zero.
    [[nodiscard]] std::vector<Bin> bins() const {
        std::vector<Bin> out;
        for (std::size_t i = 0; i < bins_.size(); ++i) {
            if (bins_[i] != 0)
                out.push_back(
                    {first_ + i, static_cast<std::int64_t>(bins_[i] >> 64), static_cast<std::uint64_t>(bins_[i])});
        }
        return out;
    }

 private:
    static constexpr std::size_t most = std::size_t{1} << 20;  // 106 digits, added up this often, fit in 127

    struct Parts {
        std::int64_t digits;
        std::size_t exponent;
    };

    static Parts parts(double value) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        const auto exponent = static_cast<std::size_t>(bits >> 52) & 2047;
        const std::uint64_t hidden = exponent == 0 ? 0 : std::uint64_t{1} << 52;
        const auto digits = static_cast<std::int64_t>((bits & ((std::uint64_t{1} << 52) - 1)) | hidden);
        const std::int64_t sign = static_cast<std::int64_t>(bits) >> 63;
        return {(digits ^ sign) - sign, exponent + (exponent == 0)};
    }

    // Most sums meet a few exponents: only those between the smallest and the largest are kept.
    Int128& bin(std::size_t exponent) {
        if (exponent - first_ >= bins_.size()) widen(exponent);
        return bins_[exponent - first_];
    }

    // Seldom called, and kept out of the loops that call it: so is carry.
    PINGCE_NEVER_INLINE void widen(std::size_t exponent) {
        if (bins_.empty()) first_ = exponent;
        const std::size_t end = std::max(first_ + bins_.size(), exponent + 1);
        if (exponent < first_) {
            bins_.insert(bins_.begin(), first_ - exponent, 0);
            first_ = exponent;
        }
        bins_.resize(end - first_);
    }

    // What is beyond 64 digits moves up, sign and all.
    PINGCE_NEVER_INLINE void carry() {
        room_ = most;
        const std::size_t size = bins_.size();
        if (size == 0) return;
        widen(first_ + size + 63);
        for (std::size_t i = 0; i < size; ++i) {
            const Int128 beyond = bins_[i] >> 64;
            bins_[i] = static_cast<std::uint64_t>(bins_[i]);
            bins_[i + 64] += beyond;
        }
        while (bins_.size() > size && bins_.back() == 0) bins_.pop_back();
    }

    static double high_half(double value) {
        const double shifted = value * 134217729.0;
        return shifted - (shifted - value);
    }

    // What a product lost when it was rounded (Dekker).
    static double rest_of(double a, double b, double product) {
        const double a_high = high_half(a), b_high = high_half(b);
        const double a_low = a - a_high, b_low = b - b_high;
        return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    }

    std::size_t room_ = most;
    std::size_t first_ = 0;
    std::vector<Int128> bins_;
};

}  // namespace pingce
