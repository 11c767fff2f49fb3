// Ids of one size, compared and hashed where they lie: a short string holds its letters itself, a long one points to
// them.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "hashes.h"
#include "portable.h"

namespace pingce {

namespace detail {

// A number whose first byte in memory weighs most, or such a number as memory has it.
template <class Word>
Word in_order(Word word) {
    if constexpr (std::endian::native == std::endian::little) {
        if constexpr (sizeof word >= 4) return reversed_bytes(word);
    }
    return word;
}

// Bytes as a number that orders as they do: the first one weighs most.
template <class Word>
std::uint64_t load_ordered(const char* from) {
    Word word = 0;
    std::memcpy(&word, from, sizeof word);
    return in_order(word);
}

// Up to eight bytes as such a number, zeros behind them.
inline std::uint64_t load_ordered(const char* from, std::size_t bytes) {
    if (bytes >= 8) return load_ordered<std::uint64_t>(from);
    if (bytes == 0) return 0;
    const std::size_t behind = 64 - 8 * bytes;
    if (bytes >= 4)
        return load_ordered<std::uint32_t>(from) << 32 | load_ordered<std::uint32_t>(from + bytes - 4) << behind;
    return load<std::uint8_t>(from) << 56 | load<std::uint8_t>(from + bytes / 2) << (56 - bytes / 2 * 8) |
           load<std::uint8_t>(from + bytes - 1) << behind;
}

}  // namespace detail

// Up to 15 letters and their number as two words that order as strings do; or where more letters are, and how many.
class PackedString {
 public:
    PackedString() = default;
    explicit PackedString(std::string_view id) {
        if (id.size() <= longest_within) {
            high_ = detail::load_ordered(id.data(), id.size());
            low_ = (id.size() > 8 ? tail_of(id) : 0) | id.size();
        } else {
            high_ = reinterpret_cast<std::uintptr_t>(id.data());
            low_ = static_cast<std::uint64_t>(id.size()) << 8 | long_mark;
        }
    }

    // Two words that order as strings do, except for long ones that begin with the same 15 letters.
    struct Rank {
        std::uint64_t high = 0, low = 0;
        auto operator<=>(const Rank&) const = default;
    };
    [[nodiscard]] Rank rank() const {
        if (!is_long()) return {high_, low_};
        return {detail::load_ordered<std::uint64_t>(letters().data()),
                detail::load_ordered<std::uint64_t>(letters().data() + 8) | long_mark};
    }

    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(is_long() ? low_ >> 8 : low_ & 0xff); }
    // Writes its letters.
    void copy(std::uint8_t* to) const {
        if (is_long()) {
            std::memcpy(to, letters().data(), size());
            return;
        }
        const std::uint64_t words[2] = {detail::in_order(high_), detail::in_order(low_)};
        std::memcpy(to, words, size());
    }

    friend bool same(const PackedString& a, const PackedString& b) {
        if (a.high_ == b.high_ && a.low_ == b.low_) return true;
        return a.low_ == b.low_ && a.is_long() && same(a.letters(), b.letters());
    }
    friend bool operator<(const PackedString& a, const PackedString& b) {
        const Rank mine = a.rank(), other = b.rank();
        return mine != other ? mine < other : a.is_long() && a.letters() < b.letters();
    }
    friend std::uint64_t hash_with(const detail::Key& key, const PackedString& id) {
        if (id.is_long()) return detail::hash_with(key, id.letters());
        return detail::fold(detail::fold(id.high_ ^ key.begin, detail::k1) ^ id.low_, key.last);
    }

 private:
    static constexpr std::size_t longest_within = 15;
    static constexpr std::uint64_t long_mark = 0xff;

    // The letters after the eighth, with room for a byte behind them.
    static std::uint64_t tail_of(std::string_view id) {
        return detail::load_ordered<std::uint64_t>(id.data() + id.size() - 8) << (128 - 8 * id.size());
    }

    [[nodiscard]] bool is_long() const { return (low_ & long_mark) == long_mark; }
    [[nodiscard]] std::string_view letters() const {
        return {reinterpret_cast<const char*>(high_), static_cast<std::size_t>(low_ >> 8)};
    }

    std::uint64_t high_ = 0, low_ = 0;
};

inline PackedString pack(std::string_view id) { return PackedString(id); }
inline std::int64_t pack(std::int64_t id) { return id; }

template <class Ids>
using PackedId = decltype(pack(std::declval<typename Ids::Value>()));

}  // namespace pingce
