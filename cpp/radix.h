// Floats as integers of the same order, and a sort of what has such a key by its leading bits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

namespace pingce {

template <class Score>
using KeyOf = std::conditional_t<sizeof(Score) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;

// Greater for a greater number; equal for both zeros. The number must not be NaN.
template <class Score>
KeyOf<Score> ordered_key(Score score) {
    using Key = KeyOf<Score>;
    constexpr unsigned last = 8 * sizeof(Key) - 1;
    const Key bits = std::bit_cast<Key>(score + Score{0});
    return bits ^ ((Key{0} - (bits >> last)) | Key{1} << last);
}

// The number of a key.
template <class Score>
Score number_of(KeyOf<Score> key) {
    using Key = KeyOf<Score>;
    constexpr unsigned last = 8 * sizeof(Key) - 1;
    return std::bit_cast<Score>(key ^ (((key >> last) - Key{1}) | Key{1} << last));
}

// What is sorted is a key, or has one and breaks ties by more than it: `<` says how.
template <std::unsigned_integral Key>
Key key_of(Key key) {
    return key;
}
template <class Item>
auto key_of(const Item& item) -> decltype(item.key) {
    return item.key;
}

// The lowest key of some items, and how far above it the highest one is.
template <class Key>
struct KeySpan {
    Key lowest, span;
};

template <class Item>
auto key_span(std::span<const Item> items) {
    auto least = key_of(items.front()), most = least;
    for (const Item& item : items) {
        least = std::min(least, key_of(item));
        most = std::max(most, key_of(item));
    }
    return KeySpan<decltype(least)>{least, static_cast<decltype(least)>(most - least)};
}
template <class Item>
auto key_span(std::span<Item> items) {
    return key_span(std::span<const Item>(items));
}

// Sorts what fits into the cache, ascending: by as many leading bits as tell most keys apart, then what these leave.
template <class Item>
class Sorter {
 public:
    void sort(std::span<Item> items) {
        if (items.size() < few || items.size() > many) return std::sort(items.begin(), items.end());
        const auto [lowest, span] = key_span(items);
        lowest_ = lowest;
        const auto width = static_cast<unsigned>(std::bit_width(span));
        const unsigned bits = std::min(width, digits_for(items.size()));
        shift_ = width - bits;
        sort_by_leading(items, bits);
        settle(items);
    }

 private:
    using Key = decltype(key_of(std::declval<const Item&>()));
    static constexpr std::size_t few = 48, many = 0xffffffff;  // positions have 32 bits
    static constexpr unsigned most_digits = 11;

    // Bits that tell most of so many keys apart; a second pass for one bit more does not pay.
    static unsigned digits_for(std::size_t items) {
        const auto bits = static_cast<unsigned>(std::bit_width(items)) + 1;
        return bits == most_digits + 1 ? most_digits : bits;
    }

    [[nodiscard]] Key leading(const Item& item) const { return static_cast<Key>((key_of(item) - lowest_) >> shift_); }

    // Digit by digit, the lowest first.
    void sort_by_leading(std::span<Item> items, unsigned bits) {
        if (bits == 0) return;
        spare_.resize(std::max(spare_.size(), items.size()));
        const unsigned passes = (bits + most_digits - 1) / most_digits, digits = (bits + passes - 1) / passes;
        const Key mask = static_cast<Key>((Key{1} << digits) - 1);
        Item *from = items.data(), *to = spare_.data();
        for (unsigned pass = 0; pass < passes; ++pass) {
            std::array<std::uint32_t, std::size_t{1} << most_digits> counts;
            const std::span<std::uint32_t> at = std::span(counts).first(std::size_t{1} << digits);
            std::fill(at.begin(), at.end(), 0);
            const unsigned low = pass * digits;
            for (std::size_t i = 0; i < items.size(); ++i) ++at[leading(from[i]) >> low & mask];
            std::exclusive_scan(at.begin(), at.end(), at.begin(), std::uint32_t{0});
            for (std::size_t i = 0; i < items.size(); ++i) to[at[leading(from[i]) >> low & mask]++] = from[i];
            std::swap(from, to);
        }
        if (from != items.data()) std::copy_n(from, items.size(), items.data());
    }

    // What shares its leading bits stands side by side.
    void settle(std::span<Item> items) {
        for (std::size_t i = 1; i < items.size(); ++i) {
            if (!(items[i] < items[i - 1])) continue;
            std::size_t begin = i - 1;
            const Key shared = leading(items[i]);
            while (begin > 0 && leading(items[begin - 1]) == shared) --begin;
            while (i + 1 < items.size() && leading(items[i + 1]) == shared) ++i;
            std::sort(items.begin() + static_cast<std::ptrdiff_t>(begin),
                      items.begin() + static_cast<std::ptrdiff_t>(i + 1));
        }
    }

    Key lowest_ = 0;
    unsigned shift_ = 0;
    std::vector<Item> spare_;
};

}  // namespace pingce
