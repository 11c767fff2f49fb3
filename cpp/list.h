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

// Leaves one row an id; its table then has the ids, and where each stands.
template <class Ids>
class UniqueRows {
 public:
    using Place = std::uint32_t;

    // Rows stay in given order. True if some were removed: then the table has to be filled again.
    template <class Better>
    bool keep_one(std::vector<Entry>& entries, const Ids& ids, Duplicates policy, const Better& better,
                  std::int64_t& count, std::optional<RowPair>& fault) {
        table.reset(entries.size());
        bool any = false;
        for (Place i = 0; i < entries.size(); ++i) {
            const auto holds = [&](Place at) { return same(ids[entries[at].row], ids[entries[i].row]); };
            const Place seen = table.insert(entries[i].wide_hash(), i, holds);
            if (seen == PositionTable::none) continue;
            if (!any) start_removing(entries.size());
            any = true;
            ++count;
            if (!fault || entries[i].row < fault->second) fault = RowPair{entries[seen].row, entries[i].row};
            Place& held = held_[seen];
            const bool replace = policy == Duplicates::last || (policy == Duplicates::best && better(i, held));
            removed_[replace ? held : i] = 1;
            if (replace) held = i;
        }
        if (any) drop_removed(entries);
        return any;
    }

    // Fills the table with ids of which each stands once.
    void fill_table(const std::vector<Entry>& entries) {
        table.reset(entries.size());
        for (Place place = 0; place < entries.size(); ++place) {
            table.insert(entries[place].wide_hash(), place, [](Place) { return false; });
        }
    }

    PositionTable table;

 private:
    void start_removing(std::size_t rows) {
        removed_.assign(rows, 0);
        held_.resize(rows);
        std::iota(held_.begin(), held_.end(), Place{0});
    }

    void drop_removed(std::vector<Entry>& entries) const {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (!removed_[i]) entries[kept++] = entries[i];
        }
        entries.resize(kept);
    }

    std::vector<Place> held_;  // by the first place of an id: the place that stays
    std::vector<std::uint8_t> removed_;
};

template <class Ids>
class List {
 public:
    using Place = std::uint32_t;

    void clear() {
        rows.clear();
        keys.clear();
        odd = Odd{};
    }

    // Reads the rows of a group as they count under the policies; `query` is the one whose excluded pairs matter.
    void read(const Groups& groups, std::size_t group, const Answers& excluded, std::size_t query,
              const RankingColumns<Ids>& columns, const RankingPolicies& policies, Faults& faults) {
        clear();
        if (groups.rows_of(group) > longest) {
            if (!faults.long_query) faults.long_query = groups.row(group, 0);
            unique.table.reset(0);
            return;
        }
        groups.read(group, columns.read.run, rows);
        if (columns.excluded_items != nullptr) leave_out(excluded, query, columns);
        read_keys(policies.nan, faults);
        const auto better = [&](Place a, Place b) { return keys[a] > keys[b]; };
        if (!unique.keep_one(rows, columns.run_items, policies.duplicates, better, odd.run_repeats,
                             faults.run_duplicate))
            return;
        for (Place place = 0; place < rows.size(); ++place) keys[place] = order_key(rows[place].value, policies.nan);
        keys.resize(rows.size());
        unique.fill_table(rows);
    }

    std::vector<Entry> rows;         // in given order
    std::vector<std::int64_t> keys;  // their scores
    UniqueRows<Ids> unique;          // its table says where each item stands
    Odd odd;

 private:
    static constexpr std::size_t longest = std::numeric_limits<std::int32_t>::max();

    // Takes the items out of the list that are excluded for this query.
    void leave_out(const Answers& excluded, std::size_t query, const RankingColumns<Ids>& columns) {
        if (excluded.of[query] < 0) return;
        excluded.groups.read(static_cast<std::size_t>(excluded.of[query]), columns.read.excluded, pairs_);
        const Ids& items = *columns.excluded_items;
        PositionTable& table = unique.table;
        table.reset(pairs_.size());
        for (Place i = 0; i < pairs_.size(); ++i) {
            const auto holds = [&](Place at) { return same(items[pairs_[at].row], items[pairs_[i].row]); };
            table.insert(pairs_[i].wide_hash(), i, holds);
        }
        const auto is_excluded = [&](const Entry& entry) {
            const auto holds = [&](Place at) { return same(items[pairs_[at].row], columns.run_items[entry.row]); };
            return table.find(entry.wide_hash(), holds) != PositionTable::none;
        };
        odd.excluded = static_cast<std::int64_t>(std::erase_if(rows, is_excluded));
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
};

}  // namespace pingce
