// One list: its rows as they count, after excluded, odd and repeated ones were dealt with.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "ranking.h"
#include "table.h"

namespace pingce {

// An integer that orders as the double does: -0.0 equals 0.0, NaN stands below or above everything.
inline std::int64_t order_key(double score, NotANumber nan) {
    using Limits = std::numeric_limits<std::int64_t>;
    if (std::isnan(score)) return nan == NotANumber::first ? Limits::max() : Limits::min();
    const auto bits = std::bit_cast<std::int64_t>(score + 0.0);
    return bits ^ static_cast<std::int64_t>(static_cast<std::uint64_t>(bits >> 63) >> 1);
}

// The items of one list, each by the place of its row.
template <class Ids>
class ItemPlaces {
 public:
    using Place = std::uint32_t;
    static constexpr Place none = PositionTable::none;

    // Forgets all items; there is room for those of so many rows.
    void start(std::size_t rows) { table_.reset(rows); }

    // The place where the item of a row stood first: its own, if the item is new.
    Place first(const std::vector<Entry>& rows, Place place, const Ids& ids) {
        const auto holds = [&](Place at) { return same(ids[rows[at].row], ids[rows[place].row]); };
        const Place at = table_.insert(rows[place].wide_hash(), place, holds);
        return at == none ? place : at;
    }

    // Rows were taken out: every item has one left.
    void renew(const std::vector<Entry>& rows, const std::vector<std::uint8_t>&) {
        start(rows.size());
        for (Place place = 0; place < rows.size(); ++place)
            table_.insert(rows[place].wide_hash(), place, [](Place) { return false; });
    }

    // Where the item of a row of another column stands among the rows, or `none`.
    [[nodiscard]] Place find(const Entry& entry, const Ids& others, const std::vector<Entry>& rows,
                             const Ids& ids) const {
        return table_.find(entry.wide_hash(), [&](Place at) { return same(ids[rows[at].row], others[entry.row]); });
    }

 private:
    PositionTable table_;
};

// Numbers for the items of one query, in the order in which its lists bring them: an item has one in all of them.
template <class Ids>
class ItemNumbers {
 public:
    using Number = std::uint32_t;
    using Place = std::uint32_t;

    // Forgets all items; there is room for those of so many rows.
    void reset(std::size_t rows) {
        table_.reset(rows);
        first_.resize(std::max(first_.size(), rows));
        places_.resize(first_.size());
        size_ = 0;
    }

    // The next list, of so many rows.
    void start(std::size_t rows) {
        std::fill_n(places_.begin(), size_, none);
        numbers.resize(rows);
    }

    // The place where the item of a row stood first in this list: its own, if the item is new there.
    Place first(const std::vector<Entry>& rows, Place place, const Ids& ids) {
        const Number number = numbers[place] = add(rows[place], ids);
        if (places_[number] == none) places_[number] = place;
        return places_[number];
    }

    // Rows were taken out: every item has one left.
    void renew(const std::vector<Entry>& rows, const std::vector<std::uint8_t>& removed) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (!removed[i]) numbers[kept++] = numbers[i];
        }
        numbers.resize(rows.size());
    }

    [[nodiscard]] Number size() const { return size_; }
    [[nodiscard]] std::size_t first_row(Number number) const { return first_[number].row; }
    [[nodiscard]] typename Ids::Value id(Number number) const { return (*first_[number].ids)[first_[number].row]; }

    std::vector<Number> numbers;  // of the rows of the last list

 private:
    struct Met {
        const Ids* ids = nullptr;
        std::size_t row = 0;
    };
    static constexpr Place none = PositionTable::none;

    // The number of a row's item; the next one where it is new.
    Number add(const Entry& entry, const Ids& ids) {
        const auto holds = [&](Number at) { return same(id(at), ids[entry.row]); };
        const Number number = table_.insert(entry.wide_hash(), size_, holds);
        if (number != none) return number;
        first_[size_] = {&ids, entry.row};
        places_[size_] = none;
        return size_++;
    }

    PositionTable table_;
    std::vector<Met> first_;
    std::vector<Place> places_;  // by number: where it stands first in this list
    Number size_ = 0;
};

// Leaves one row an item, by what `items` (ItemPlaces or ItemNumbers) know of them. Rows stay in given order.
class RepeatedRows {
 public:
    using Place = std::uint32_t;

    template <class Items, class Ids, class Better>
    void remove(std::vector<Entry>& rows, Items& items, const Ids& ids, Duplicates policy, const Better& better,
                std::int64_t& count, std::optional<RowPair>& fault) {
        items.start(rows.size());
        bool any = false;
        for (Place i = 0; i < rows.size(); ++i) {
            const Place first = items.first(rows, i, ids);
            if (first == i) continue;
            if (!any) start(rows.size());
            any = true;
            Place& held = held_[first];
            ++count;
            if (!fault || rows[i].row < fault->second) fault = RowPair{rows[held].row, rows[i].row};
            const bool replace = policy == Duplicates::last || (policy == Duplicates::best && better(i, held));
            removed_[replace ? held : i] = 1;
            if (replace) held = i;
        }
        if (!any) return;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!removed_[i]) rows[kept++] = rows[i];
        }
        rows.resize(kept);
        items.renew(rows, removed_);
    }

 private:
    void start(std::size_t rows) {
        removed_.assign(rows, 0);
        held_.resize(rows);
        std::iota(held_.begin(), held_.end(), Place{0});
    }

    std::vector<Place> held_;  // by the first place of an item: the place that stays
    std::vector<std::uint8_t> removed_;
};

// The run that a list is read from.
template <class Ids>
struct ListSource {
    const Groups& groups;
    const Ids& items;
    const ReadEntries& read;
};

// `Items` know which row has which item: ItemPlaces, or ItemNumbers where several lists share them.
template <class Ids, class Items = ItemPlaces<Ids>>
class List {
 public:
    using Place = std::uint32_t;

    void clear() {
        rows.clear();
        keys.clear();
        items.start(0);
        odd = Odd{};
    }

    // Reads the rows of a group as they count under the policies.
    void read(const ListSource<Ids>& from, std::size_t group, const RankingPolicies& policies, Faults& faults) {
        if (load(from, group, faults)) settle(from.items, policies, faults);
    }

    // The list of one run alone, without the pairs that are excluded for this query.
    void read(const Groups& groups, std::size_t group, const Answers& excluded, std::size_t query,
              const RankingColumns<Ids>& columns, const RankingPolicies& policies, Faults& faults) {
        if (!load({groups, columns.run_items, columns.read.run}, group, faults)) return;
        if (columns.excluded_items != nullptr) leave_out(excluded, query, columns);
        settle(columns.run_items, policies, faults);
    }

    std::vector<Entry> rows;         // in given order
    std::vector<std::int64_t> keys;  // their scores
    Items items;
    Odd odd;

 private:
    static constexpr std::size_t longest = std::numeric_limits<std::int32_t>::max();

    // False if the list is too long to be ranked.
    bool load(const ListSource<Ids>& from, std::size_t group, Faults& faults) {
        odd = Odd{};
        if (from.groups.rows_of(group) > longest) {
            clear();
            if (!faults.long_query) faults.long_query = from.groups.row(group, 0);
            return false;
        }
        from.groups.read(group, from.read, rows);
        return true;
    }

    // Takes the items out of the list that are excluded for this query.
    void leave_out(const Answers& excluded, std::size_t query, const RankingColumns<Ids>& columns) {
        if (excluded.of[query] < 0) return;
        excluded.groups.read(static_cast<std::size_t>(excluded.of[query]), columns.read.excluded, pairs_);
        excluded_.start(pairs_.size());
        for (Place place = 0; place < pairs_.size(); ++place) excluded_.first(pairs_, place, *columns.excluded_items);
        const auto is_excluded = [&](const Entry& entry) {
            return excluded_.find(entry, columns.run_items, pairs_, *columns.excluded_items) != ItemPlaces<Ids>::none;
        };
        odd.excluded = static_cast<std::int64_t>(std::erase_if(rows, is_excluded));
    }

    // Decides on odd and repeated rows.
    void settle(const Ids& ids, const RankingPolicies& policies, Faults& faults) {
        read_keys(policies.nan, faults);
        const auto better = [&](Place a, Place b) { return keys[a] > keys[b]; };
        repeated_.remove(rows, items, ids, policies.duplicates, better, odd.run_repeats, faults.run_duplicate);
        if (odd.run_repeats == 0) return;
        for (Place place = 0; place < rows.size(); ++place) keys[place] = order_key(rows[place].value, policies.nan);
        keys.resize(rows.size());
    }

    void read_keys(NotANumber nan, Faults& faults) {
        keys.resize(rows.size());
        std::size_t kept = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Entry& entry = rows[i];
            if (std::isnan(entry.value)) {
                ++odd.nan_rows;
                if (!faults.nan_row || entry.row < *faults.nan_row) faults.nan_row = entry.row;
                if (nan == NotANumber::drop) continue;
            }
            keys[kept] = order_key(entry.value, nan);
            if (kept != i) rows[kept] = entry;
            ++kept;
        }
        rows.resize(kept);
        keys.resize(kept);
    }

    RepeatedRows repeated_;
    std::vector<Entry> pairs_;  // excluded ones
    ItemPlaces<Ids> excluded_;
};

}  // namespace pingce
