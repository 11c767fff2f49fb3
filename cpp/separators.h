// White space in text, found 64 bytes at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

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

// Calls action(position) for every separator of [begin, end), from the front, until it says false.
template <class Action>
void for_each_separator(const char* begin, const char* end, const Action& action) {
    for (const char* block = begin; block < end; block += detail::block_bytes) {
        const auto left = static_cast<std::size_t>(end - block);
        std::uint64_t found = 0;
        if (left >= detail::block_bytes) {
            found = detail::separators_in(block);
        } else {
            char last[detail::block_bytes] = {};
            std::memcpy(last, block, left);
            found = detail::separators_in(last);
        }
        for (; found != 0; found &= found - 1) {
            if (!action(block + std::countr_zero(found))) return;
        }
    }
}

}  // namespace pingce
