// Where hits stand: rows above, size of the block of equal scores, and places within it. The list is never sorted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace pingce {

struct Hit {
    std::uint32_t place = 0;  // in the list, as given
    std::int64_t key = 0;     // its score, as an integer that orders the same
    std::int32_t above = 0, block = 1, by_id = 0, by_order = 0;
    double grade = 0;

    [[nodiscard]] std::int64_t rank_by_id() const { return std::int64_t{above} + by_id; }
};

// Members of a block that follow each other: all places from one to another.
class PlaceRange {
 public:
    struct Place {
        std::uint32_t at;

        std::uint32_t operator*() const { return at; }
        Place& operator++() {
            ++at;
            return *this;
        }
        bool operator==(const Place&) const = default;
    };

    PlaceRange(std::uint32_t from, std::uint32_t to) : from_{from}, to_{to} {}
    [[nodiscard]] Place begin() const { return from_; }
    [[nodiscard]] Place end() const { return to_; }
    [[nodiscard]] std::size_t size() const { return to_.at - from_.at; }

 private:
    Place from_, to_;
};

// How many members stand before a place.
inline std::ptrdiff_t before(const PlaceRange& members, std::uint32_t place) { return place - *members.begin(); }
inline std::ptrdiff_t before(std::span<const std::uint32_t> members, std::uint32_t place) {
    return std::lower_bound(members.begin(), members.end(), place) - members.begin();
}

class Locator {
 public:
    // `id_at(place)` is the id at that place of the list. Leaves the hits in rank order, ties by id descending.
    template <class IdAt>
    void locate(std::span<const std::int64_t> keys, std::vector<Hit>& hits, const IdAt& id_at) {
        if (hits.empty()) return;
        std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.key > b.key; });
        if (std::is_sorted(keys.begin(), keys.end(), std::greater<>())) {
            locate_in_sorted(keys, hits, id_at);
        } else if (hits.size() <= few) {
            locate_few(keys, hits, id_at);
        } else {
            locate_by_counting(keys, hits, id_at);
        }
        std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.rank_by_id() < b.rank_by_id(); });
    }

 private:
    static constexpr std::size_t few = 32;  // as many passes over the keys cost less than a search for each

    // Calls action(hits with one key) for each distinct key, highest first.
    template <class Action>
    static void for_each_block(std::span<Hit> hits, const Action& action) {
        for (std::size_t begin = 0; begin < hits.size();) {
            std::size_t end = begin + 1;
            while (end < hits.size() && hits[end].key == hits[begin].key) ++end;
            action(hits.subspan(begin, end - begin));
            begin = end;
        }
    }

    template <class IdAt>
    void locate_in_sorted(std::span<const std::int64_t> keys, std::span<Hit> hits, const IdAt& id_at) {
        for_each_block(hits, [&](std::span<Hit> block) {
            const auto range = std::equal_range(keys.begin(), keys.end(), block[0].key, std::greater<>());
            const auto from = static_cast<std::uint32_t>(range.first - keys.begin());
            const auto to = static_cast<std::uint32_t>(range.second - keys.begin());
            place_in_block(block, from, PlaceRange(from, to), id_at);
        });
    }

    // How many keys lie above one, and how many are equal to it.
    template <class Key>
    static std::pair<std::uint32_t, std::uint32_t> count(std::span<const Key> keys, Key key) {
        std::uint32_t above = 0, equal = 0;
        for (const Key other : keys) {
            above += other > key ? 1U : 0U;
            equal += other == key ? 1U : 0U;
        }
        return {above, equal};
    }

    // The upper halves of keys are compared many at a time; mostly they tell all keys from a hit's.
    template <class IdAt>
    void locate_few(std::span<const std::int64_t> keys, std::span<Hit> hits, const IdAt& id_at) {
        const auto upper_half = [](std::int64_t key) { return static_cast<std::int32_t>(key >> 32); };
        halves_.resize(keys.size());
        std::transform(keys.begin(), keys.end(), halves_.begin(), upper_half);
        members_.resize(std::max<std::size_t>(members_.size(), 1));
        for_each_block(hits, [&](std::span<Hit> block) {
            const std::int64_t key = block[0].key;
            std::vector<std::uint32_t>& members = members_[0];
            members.assign(1, block[0].place);
            auto [above, equal] = count(std::span<const std::int32_t>(halves_), upper_half(key));
            if (equal > 1) std::tie(above, equal) = count(keys, key);
            if (equal > 1) {
                members.clear();
                for (std::uint32_t place = 0; place < keys.size(); ++place) {
                    if (keys[place] == key) members.push_back(place);
                }
            }
            place_in_block(block, above, std::span<const std::uint32_t>(members), id_at);
        });
    }

    template <class IdAt>
    void locate_by_counting(std::span<const std::int64_t> keys, std::span<Hit> hits, const IdAt& id_at) {
        distinct_.clear();
        for_each_block(hits, [&](std::span<Hit> block) { distinct_.push_back(block[0].key); });
        above_.assign(distinct_.size() + 1, 0);
        members_.resize(std::max(members_.size(), distinct_.size()));
        for (std::size_t b = 0; b < distinct_.size(); ++b) members_[b].clear();
        for (std::uint32_t place = 0; place < keys.size(); ++place) {
            const auto at = std::lower_bound(distinct_.begin(), distinct_.end(), keys[place], std::greater<>());
            const auto b = static_cast<std::size_t>(at - distinct_.begin());
            if (at != distinct_.end() && *at == keys[place]) {
                members_[b].push_back(place);
            } else {
                ++above_[b];
            }
        }
        std::uint32_t above = 0;
        std::size_t b = 0;
        for_each_block(hits, [&](std::span<Hit> block) {
            above += above_[b];
            place_in_block(block, above, std::span<const std::uint32_t>(members_[b]), id_at);
            above += static_cast<std::uint32_t>(members_[b].size());
            ++b;
        });
    }

    // `members` are the places of all rows of the block, in given order.
    template <class Members, class IdAt>
    void place_in_block(std::span<Hit> block, std::uint32_t above, const Members& members, const IdAt& id_at) {
        for (Hit& hit : block) {
            hit.above = static_cast<std::int32_t>(above);
            hit.block = static_cast<std::int32_t>(members.size());
            hit.by_order = static_cast<std::int32_t>(before(members, hit.place));
        }
        if (members.size() > 1) place_by_id(block, members, id_at);
    }

    // A member whose id is larger stands before: count, for each hit, the members with a larger id.
    template <class Members, class IdAt>
    void place_by_id(std::span<Hit> block, const Members& members, const IdAt& id_at) {
        using Id = decltype(id_at(0));
        std::vector<std::pair<Id, Hit*>> hits;
        for (Hit& hit : block) hits.emplace_back(id_at(hit.place), &hit);
        std::sort(hits.begin(), hits.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        larger_.assign(hits.size() + 1, 0);
        for (const std::uint32_t place : members) {
            const auto at = std::lower_bound(hits.begin(), hits.end(), id_at(place),
                                             [](const auto& hit, const Id& id) { return hit.first < id; });
            ++larger_[static_cast<std::size_t>(at - hits.begin())];
        }
        std::int32_t count = 0;
        for (std::size_t i = hits.size(); i-- > 0;) {
            count += larger_[i + 1];
            hits[i].second->by_id = count;
        }
    }

    std::vector<std::int32_t> halves_;
    std::vector<std::int64_t> distinct_;
    std::vector<std::uint32_t> above_;
    std::vector<std::vector<std::uint32_t>> members_;
    std::vector<std::int32_t> larger_;
};

}  // namespace pingce
