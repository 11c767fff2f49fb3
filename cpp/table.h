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
        const std::size_t room = count < near ? 4 : 2;
        const std::size_t slots = std::bit_ceil(count * room + 2);
        if (slots > slots_.size() || slots * 8 < slots_.size()) slots_.resize(slots);
        mask_ = slots - 1;
        std::fill_n(slots_.begin(), slots, empty);
    }

    // Where the id is, or `none`.
    template <class Holds>
    [[nodiscard]] std::uint32_t find(std::uint64_t hash, const Holds& holds) const {
        const Slot slot = slots_[slot_of(hash, holds)];
        return slot == empty ? none : place_in(slot);
    }

    // Puts the id at `place` unless it is there already; returns where it was, or `none`.
    template <class Holds>
    std::uint32_t insert(std::uint64_t hash, std::uint32_t place, const Holds& holds) {
        Slot& slot = slots_[slot_of(hash, holds)];
        if (slot == empty) {
            slot = tag(hash) | place;
            return none;
        }
        return place_in(slot);
    }

 private:
    // A place in the bits that it may need, and in those above it some of the id's hash: few ids that differ are
    // compared. No place has all its bits: there are more slots than places.
    using Slot = std::uint32_t;
    static constexpr Slot empty = none;
    static constexpr std::size_t near = std::size_t{1} << 16;  // ids whose slots a cache holds: room to spare is cheap

    [[nodiscard]] Slot tag(std::uint64_t hash) const { return tag_in(static_cast<Slot>(hash >> 32)); }
    [[nodiscard]] Slot tag_in(Slot slot) const { return slot & ~static_cast<Slot>(mask_); }
    [[nodiscard]] std::uint32_t place_in(Slot slot) const { return slot & static_cast<Slot>(mask_); }

    template <class Holds>
    std::size_t slot_of(std::uint64_t hash, const Holds& holds) const {
        const Slot sought = tag(hash);
        std::size_t at = hash & mask_;
        while (slots_[at] != empty) {
            if (tag_in(slots_[at]) == sought && holds(place_in(slots_[at]))) break;
            at = (at + 1) & mask_;
        }
        return at;
    }

    std::vector<Slot> slots_;
    std::size_t mask_ = 0;
};

}  // namespace pingce
