// Pairs of a group and an item, by group: how many groups have each item, and whether a group has some item.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "buffer.h"
#include "parallel.h"

namespace pingce {

class PairIndex {
 public:
    // Numbers of groups and items lie below `groups` and `items`: others are refused.
    PairIndex(std::span<const std::int64_t> group, std::span<const std::int64_t> item, std::size_t groups,
              std::size_t items, const Poll& poll);

    // How many groups have each item; a pair that is there twice counts once.
    [[nodiscard]] Buffer<std::int64_t> owners(const Poll& poll) const;

    // Whether each pair is there; a number that is none (-1) is in no pair. Pairs of a group had better stand together.
    [[nodiscard]] Buffer<std::uint8_t> has(std::span<const std::int64_t> group, std::span<const std::int64_t> item,
                                           const Poll& poll) const;

 private:
    [[nodiscard]] std::span<const std::uint32_t> items_of(std::size_t group) const {
        return std::span(item_).subspan(begin_[group], begin_[group + 1] - begin_[group]);
    }

    std::size_t items_;
    std::vector<std::size_t> begin_;   // one more than groups
    std::vector<std::uint32_t> item_;  // of each group, one after another
};

}  // namespace pingce
