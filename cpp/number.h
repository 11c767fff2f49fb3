// Decimal text to double, correctly rounded.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

#include "portable.h"

namespace pingce {
namespace detail {

// Up to eight bytes as a number, the first one lowest, zeros above.
inline std::uint64_t load_bytes(const char* from, std::size_t bytes) {
    const auto load = [from]<class Word>(std::size_t at, Word word) {
        std::memcpy(&word, from + at, sizeof word);
        return static_cast<std::uint64_t>(word);
    };
    if (bytes == 8) return load(0, std::uint64_t{});
    if (bytes >= 4) return load(0, std::uint32_t{}) | load(bytes - 4, std::uint32_t{}) << (8 * (bytes - 4));
    if (bytes == 0) return 0;
    return load(0, std::uint8_t{}) | load(bytes / 2, std::uint8_t{}) << (bytes / 2 * 8) |
           load(bytes - 1, std::uint8_t{}) << (8 * (bytes - 1));
}

// Some digits, perhaps with a decimal point among them.
struct Digits {
    std::uint64_t value = 0;
    unsigned count = 0, after_point = 0;
    bool has_point = false, valid = false;
};

constexpr std::uint64_t every_byte = 0x0101010101010101ULL;

// Of up to eight letters, all at once.
inline Digits digits_of(const char* from, std::size_t letters) {
    Digits out;
    std::uint64_t word = load_bytes(from, letters);
    auto count = static_cast<unsigned>(letters);
    const std::uint64_t other = word ^ every_byte * '.', points = (other - every_byte) & ~other & every_byte << 7;
    const auto point = static_cast<unsigned>(std::countr_zero(points)) / 8;
    if (point < count) {
        const std::uint64_t before = (std::uint64_t{1} << (8 * point)) - 1;
        word = (word & before) | (word >> 8 & ~before);
        out.has_point = true;
        out.after_point = --count - point;
    }
    out.count = count;
    if (count == 0) {
        out.valid = true;
        return out;
    }
    const unsigned room = 64 - 8 * count;  // zeros are put before the digits
    word = word << room | (room > 0 ? every_byte * '0' >> (8 * count) : 0);
    constexpr std::uint64_t upper = every_byte * 0xf0;
    out.valid = ((word & upper) | ((word + every_byte * 6) & upper) >> 4) == every_byte * 0x33;
    word = (word & every_byte * 0x0f) * 2561 >> 8;
    word = (word & 0x00ff00ff00ff00ffULL) * 6553601 >> 16;
    out.value = (word & 0x0000ffff0000ffffULL) * 42949672960001 >> 32;
    return out;
}

// Up to 15 digits with a decimal point: both the digits and the power of ten are exact doubles, so one division is
// correctly rounded. False where the text is of any other form.
inline bool short_decimal(std::string_view text, double& out) {
    static constexpr double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                        1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    static constexpr std::uint64_t tens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    if constexpr (std::endian::native != std::endian::little) return false;
    const bool negative = !text.empty() && text.front() == '-';
    if (negative) text.remove_prefix(1);
    if (text.empty() || text.size() > 16) return false;
    Digits digits = digits_of(text.data(), std::min<std::size_t>(text.size(), 8));
    if (text.size() > 8) {
        const Digits rest = digits_of(text.data() + 8, text.size() - 8);
        if (digits.has_point && rest.has_point) return false;
        digits.value = digits.value * tens[rest.count] + rest.value;
        digits.count += rest.count;
        digits.after_point = digits.has_point ? digits.after_point + rest.count : rest.after_point;
        digits.valid = digits.valid && rest.valid;
    }
    if (!digits.valid || digits.count == 0 || digits.count > 15) return false;
    const double value = static_cast<double>(digits.value) / powers[digits.after_point];
    out = negative ? -value : value;
    return true;
}

// Of a number beyond the range of doubles: whether it is too small rather than too large. What decides is the place of
// its first digit that is not 0, counted from the decimal point and moved by the exponent.
inline bool is_tiny(std::string_view text) {
    const std::size_t end = std::min(text.find_first_of("eE"), text.size());
    long long exponent = 0;
    if (end < text.size()) {
        const std::size_t from = end + (text[end + 1] == '+' ? 2 : 1);
        const auto [stop, error] = std::from_chars(text.data() + from, text.data() + text.size(), exponent);
        if (error == std::errc::result_out_of_range) return text[from] == '-';
    }
    constexpr long long far = 1LL << 62;  // no text is so long: the sum below stays within its type
    const std::string_view digits = text.substr(0, end);
    const auto point = static_cast<long long>(std::min(digits.find('.'), end));
    const auto first = static_cast<long long>(std::min(digits.find_first_of("123456789"), end));
    return point - first + std::clamp(exponent, -far, far) < 0;
}

}  // namespace detail

// The whole text must be a number: as Python's float() reads it, without underscores.
inline bool to_number(std::string_view text, double& out) {
    if (detail::short_decimal(text, out)) return true;
    const bool plus = !text.empty() && text.front() == '+';
    if (plus) text.remove_prefix(1);
    if (text.empty() || (plus && text.front() == '-') || text.back() == ')') return false;  // no +-1, no nan(…)
    const auto [stop, error] = read_decimal(text.data(), text.data() + text.size(), out);
    if (stop != text.data() + text.size()) return false;
    if (error == std::errc::result_out_of_range) {  // the value is left alone
        const double beyond = detail::is_tiny(text) ? 0.0 : std::numeric_limits<double>::infinity();
        out = text.front() == '-' ? -beyond : beyond;
        return true;
    }
    return error == std::errc{};
}

}  // namespace pingce
