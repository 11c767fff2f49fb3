// Id columns as the core sees them: views of memory that Python owns.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace pingce {

namespace detail {

inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t load(const char* from, std::size_t bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, bytes);
    return word;
}

}  // namespace detail

// A hash decides only where an id is looked for; no result depends on its value.
inline std::uint64_t hash_of(std::string_view id) {
    constexpr std::uint64_t k0 = 0x9e3779b97f4a7c15ULL, k1 = 0xd6e8feb86659fd93ULL;
    std::uint64_t state = id.size() * k1 + k0;
    const char* at = id.data();
    std::size_t left = id.size();
    for (; left > 8; at += 8, left -= 8) state = detail::fold(state ^ detail::load(at, 8), k1);
    return detail::fold(state ^ detail::load(at, left), k0);
}

inline std::uint64_t hash_of(std::int64_t id) {
    return detail::fold(static_cast<std::uint64_t>(id) ^ 0xd6e8feb86659fd93ULL, 0x9e3779b97f4a7c15ULL);
}

// UTF-8 ids; id i is data[starts[i], ends[i]). Arrow's string and large_string columns have this shape, and so have
// slices of a text file. Byte order equals code-point order.
struct StringIds {
    using Value = std::string_view;
    const char* data = nullptr;
    const void* starts = nullptr;
    const void* ends = nullptr;
    bool wide = false;  // 64-bit offsets, else 32-bit
    std::size_t rows = 0;

    [[nodiscard]] std::size_t size() const { return rows; }
    [[nodiscard]] Value operator[](std::size_t row) const {
        const std::int64_t from =
            wide ? static_cast<const std::int64_t*>(starts)[row] : static_cast<const std::int32_t*>(starts)[row];
        const std::int64_t to =
            wide ? static_cast<const std::int64_t*>(ends)[row] : static_cast<const std::int32_t*>(ends)[row];
        return {data + from, static_cast<std::size_t>(to - from)};
    }
};

struct IntIds {
    using Value = std::int64_t;
    const std::int64_t* values = nullptr;
    std::size_t rows = 0;

    [[nodiscard]] std::size_t size() const { return rows; }
    [[nodiscard]] Value operator[](std::size_t row) const { return values[row]; }
};

}  // namespace pingce
