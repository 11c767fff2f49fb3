// Decimals for portable.h where the library reads none: by the C library, in the locale of the language C.
#pragma once

#include <cerrno>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#if defined(__APPLE__)
#include <xlocale.h>
#endif

namespace pingce {

namespace detail {

inline double c_decimal(const char* text, char** stop) {
#if defined(_WIN32)
    static const _locale_t plain = _create_locale(LC_ALL, "C");
    return _strtod_l(text, stop, plain);
#else
    static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
    return strtod_l(text, stop, plain);
#endif
}

}  // namespace detail

// What std::from_chars does not take, the C library does: blanks, a sign +, hexadecimal digits.
inline std::from_chars_result plain_decimal(const char* first, const char* last, double& out) {
    const std::string text(first, last);
    if (text.empty() || std::string_view("-.0123456789iInN").find(text.front()) == std::string_view::npos ||
        text.find_first_of("xX") != std::string::npos)
        return {first, std::errc::invalid_argument};
    char* stop = nullptr;
    errno = 0;
    const double value = detail::c_decimal(text.c_str(), &stop);
    if (stop == text.c_str()) return {first, std::errc::invalid_argument};
    const char* const behind = first + (stop - text.c_str());
    if (errno == ERANGE && (value == 0.0 || std::isinf(value))) return {behind, std::errc::result_out_of_range};
    out = value;
    return {behind, std::errc{}};
}

}  // namespace pingce
