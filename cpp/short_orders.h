// Sequences of a few numbers, in which every pair is compared, four pairs at a time: sooner than anything could be
// sorted, and without a branch that depends on a number.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "portable.h"

namespace pingce::detail {

PINGCE_VECTOR(Four, std::int32_t, 16);

inline Four four_at(const std::int32_t* from) {
    Four four;
    std::memcpy(&four, from, sizeof four);
    return four;
}

inline std::uint32_t sum_of(Four four) { return static_cast<std::uint32_t>(four[0] + four[1] + four[2] + four[3]); }

// Keys of a few items cut down to 30 bits: those in which they first differ. The order is theirs; two that are equal
// may differ in the bits below, unless no key does.
class ShortKeys {
 public:
    static constexpr std::size_t most = 64;

    // `key_at(i)` is the key of the i-th of `count` items, of which there is at least one, and no more than `most`.
    template <class KeyAt>
    ShortKeys(std::size_t count, const KeyAt& key_at) : count_(count) {
        std::uint64_t differ = 0;
        const std::uint64_t first = key_at(0);
        for (std::size_t i = 1; i < count; ++i) differ |= key_at(i) ^ first;
        const auto width = static_cast<unsigned>(std::bit_width(differ));
        const unsigned shift = width > bits ? width - bits : 0;
        is_whole_ = (differ & ((std::uint64_t{1} << shift) - 1)) == 0;
        for (std::size_t i = 0; i < count; ++i) keys_[i] = static_cast<std::int32_t>(key_at(i) >> shift & mask);
    }

    // Whether nothing was cut off: what is equal here is equal.
    [[nodiscard]] bool is_whole() const { return is_whole_; }

    struct Pairs {
        std::uint32_t inverted;  // the earlier key is the greater one
        std::uint32_t equal;
    };

    [[nodiscard]] Pairs pairs() {
        for (std::size_t i = 0; i < 4; ++i) keys_[count_ + i] = mask + 1 + static_cast<std::int32_t>(i);  // above all
        Four inverted{}, equal{};
        for (std::size_t first = 0; first < count_; first += 4) {
            const Four here = four_at(keys_ + first);
            for (std::size_t at = first + 1; at < count_; ++at) {
                const Four other = four_at(keys_ + at);
                inverted -= here > other;
                equal -= here == other;
            }
        }
        return {sum_of(inverted), sum_of(equal)};
    }

    // How many keys are below each; says whether no two are equal. `places` has room for three more.
    bool rank(std::int32_t* places) {
        std::copy_n(keys_, count_, keys_ + count_);  // so that all others follow every key
        std::fill_n(keys_ + 2 * count_, 4, 0);
        std::uint32_t sum = 0;
        for (std::size_t first = 0; first < count_; first += 4) {
            const Four here = four_at(keys_ + first);
            Four below{};
            for (std::size_t at = first + 1; at < first + count_; ++at) below -= here > four_at(keys_ + at);
            std::memcpy(places + first, &below, sizeof below);
        }
        for (std::size_t i = 0; i < count_; ++i) sum += static_cast<std::uint32_t>(places[i]);
        return sum == count_ * (count_ - 1) / 2;
    }

 private:
    static constexpr unsigned bits = 30;
    static constexpr std::int32_t mask = (std::int32_t{1} << bits) - 1;

    std::size_t count_;
    bool is_whole_;
    std::int32_t keys_[2 * most + 4];
};

}  // namespace pingce::detail
