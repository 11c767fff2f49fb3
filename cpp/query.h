// One query: its judged items, its list, and where the first stand in the second.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "locate.h"
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

// Items of one query: rows and ids side by side, by place in the list.
template <class Ids>
struct Items {
    std::vector<std::size_t> rows;
    std::vector<typename Ids::Value> ids;

    [[nodiscard]] std::size_t size() const { return rows.size(); }
    void clear() {
        rows.clear();
        ids.clear();
    }
    void move(std::size_t from, std::size_t to) {
        rows[to] = rows[from];
        ids[to] = ids[from];
    }
    void resize(std::size_t size) {
        rows.resize(size);
        ids.resize(size);
    }
};

template <class Ids>
class QueryWork {
 public:
    void examine(const Matched& matched, std::size_t q, const RankingColumns<Ids>& columns,
                 const RankingPolicies& policies, Faults& faults) {
        hits_.clear();
        list_.clear();
        keys_.clear();
        odd_ = Odd{};
        read_judged(matched.truth, matched.query_group[q], columns, policies, faults);
        if (matched.run.of[q] >= 0) {
            if (start_list(matched.run, q, columns, faults)) {
                if (columns.excluded_items != nullptr) leave_out(matched.excluded, q, *columns.excluded_items);
                finish_list(columns, policies, faults);
            }
            find_hits(columns);
            locator_.locate(keys_, hits_, [&](Place place) { return list_.ids[place]; });
        }
        grades_.clear();
        for (const std::size_t row : judged_.rows) grades_.push_back(columns.grades[row]);
        std::sort(grades_.begin(), grades_.end(), std::greater<>());
    }

    [[nodiscard]] const std::vector<Hit>& hits() const { return hits_; }
    [[nodiscard]] const std::vector<double>& judged() const { return grades_; }
    [[nodiscard]] std::size_t returned() const { return list_.size(); }
    [[nodiscard]] const Odd& odd() const { return odd_; }

 private:
    using Place = std::uint32_t;
    static constexpr std::size_t longest = std::numeric_limits<std::int32_t>::max();

    void read_judged(const Groups& groups, std::size_t group, const RankingColumns<Ids>& columns,
                     const RankingPolicies& policies, Faults& faults) {
        groups.read(group, columns.truth_items, judged_.rows, judged_.ids);
        const auto better = [&](Place a, Place b) {
            return columns.grades[judged_.rows[a]] > columns.grades[judged_.rows[b]];
        };
        remove_duplicates(judged_, policies.duplicates, better, odd_.truth_repeats, faults.truth_duplicate);
    }

    // Reads the list as it was given; false if it is too long to be ranked.
    bool start_list(const Answers& run, std::size_t q, const RankingColumns<Ids>& columns, Faults& faults) {
        const auto group = static_cast<std::size_t>(run.of[q]);
        table_.reset(0);
        if (run.groups.rows_of(group) > longest) {
            if (!faults.long_query) faults.long_query = run.groups.row(group, 0);
            return false;
        }
        run.groups.read(group, columns.run_items, list_.rows, list_.ids);
        return true;
    }

    // Takes the items out of the list that are excluded for this query.
    void leave_out(const Answers& excluded, std::size_t q, const Ids& items) {
        if (excluded.of[q] < 0) return;
        excluded.groups.read(static_cast<std::size_t>(excluded.of[q]), items, seen_.rows, seen_.ids);
        table_.reset(seen_.size());
        for (Place i = 0; i < seen_.size(); ++i) {
            const auto id = seen_.ids[i];
            table_.insert(hash_of(id), i, [&](Place at) { return same(seen_.ids[at], id); });
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < list_.size(); ++i) {
            const auto id = list_.ids[i];
            const Place at = table_.find(hash_of(id), [&](Place place) { return same(seen_.ids[place], id); });
            if (at == PositionTable::none) list_.move(i, kept++);
        }
        odd_.excluded = static_cast<std::int64_t>(list_.size() - kept);
        list_.resize(kept);
    }

    // Leaves the list's ids in table_.
    void finish_list(const RankingColumns<Ids>& columns, const RankingPolicies& policies, Faults& faults) {
        read_keys(columns.scores, policies.nan, faults);
        const auto better = [&](Place a, Place b) { return keys_[a] > keys_[b]; };
        if (!remove_duplicates(list_, policies.duplicates, better, odd_.run_repeats, faults.run_duplicate)) return;
        for (Place place = 0; place < list_.size(); ++place) {
            keys_[place] = order_key(columns.scores[list_.rows[place]], policies.nan);
        }
        keys_.resize(list_.size());
        table_.reset(list_.size());
        for (Place place = 0; place < list_.size(); ++place) {
            table_.insert(hash_of(list_.ids[place]), place, [](Place) { return false; });
        }
    }

    void read_keys(const double* scores, NotANumber nan, Faults& faults) {
        keys_.resize(list_.size());
        std::size_t kept = 0;
        for (std::size_t i = 0; i < list_.size(); ++i) {
            const double score = scores[list_.rows[i]];
            if (std::isnan(score)) {
                note_nan(list_.rows[i], faults);
                if (nan == NotANumber::drop) continue;
            }
            if (kept != i) list_.move(i, kept);
            keys_[kept++] = order_key(score, nan);
        }
        list_.resize(kept);
        keys_.resize(kept);
    }

    void note_nan(std::size_t row, Faults& faults) {
        ++odd_.nan_rows;
        if (!faults.nan_row || row < *faults.nan_row) faults.nan_row = row;
    }

    // Fills table_ with the ids and leaves one row an id, in given order. True if rows were removed.
    template <class Better>
    bool remove_duplicates(Items<Ids>& items, Duplicates policy, const Better& better, std::int64_t& count,
                           std::optional<RowPair>& fault) {
        table_.reset(items.size());
        bool any = false;
        for (Place i = 0; i < items.size(); ++i) {
            const auto id = items.ids[i];
            const Place seen = table_.insert(hash_of(id), i, [&](Place at) { return same(items.ids[at], id); });
            if (seen == PositionTable::none) continue;
            if (!any) start_removing(items.size());
            any = true;
            ++count;
            if (!fault || items.rows[i] < fault->second) fault = RowPair{items.rows[seen], items.rows[i]};
            Place& held = held_[seen];
            const bool replace = policy == Duplicates::last || (policy == Duplicates::best && better(i, held));
            removed_[replace ? held : i] = 1;
            if (replace) held = i;
        }
        if (any) drop_removed(items);
        return any;
    }

    void start_removing(std::size_t rows) {
        removed_.assign(rows, 0);
        held_.resize(rows);
        std::iota(held_.begin(), held_.end(), Place{0});
    }

    void drop_removed(Items<Ids>& items) const {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (!removed_[i]) items.move(i, kept++);
        }
        items.resize(kept);
    }

    void find_hits(const RankingColumns<Ids>& columns) {
        for (std::size_t i = 0; i < judged_.size(); ++i) {
            const auto id = judged_.ids[i];
            const Place at = table_.find(hash_of(id), [&](Place place) { return same(list_.ids[place], id); });
            if (at == PositionTable::none) continue;
            hits_.push_back({.place = at, .key = keys_[at], .grade = columns.grades[judged_.rows[i]]});
        }
    }

    PositionTable table_;
    Locator locator_;
    Items<Ids> judged_, list_, seen_;  // of the truth, the run and the excluded pairs
    std::vector<std::int64_t> keys_;   // scores of the list
    std::vector<Hit> hits_;
    Odd odd_;
    std::vector<double> grades_;
    std::vector<Place> held_;  // by the first place of an id: the place that stays
    std::vector<std::uint8_t> removed_;
};

}  // namespace pingce
