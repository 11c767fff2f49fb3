// The heads of lists: which row stands at which of the first places. Those of neighbouring lists are found in one part.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "buffer.h"

namespace pingce {

struct Ranked {
    std::uint32_t place = 0;  // in the list, as given
    std::int32_t above = 0, block = 1, by_id = 0, by_order = 0;
};

// Ranks the head of a list.
class Ranker {
 public:
    template <class IdAt>
    std::span<const Ranked> rank(const std::vector<std::int64_t>& keys, std::size_t depth, const IdAt& id_at) {
        choose(keys, depth);
        head_.resize(chosen_.size());
        for (std::size_t begin = 0, end = 0; begin < chosen_.size(); begin = end) {
            for (end = begin + 1; end < chosen_.size() && chosen_[end].key == chosen_[begin].key;) ++end;
            place_block(begin, end, id_at);
        }
        return head_;
    }

 private:
    struct Keyed {
        std::int64_t key;
        std::uint32_t place;
    };

    static constexpr std::size_t few = 64;  // that are kept in order by insertion

    // All rows that reach the key of the last place, by key, equal ones as given.
    void choose(const std::vector<std::int64_t>& keys, std::size_t depth) {
        if (depth <= few && depth < keys.size() && choose_few(keys, depth)) return;
        std::int64_t least = std::numeric_limits<std::int64_t>::min();
        if (depth < keys.size()) {
            parted_ = keys;
            const auto last = parted_.begin() + static_cast<std::ptrdiff_t>(depth) - 1;
            std::nth_element(parted_.begin(), last, parted_.end(), std::greater<>());
            least = *last;
        }
        chosen_.clear();
        for (std::uint32_t place = 0; place < keys.size(); ++place) {
            if (keys[place] >= least) chosen_.push_back({keys[place], place});
        }
        const auto before = [](const Keyed& a, const Keyed& b) {
            return a.key != b.key ? a.key > b.key : a.place < b.place;
        };
        if (!std::is_sorted(chosen_.begin(), chosen_.end(), before)) std::sort(chosen_.begin(), chosen_.end(), before);
    }

    // The best rows are kept in order while others pass by; false where one of these has the key of the last place.
    bool choose_few(const std::vector<std::int64_t>& keys, std::size_t depth) {
        chosen_.resize(depth);
        for (std::size_t i = 0; i < depth; ++i) insert({keys[i], static_cast<std::uint32_t>(i)}, i);
        std::int64_t least = chosen_.back().key;
        bool is_tied = false;
        for (std::size_t i = depth; i < keys.size(); ++i) {
            if (keys[i] <= least) {
                is_tied |= keys[i] == least;
                continue;
            }
            insert({keys[i], static_cast<std::uint32_t>(i)}, depth - 1);
            is_tied = chosen_.back().key == least;  // the row that was lost had that key
            least = chosen_.back().key;
        }
        return !is_tied;
    }

    // Puts a row into its place among the first so many; the one that stands at `last` is lost.
    void insert(const Keyed& row, std::size_t last) {
        std::size_t at = last;
        for (; at > 0 && chosen_[at - 1].key < row.key; --at) chosen_[at] = chosen_[at - 1];
        chosen_[at] = row;
    }

    template <class IdAt>
    void place_block(std::size_t begin, std::size_t end, const IdAt& id_at) {
        const auto above = static_cast<std::int32_t>(begin), size = static_cast<std::int32_t>(end - begin);
        const std::span<Ranked> block = std::span(head_).subspan(begin, end - begin);
        for (std::int32_t i = 0; Ranked& row : block) {
            row = {.place = chosen_[begin + static_cast<std::size_t>(i)].place,
                   .above = above,
                   .block = size,
                   .by_id = 0,
                   .by_order = i};
            ++i;
        }
        if (size < 2) return;
        std::sort(block.begin(), block.end(),
                  [&](const Ranked& a, const Ranked& b) { return id_at(b.place) < id_at(a.place); });
        for (std::int32_t i = 0; Ranked& row : block) row.by_id = i++;
    }

    std::vector<Keyed> chosen_;
    std::vector<Ranked> head_;
    std::vector<std::int64_t> parted_;
};

// A list goes down to some depth, and on to the end of the block of equal scores that the last place is in; rows are in
// rank order, ties by id descending.
struct Heads {
    Buffer<std::int64_t> begin;            // CSR offsets, one more than lists
    Buffer<std::int64_t> row;              // of the run
    Buffer<std::int32_t> above, block;     // rows with a higher score; rows with this score
    Buffer<std::int32_t> by_id, by_order;  // rows of the block that stand before: larger id; given earlier

    Heads() = default;
    explicit Heads(std::size_t lists) : begin(lists + 1) { begin[0] = 0; }
};

// The heads of neighbouring lists as they are found.
struct HeadPart {
    std::size_t first_place = 0;
    std::vector<Ranked> places;
    std::vector<std::size_t> rows;  // of the run

    // Adds the head of the next list, and says where it ends within the part.
    template <class List, class IdAt>
    std::int64_t add(const List& list, std::size_t depth, Ranker& ranker, const IdAt& id_at) {
        for (const Ranked& place : ranker.rank(list.keys, depth, id_at)) {
            places.push_back(place);
            rows.push_back(list.rows[place.place].row);
        }
        return static_cast<std::int64_t>(places.size());
    }
};

// Where the places of parts begin, which know `first_query`, `end_query` and `heads`; room for all.
template <class Part>
void reserve_heads(Heads& out, std::vector<Part>& parts) {
    std::size_t places = 0;
    for (Part& part : parts) {
        part.heads.first_place = places;
        places += part.heads.places.size();
        for (std::size_t l = part.first_query; l < part.end_query; ++l)
            out.begin[l + 1] += static_cast<std::int64_t>(part.heads.first_place);
    }
    out.row = Buffer<std::int64_t>(places);
    for (auto* column : {&out.above, &out.block, &out.by_id, &out.by_order}) *column = Buffer<std::int32_t>(places);
}

inline void store_heads(Heads& out, const HeadPart& part) {
    for (std::size_t i = 0; i < part.places.size(); ++i) {
        const std::size_t at = part.first_place + i;
        out.row[at] = static_cast<std::int64_t>(part.rows[i]);
        out.above[at] = part.places[i].above;
        out.block[at] = part.places[i].block;
        out.by_id[at] = part.places[i].by_id;
        out.by_order[at] = part.places[i].by_order;
    }
}

}  // namespace pingce
