// What compilers have and the standard does not name, or not all of them have: the only file that tells them apart.
// PINGCE_PLAIN takes the plain alternatives with any compiler, so that they are tested where nobody needs them.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(PINGCE_PLAIN)
#define PINGCE_GNU
#endif

#if defined(PINGCE_GNU)
#define PINGCE_NEVER_INLINE [[gnu::noinline]]
#define PINGCE_ALWAYS_INLINE [[gnu::always_inline]]
// A register of so many bytes.
#define PINGCE_VECTOR(name, Element, bytes) using name [[gnu::vector_size(bytes)]] = Element
#else
#define PINGCE_NEVER_INLINE
#define PINGCE_ALWAYS_INLINE
#define PINGCE_VECTOR(name, Element, bytes) using name = ::pingce::PlainVector<Element, (bytes) / sizeof(Element)>
#endif

#if defined(PINGCE_GNU)

namespace pingce {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

}  // namespace pingce

#else
#include "plain.h"
#endif

#if !defined(__cpp_lib_to_chars) || defined(PINGCE_PLAIN)
#include "decimals.h"
#endif

// Functions are of each file that includes this: one that is compiled for wider registers must not lend its own to
// others.
namespace pingce {

template <class To, class From>
static inline To same_bits(From value) {
    return __builtin_bit_cast(To, value);  // of all three compilers; that of the standard is a function of a header
}

static inline std::uint64_t reversed_bytes(std::uint64_t word) {
#if defined(PINGCE_GNU)
    return __builtin_bswap64(word);
#else
    std::uint64_t out = 0;
    for (int byte = 0; byte < 8; ++byte) out = out << 8 | (word >> 8 * byte & 255);
    return out;
#endif
}

static inline std::uint32_t reversed_bytes(std::uint32_t word) {
#if defined(PINGCE_GNU)
    return __builtin_bswap32(word);
#else
    return static_cast<std::uint32_t>(reversed_bytes(std::uint64_t{word}) >> 32);
#endif
}

// As std::from_chars, which not every library has for doubles.
static inline std::from_chars_result read_decimal(const char* first, const char* last, double& out) {
#if defined(__cpp_lib_to_chars) && !defined(PINGCE_PLAIN)
    return std::from_chars(first, last, out);
#else
    return plain_decimal(first, last, out);
#endif
}

#if defined(PINGCE_AVX2)  // which CMake defines where the compiler can be told to use it

static inline bool has_avx2() { return __builtin_cpu_supports("avx2"); }
static inline bool has_fma() { return __builtin_cpu_supports("fma"); }

#endif

}  // namespace pingce
