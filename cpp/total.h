// The sum of doubles without any rounding: a count of mantissas for each exponent.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pingce {

// Sum = Σ bins[e] · 2^(max(e, 1) - 1075). Integers add up in any order, so that threads, batches and rows may come in
// any.
class Total {
 public:
    // The value must be finite.
    void add(double value) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        const auto exponent = static_cast<std::size_t>(bits >> 52) & (exponents - 1);
        const std::uint64_t hidden = exponent == 0 ? 0 : std::uint64_t{1} << 52;
        const auto mantissa = static_cast<std::int64_t>((bits & ((std::uint64_t{1} << 52) - 1)) | hidden);
        const std::int64_t sign = static_cast<std::int64_t>(bits) >> 63;
        const std::int64_t digits = (mantissa ^ sign) - sign;
        if (exponent - base_ >= near) return bin(exponent) += digits, void();
        recent_ += static_cast<__int128>(digits) << (exponent - base_);
        if (--room_ == 0) settle();
    }

    // The product with every digit; both factors and the product must lie well within the range of doubles.
    void add_product(double a, double b) {
        const double product = a * b;
        add(product);
        add(rest_of(a, b, product));
    }

    // Whether products with such a number neither overflow nor lose digits below the smallest double.
    static bool far_from_the_ends(double value) {
        const auto exponent = (std::bit_cast<std::uint64_t>(value) >> 52) & (exponents - 1);
        return exponent - (1023 - 400) < 800 || value == 0.0;
    }

    // The product of three, with every digit of all of them.
    void add_product(double a, double b, double weight) {
        const double product = a * b;
        add_product(product, weight);
        add_product(rest_of(a, b, product), weight);
    }

    void add(const Total& other) {
        for (const Bin& one : other.bins()) {
            bin(one.exponent) += (static_cast<__int128>(one.high) << 64) + static_cast<__int128>(one.low);
        }
    }

    struct Bin {
        std::size_t exponent;
        std::int64_t high;
        std::uint64_t low;
    };

    // What is not zero.
    [[nodiscard]] std::vector<Bin> bins() const {
        Total all(*this);
        all.settle();
        return all.settled();
    }

 private:
    static constexpr std::size_t exponents = 2048;
    static constexpr std::size_t near = 64;
    static constexpr std::size_t most = 1024;  // 53 digits, shifted by less than 64, this often, fit in 127

    [[nodiscard]] std::vector<Bin> settled() const {
        std::vector<Bin> out;
        for (std::size_t i = 0; i < bins_.size(); ++i) {
            if (bins_[i] != 0)
                out.push_back(
                    {first_ + i, static_cast<std::int64_t>(bins_[i] >> 64), static_cast<std::uint64_t>(bins_[i])});
        }
        return out;
    }

    // Whole words of the recent sum go where they belong; the sign goes with the upper one.
    void settle() {
        const __int128 recent = recent_;
        recent_ = 0;
        room_ = most;
        if (recent == 0) return;
        bin(base_ + 32) += recent >> 32;
        bin(base_) += recent & 0xffffffff;
    }

    // Most sums meet a few exponents: only those between the smallest and the largest are kept.
    __int128& bin(std::size_t exponent) {
        if (exponent - first_ >= bins_.size()) widen(exponent);
        return bins_[exponent - first_];
    }

    void widen(std::size_t exponent) {
        if (bins_.empty()) first_ = exponent;
        const std::size_t end = std::max(first_ + bins_.size(), exponent + 1);
        if (exponent < first_) {
            bins_.insert(bins_.begin(), first_ - exponent, 0);
            first_ = exponent;
        }
        bins_.resize(end - first_);
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

    // What lies near 1 is added up apart, in registers; none of it is lost when it is settled.
    static constexpr std::size_t base_ = 1023 - 60;
    __int128 recent_ = 0;
    std::size_t room_ = most;
    std::size_t first_ = 0;
    std::vector<__int128> bins_;
};

}  // namespace pingce
