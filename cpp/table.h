// An open-addressing table from id to position. Ids are not copied: the caller says whether position p holds an id.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "stop.h"

namespace pingce {

class PositionTable {
 public:
    static constexpr std::uint32_t none = 0xffffffffU;

    // Empties the table and makes room for `count` ids; 2^32 - 1 are too many.
    void reset(std::size_t count) {
        refuse_beyond_32_bits(count);
        const std::size_t slots = std::bit_ceil(count * 2 + 2);
        if (slots > slots_.size() || slots * 8 < slots_.size()) slots_.resize(slots);
        mask_ = slots - 1;
        std::fill_n(slots_.begin(), slots, empty);
    }

    // Where the id is, or `none`.
    template <class Holds>
    [[nodiscard]] std::uint32_t find(std::uint64_t hash, const Holds& holds) const {
        return position(slots_[slot_of(hash, holds)]);
    }

    // Puts the id at `place` unless it is there already; returns where it was, or `none`.
    template <class Holds>
    std::uint32_t insert(std::uint64_t hash, std::uint32_t place, const Holds& holds) {
        std::uint64_t& slot = slots_[slot_of(hash, holds)];
        if (slot == empty) {
            slot = tag(hash) | place;
            return none;
        }
        return position(slot);
    }

 private:
    static constexpr std::uint64_t empty = ~0ULL;
    static std::uint64_t tag(std::uint64_t hash) { return hash & 0xffffffff00000000ULL; }
    static std::uint32_t position(std::uint64_t slot) { return static_cast<std::uint32_t>(slot); }

    template <class Holds>
    std::size_t slot_of(std::uint64_t hash, const Holds& holds) const {
        std::size_t at = hash & mask_;
        while (slots_[at] != empty) {
            if (tag(slots_[at]) == tag(hash) && holds(position(slots_[at]))) break;
            at = (at + 1) & mask_;
        }
        return at;
    }

    std::vector<std::uint64_t> slots_;
    std::size_t mask_ = 0;
};

}  // namespace pingce
