// Whether two ids are one, and their hashes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "portable.h"

namespace pingce {

namespace detail {

inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<UInt128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

template <class Word>
std::uint64_t load(const char* from) {
    Word word = 0;
    std::memcpy(&word, from, sizeof word);
    return word;
}

// Up to eight bytes as a number, without a call for a copy of so few: different bytes of one length differ in it.
inline std::uint64_t load_short(const char* from, std::size_t bytes) {
    if (bytes >= 4) return load<std::uint32_t>(from) | load<std::uint32_t>(from + bytes - 4) << 32;
    if (bytes == 0) return 0;
    return load<std::uint8_t>(from) | load<std::uint8_t>(from + bytes / 2) << 8 |
           load<std::uint8_t>(from + bytes - 1) << 16;
}

}  // namespace detail

// Whether two ids are one. Most ids are so short that a call of memcmp costs more than the comparison.
inline bool same(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    const std::size_t bytes = a.size();
    if (bytes <= 8) return detail::load_short(a.data(), bytes) == detail::load_short(b.data(), bytes);
    for (std::size_t at = 0; at + 8 < bytes; at += 8) {
        if (detail::load<std::uint64_t>(a.data() + at) != detail::load<std::uint64_t>(b.data() + at)) return false;
    }
    return detail::load<std::uint64_t>(a.data() + bytes - 8) == detail::load<std::uint64_t>(b.data() + bytes - 8);
}

inline bool same(std::int64_t a, std::int64_t b) { return a == b; }

namespace detail {

constexpr std::uint64_t k0 = 0x9e3779b97f4a7c15ULL, k1 = 0xd6e8feb86659fd93ULL;

// What a hash begins with, and what its last step multiplies by.
struct Key {
    std::uint64_t begin = k0, last = k0;
};

inline std::uint64_t hash_with(const Key& key, std::string_view id) {
    std::uint64_t state = id.size() * k1 + key.begin;
    const char* at = id.data();
    std::size_t left = id.size();
    for (; left > 8; at += 8, left -= 8) state = fold(state ^ load<std::uint64_t>(at), k1);
    return fold(state ^ load_short(at, left), key.last);
}

inline std::uint64_t hash_with(const Key& key, std::int64_t id) {
    return fold(static_cast<std::uint64_t>(id) ^ k1 ^ key.begin, key.last);
}

// Another one in every process: whoever writes ids cannot choose such as fall upon each other.
Key random_key();
inline const Key process_key = random_key();

}  // namespace detail

// Decides only where an id is looked for in a table; no result depends on its value, which no other process has.
template <class Id>
std::uint64_t hash_of(const Id& id) {
    using detail::hash_with;
    return hash_with(detail::process_key, id);
}

// Decides which ids are worked on together: the same in every process, as the order of results may follow it.
template <class Id>
std::uint64_t dealing_hash(const Id& id) {
    using detail::hash_with;
    return hash_with(detail::Key{}, id);
}

}  // namespace pingce
