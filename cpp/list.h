// One list: its rows as they count, after excluded, odd and repeated ones were dealt with.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
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

// Numbers for the items of one query, in the order in which its lists bring them: an item has one in all of them.
template <class Ids>
class ItemNumbers {
 public:
    using Number = std::uint32_t;
    static constexpr Number none = PositionTable::none;

    // Forgets all items; there is room for those of so many rows.
    void reset(std::size_t rows) {
        constexpr std::size_t near = std::size_t{1} << 16;  // as long as caches hold it, a table with room to spare
        table_.reset(rows < near ? 2 * rows : rows);
        first_.resize(std::max(first_.size(), rows));
        size_ = 0;
    }

    // The number of a row's item; the next one where it is new.
    Number add(const Entry& entry, const Ids& ids) {
        const auto holds = [&](Number at) { return same(id(at), ids[entry.row]); };
        const Number number = table_.insert(entry.wide_hash(), size_, holds);
        if (number != none) return number;
        first_[size_] = {&ids, entry.row};
        return size_++;
    }

    // The number of a row's item in another column, or `none`.
    [[nodiscard]] Number find(const Entry& entry, const Ids& ids) const {
        return table_.find(entry.wide_hash(), [&](Number at) { return same(id(at), ids[entry.row]); });
    }

    [[nodiscard]] Number size() const { return size_; }
    [[nodiscard]] std::size_t first_row(Number number) const { return first_[number].row; }
    [[nodiscard]] typename Ids::Value id(Number number) const { return (*first_[number].ids)[first_[number].row]; }

 private:
    struct Met {
        const Ids* ids = nullptr;
        std::size_t row = 0;
    };

    PositionTable table_;
    std::vector<Met> first_;
    Number size_ = 0;
};

// Leaves one row per item; says which item stands where.
template <class Ids>
class UniqueRows {
 public:
    using Place = std::uint32_t;
    static constexpr Place none = PositionTable::none;

    // Rows stay in given order. Items that `items` already has, from other lists, keep their numbers.
    template <class Better>
    void keep_one(std::vector<Entry>& entries, const Ids& ids, Duplicates policy, const Better& better,
                  std::int64_t& count, std::optional<RowPair>& fault) {
        start(entries.size());
        bool any = false;
        for (Place i = 0; i < entries.size(); ++i) {
            const Place next = items.size(), number = items.add(entries[i], ids);
            numbers[i] = number;
            Place& held = places_[number];
            if (number == next || held == none) {
                held = i;
                continue;
            }
            if (!any) removed_.assign(entries.size(), 0);
            any = true;
            ++count;
            if (!fault || entries[i].row < fault->second) fault = RowPair{entries[held].row, entries[i].row};
            const bool replace = policy == Duplicates::last || (policy == Duplicates::best && better(i, held));
            removed_[replace ? held : i] = 1;
            if (replace) held = i;
        }
        if (any) drop_removed(entries);
    }

    // Where the item of a row of another column stands in the list, or `none`.
    [[nodiscard]] Place find(const Entry& entry, const Ids& ids) const {
        const Place number = items.find(entry, ids);
        return number == none ? none : places_[number];
    }

    ItemNumbers<Ids> items;
    std::vector<Place> numbers;  // of the rows that stay

 private:
    void start(std::size_t rows) {
        const std::size_t earlier = items.size();
        places_.resize(std::max(places_.size(), earlier + rows));
        std::fill_n(places_.begin(), earlier, none);
        numbers.resize(rows);
    }

    void drop_removed(std::vector<Entry>& entries) {
        Place kept = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (removed_[i]) continue;
            entries[kept] = entries[i];
            numbers[kept] = numbers[i];
            places_[numbers[i]] = kept++;
        }
        entries.resize(kept);
        numbers.resize(kept);
    }

    std::vector<Place> places_;  // by number: where it stands in this list
    std::vector<std::uint8_t> removed_;
};

// The run that a list is read from.
template <class Ids>
struct ListSource {
    const Groups& groups;
    const Ids& items;
    const ReadEntries& read;
};

template <class Ids>
class List {
 public:
    using Place = std::uint32_t;

    void clear() {
        rows.clear();
        keys.clear();
        unique.numbers.clear();
        odd = Odd{};
    }

    // Reads the rows of a group as they count under the policies; there is room for their items.
    void read(const ListSource<Ids>& from, std::size_t group, const RankingPolicies& policies, Faults& faults) {
        if (load(from, group, faults)) settle(from.items, policies, faults);
    }

    // The list of one run alone, without the pairs that are excluded for this query.
    void read(const Groups& groups, std::size_t group, const Answers& excluded, std::size_t query,
              const RankingColumns<Ids>& columns, const RankingPolicies& policies, Faults& faults) {
        const bool fits = load({groups, columns.run_items, columns.read.run}, group, faults);
        unique.items.reset(rows.size());
        if (!fits) return;
        if (columns.excluded_items != nullptr) leave_out(excluded, query, columns);
        settle(columns.run_items, policies, faults);
    }

    std::vector<Entry> rows;         // in given order
    std::vector<std::int64_t> keys;  // their scores
    UniqueRows<Ids> unique;          // which item stands where
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
        excluded_.reset(pairs_.size());
        for (const Entry& pair : pairs_) excluded_.add(pair, *columns.excluded_items);
        const auto is_excluded = [&](const Entry& entry) {
            return excluded_.find(entry, columns.run_items) != ItemNumbers<Ids>::none;
        };
        odd.excluded = static_cast<std::int64_t>(std::erase_if(rows, is_excluded));
    }

    // Decides on odd and repeated rows.
    void settle(const Ids& items, const RankingPolicies& policies, Faults& faults) {
        read_keys(policies.nan, faults);
        const auto better = [&](Place a, Place b) { return keys[a] > keys[b]; };
        unique.keep_one(rows, items, policies.duplicates, better, odd.run_repeats, faults.run_duplicate);
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

    std::vector<Entry> pairs_;  // excluded ones
    ItemNumbers<Ids> excluded_;
};

}  // namespace pingce
