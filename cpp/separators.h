// White space in text, found 64 bytes at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace pingce {

// The white-space characters of C: they end a field, and a line feed ends the line.
inline bool is_separator(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

namespace detail {

constexpr std::size_t block_bytes = 64;

// Bit i says whether byte i of the block is a separator.
inline std::uint64_t separators_in(const char* block) {
    std::uint64_t found = 0;
#if defined(__SSE2__)
    const __m128i blank = _mm_set1_epi8(' '), tab = _mm_set1_epi8('\t'), span = _mm_set1_epi8('\r' - '\t');
    for (int i = 0; i < 4; ++i) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * i));
        const __m128i above = _mm_subs_epu8(_mm_sub_epi8(bytes, tab), span);  // 0 from tab to carriage return
        const __m128i is = _mm_or_si128(_mm_cmpeq_epi8(bytes, blank), _mm_cmpeq_epi8(above, _mm_setzero_si128()));
        found |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(is))) << (16 * i);
    }
#else
    for (std::size_t i = 0; i < block_bytes; ++i) found |= std::uint64_t{is_separator(block[i])} << i;
#endif
    return found;
}

}  // namespace detail

// How many line feeds a text has.
inline std::size_t count_line_ends(std::string_view text) {
    std::size_t count = 0, at = 0;
#if defined(__SSE2__)
    const __m128i end = _mm_set1_epi8('\n'), zero = _mm_setzero_si128();
    constexpr std::size_t bytes = 16, most = 255;  // as many blocks as a byte can count
    while (text.size() - at >= bytes) {
        __m128i sums = zero;
        for (std::size_t i = 0; i < most && text.size() - at >= bytes; ++i, at += bytes) {
            const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
            sums = _mm_sub_epi8(sums, _mm_cmpeq_epi8(block, end));
        }
        const __m128i halves = _mm_sad_epu8(sums, zero);
        count += static_cast<std::size_t>(_mm_cvtsi128_si32(halves) + _mm_cvtsi128_si32(_mm_srli_si128(halves, 8)));
    }
#endif
    return count +
           static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), '\n'));
}

// Whether every byte of a text is ASCII.
inline bool is_ascii(std::string_view text) {
    std::uint64_t bits = 0;
    std::size_t at = 0;
    for (std::uint64_t word = 0; text.size() - at >= sizeof word; at += sizeof word) {
        std::memcpy(&word, text.data() + at, sizeof word);
        bits |= word;
    }
    for (; at < text.size(); ++at) bits |= static_cast<unsigned char>(text[at]);
    return (bits & 0x8080808080808080U) == 0;
}

// The places of all separators of a text, one after another, found some thousand bytes at a time.
class Separators {
 public:
    explicit Separators(std::string_view text) : text_(text), places_(room) {}

    // Whether there are so many more, which must be few; those that are there begin at places().
    bool has(std::size_t count) {
        while (found_ - next_ < count && at_ < text_.size()) find_more();
        return found_ - next_ >= count;
    }
    // Counted from the beginning of the text.
    [[nodiscard]] const std::size_t* places() const { return places_.data() + next_; }
    void pass(std::size_t count) { next_ += count; }

 private:
    static constexpr std::size_t bytes_at_once = std::size_t{1} << 12;
    static constexpr std::size_t room = 2 * bytes_at_once;

    void find_more() {
        std::copy(places_.data() + next_, places_.data() + found_, places_.data());
        found_ -= next_;
        next_ = 0;
        const std::size_t end = std::min(text_.size(), at_ + bytes_at_once);
        for (; at_ + detail::block_bytes <= end; at_ += detail::block_bytes)
            add(detail::separators_in(text_.data() + at_));
        if (end < text_.size() || at_ == end) return;
        char last[detail::block_bytes] = {};
        std::memcpy(last, text_.data() + at_, end - at_);
        add(detail::separators_in(last));
        at_ = end;
    }

    void add(std::uint64_t block) {
        std::size_t* to = places_.data() + found_;
        for (; block != 0; block &= block - 1) *to++ = at_ + static_cast<std::size_t>(std::countr_zero(block));
        found_ = static_cast<std::size_t>(to - places_.data());
    }

    std::string_view text_;
    std::vector<std::size_t> places_;
    std::size_t at_ = 0, next_ = 0, found_ = 0;
};

}  // namespace pingce
