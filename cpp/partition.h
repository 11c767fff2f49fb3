// Rows in any order, dealt out by the hash of their id: every id has all its rows in one hand, and a hand fits in the
// cache.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "buffer.h"
#include "packed.h"
#include "parallel.h"
#include "table.h"

namespace pingce {

// A row with all that is wanted of it, so that nobody has to look for it again.
template <class Id, class Payload>
struct DealtRow {
    Id id;
    Payload payload;
};

template <class Id, class Payload>
class Hands {
 public:
    using Row = DealtRow<Id, Payload>;

    Hands(Buffer<Row>&& rows, std::vector<std::size_t>&& begin) : rows_(std::move(rows)), begin_(std::move(begin)) {}

    [[nodiscard]] std::size_t size() const { return begin_.size() - 1; }
    [[nodiscard]] std::size_t begin(std::size_t hand) const { return begin_[hand]; }
    // The rows of a hand, in given order.
    [[nodiscard]] std::span<const Row> operator[](std::size_t hand) const {
        return {rows_.data() + begin_[hand], begin_[hand + 1] - begin_[hand]};
    }

 private:
    Buffer<Row> rows_;
    std::vector<std::size_t> begin_;
};

namespace detail {

// So many that the rows of one fit in the cache, and so few that there is a place in it for the end of each.
inline unsigned hand_bits(std::size_t rows) {
    constexpr std::size_t rows_a_hand = std::size_t{1} << 13;
    return std::min(static_cast<unsigned>(std::bit_width(rows / rows_a_hand)), 10U);
}

}  // namespace detail

// Deals out all rows: a counting sort by hand that keeps their order. `read(first, count, payloads)` reads what is
// wanted of the rows [first, first + count).
template <class Payload, class Ids, class Read>
Hands<PackedId<Ids>, Payload> deal_rows(const Ids& ids, const Read& read, std::size_t threads, const Poll& poll) {
    constexpr std::size_t rows_a_part = std::size_t{1} << 16, rows_a_block = std::size_t{1} << 10;
    using Id = PackedId<Ids>;
    const unsigned bits = detail::hand_bits(ids.size());
    const std::size_t hands = std::size_t{1} << bits, parts = (ids.size() + rows_a_part - 1) / rows_a_part;
    const auto hand_of = [bits](const Id& id) {
        return static_cast<std::uint16_t>(dealing_hash(id) >> 48 >> (16 - bits));
    };
    const auto for_each_block = [&](std::size_t part, const auto& action) {
        typename Ids::Value values[rows_a_block];
        const std::size_t end = std::min(ids.size(), (part + 1) * rows_a_part);
        for (std::size_t first = part * rows_a_part; first < end; first += rows_a_block) {
            const std::size_t count = std::min(rows_a_block, end - first);
            ids.read(first, count, values);
            action(first, count, values);
        }
    };
    std::vector<std::vector<std::size_t>> at(parts);
    Buffer<std::uint16_t> hand(ids.size());
    const auto count = [&](std::size_t part) {
        at[part].assign(hands, 0);
        for_each_block(part, [&](std::size_t first, std::size_t rows, const auto* values) {
            for (std::size_t i = 0; i < rows; ++i) ++at[part][hand[first + i] = hand_of(pack(values[i]))];
        });
    };
    run_parallel(parts, threads, count, poll);
    std::vector<std::size_t> begin(hands + 1, 0);
    for (std::size_t h = 0; h < hands; ++h) {
        begin[h + 1] = begin[h];
        for (auto& part : at) begin[h + 1] += std::exchange(part[h], begin[h + 1]);
    }
    Buffer<DealtRow<Id, Payload>> rows(ids.size());
    const auto place = [&](std::size_t part) {
        Payload payloads[rows_a_block];
        std::vector<std::size_t>& next = at[part];
        for_each_block(part, [&](std::size_t first, std::size_t count_here, const auto* values) {
            read(first, count_here, payloads);
            for (std::size_t i = 0; i < count_here; ++i) rows[next[hand[first + i]]++] = {pack(values[i]), payloads[i]};
        });
    };
    run_parallel(parts, threads, place, poll);
    return {std::move(rows), std::move(begin)};
}

// The groups of one hand after another, with room that is kept from one to the next.
template <class Id>
class HandGroups {
 public:
    // Numbers the ids in the order in which they appear, and finds a place for each row, group by group.
    template <class Payload>
    void number(std::span<const DealtRow<Id, Payload>> rows) {
        refuse_beyond_32_bits(rows.size());
        names_.clear();
        begin_.assign(1, 0);
        table_.reset(rows.size());
        place_.resize(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Id& id = rows[i].id;
            const auto fresh = static_cast<std::uint32_t>(names_.size());
            std::uint32_t group =
                table_.insert(hash_of(id), fresh, [&](std::uint32_t at) { return same(names_[at], id); });
            if (group == PositionTable::none) {
                group = fresh;
                names_.push_back(id);
                begin_.push_back(0);
            }
            place_[i] = group;
            ++begin_[group + 1];
        }
        for (std::size_t g = 0; g < names_.size(); ++g) begin_[g + 1] += begin_[g];
        next_.assign(begin_.begin(), begin_.end());
        for (std::uint32_t& place : place_) place = next_[place]++;
    }

    // The id of each group.
    [[nodiscard]] const std::vector<Id>& names() const { return names_; }
    // The first place of each group, and at the end the number of rows.
    [[nodiscard]] const std::vector<std::uint32_t>& begin() const { return begin_; }
    // Where each row stands when rows lie group by group, in given order.
    [[nodiscard]] const std::vector<std::uint32_t>& places() const { return place_; }

 private:
    PositionTable table_;
    std::vector<Id> names_;
    std::vector<std::uint32_t> begin_, next_, place_;
};

}  // namespace pingce
