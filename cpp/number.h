// Decimal text to double, correctly rounded.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>

namespace pingce {
namespace detail {

// Up to 15 digits with a decimal point: both the digits and the power of ten are exact doubles, so one division is
// correctly rounded. False where the text is of any other form.
inline bool short_decimal(std::string_view text, double& out) {
    static constexpr double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                        1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const bool negative = !text.empty() && text.front() == '-';
    if (negative) text.remove_prefix(1);
    if (text.empty() || text.size() > 16) return false;
    std::int64_t digits = 0;
    std::size_t point = text.size();
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto digit = static_cast<unsigned char>(text[i] - '0');
        if (digit <= 9) {
            digits = digits * 10 + digit;
        } else if (text[i] == '.' && point == text.size()) {
            point = i;
        } else {
            return false;
        }
    }
    const bool has_point = point < text.size();
    const std::size_t count = text.size() - (has_point ? 1 : 0), after_point = has_point ? text.size() - point - 1 : 0;
    if (count == 0 || count > 15) return false;
    const double value = static_cast<double>(digits) / powers[after_point];
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
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (stop != text.data() + text.size()) return false;
    if (error == std::errc::result_out_of_range) {  // from_chars leaves the value alone
        const double beyond = detail::is_tiny(text) ? 0.0 : std::numeric_limits<double>::infinity();
        out = text.front() == '-' ? -beyond : beyond;
        return true;
    }
    return error == std::errc{};
}

}  // namespace pingce
