// One query of several runs: its lists in rank order, and its items with one number for all runs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "lists.h"
#include "query.h"
#include "radix.h"
#include "table.h"

namespace pingce {

// A row of a list: its score as a key that ascends while scores fall, and the number of its item.
struct Listed {
    std::uint64_t key = 0;
    std::uint32_t row = 0, slot = 0;

    bool operator<(const Listed& other) const { return key != other.key ? key < other.key : row < other.row; }
};

// Sorts by key; what has one key stands as `ties` says. `id_of(listed)` is its item's id.
template <class IdOf>
void sort_listed(std::span<Listed> list, TieOrder ties, const IdOf& id_of) {
    const auto in_order = [](const Listed& a, const Listed& b) { return a < b; };
    if (!std::is_sorted(list.begin(), list.end(), in_order)) {
        thread_local Sorter<Listed> sorter;
        sorter.sort(list);
    }
    if (ties == TieOrder::order) return;
    for (std::size_t begin = 0, end = 0; begin < list.size(); begin = end) {
        for (end = begin + 1; end < list.size() && list[end].key == list[begin].key;) ++end;
        if (end - begin == 1) continue;
        const auto block = list.subspan(begin, end - begin);
        const bool ascending = ties == TieOrder::id_ascending;
        std::sort(block.begin(), block.end(), [&](const Listed& a, const Listed& b) {
            return ascending ? id_of(a) < id_of(b) : id_of(b) < id_of(a);
        });
    }
}

// A key that ascends while scores fall.
inline std::uint64_t falling_key(double score, NotANumber nan) {
    return ~(static_cast<std::uint64_t>(order_key(score, nan)) ^ std::uint64_t{1} << 63);
}

template <class Ids>
class ListWork {
 public:
    void examine(const MatchedLists& matched, std::size_t q, const ListColumns<Ids>& columns,
                 const ListPolicies& policies, std::vector<ListFaults>& faults) {
        lists_.clear();
        member_.clear();
        held_.clear();
        ends_.assign(1, 0);
        std::size_t rows = 0;
        for (std::size_t run = 0; run < matched.runs.size(); ++run) {
            if (matched.of[run][q] >= 0) rows += matched.runs[run].rows_of(group(matched, run, q));
        }
        table_.reset(rows);
        for (std::size_t run = 0; run < matched.runs.size(); ++run) {
            if (matched.of[run][q] >= 0) read_list(matched, run, q, columns, policies, faults[run]);
            const Ids& items = *columns.items[run];
            sort_listed(std::span(lists_).subspan(ends_.back()), policies.ties,
                        [&](const Listed& listed) { return items[listed.row]; });
            ends_.push_back(lists_.size());
        }
    }

    [[nodiscard]] std::span<const Listed> list(std::size_t run) const {
        return std::span(lists_).subspan(ends_[run], ends_[run + 1] - ends_[run]);
    }
    // A row of each item.
    [[nodiscard]] const std::vector<std::int64_t>& member() const { return member_; }

 private:
    using Place = std::uint32_t;
    static constexpr std::size_t longest = std::numeric_limits<std::int32_t>::max();

    static std::size_t group(const MatchedLists& matched, std::size_t run, std::size_t q) {
        return static_cast<std::size_t>(matched.of[run][q]);
    }

    void read_list(const MatchedLists& matched, std::size_t run, std::size_t q, const ListColumns<Ids>& columns,
                   const ListPolicies& policies, ListFaults& faults) {
        const Groups& groups = matched.runs[run];
        const std::size_t rows = group(matched, run, q);
        if (groups.rows_of(rows) > longest) {
            if (!faults.long_query) faults.long_query = groups.row(rows, 0);
            return;
        }
        groups.read(rows, columns.read[run], entries_);
        for (const Entry& entry : entries_) {
            if (std::isnan(entry.value)) {
                ++faults.nan_rows;
                if (!faults.nan_row || entry.row < *faults.nan_row) faults.nan_row = entry.row;
                if (policies.nan == NotANumber::drop) continue;
            }
            add(entry, run, columns, policies, faults);
        }
    }

    // Appends a row, or puts it in the place of another one with the same item.
    void add(const Entry& entry, std::size_t run, const ListColumns<Ids>& columns, const ListPolicies& policies,
             ListFaults& faults) {
        const auto id = (*columns.items[run])[entry.row];
        const auto next = static_cast<Place>(member_.size()), at = static_cast<Place>(lists_.size());
        const auto holds = [&](Place slot) { return same(id_of(slot, columns), id); };
        Place slot = table_.insert(entry.wide_hash(), next, holds);
        Listed listed{falling_key(entry.value, policies.nan), static_cast<std::uint32_t>(entry.row), next};
        if (slot == PositionTable::none) {
            member_.push_back(columns.offset[run] + static_cast<std::int64_t>(entry.row));
            held_.push_back(at);
            first_.resize(std::max(first_.size(), member_.size()));
            first_[next] = {static_cast<std::uint32_t>(run), static_cast<std::uint32_t>(entry.row)};
            lists_.push_back(listed);
            return;
        }
        listed.slot = slot;
        if (held_[slot] < ends_.back()) {  // of an earlier run
            held_[slot] = at;
            lists_.push_back(listed);
            return;
        }
        Listed& held = lists_[held_[slot]];
        ++faults.repeats;
        if (!faults.duplicate || entry.row < faults.duplicate->second) faults.duplicate = RowPair{held.row, entry.row};
        const bool better = policies.duplicates == Duplicates::best && listed.key < held.key;
        if (policies.duplicates == Duplicates::last || better) held = listed;
    }

    struct RunRow {
        std::uint32_t run, row;
    };

    [[nodiscard]] typename Ids::Value id_of(Place slot, const ListColumns<Ids>& columns) const {
        return (*columns.items[first_[slot].run])[first_[slot].row];
    }

    PositionTable table_;
    std::vector<Entry> entries_;
    std::vector<Listed> lists_;      // of all runs, one after another
    std::vector<std::size_t> ends_;  // of the runs that were read
    std::vector<std::int64_t> member_;
    std::vector<RunRow> first_;  // by slot: where the item was met first
    std::vector<Place> held_;    // by slot: the place of its last row in lists_
};

}  // namespace pingce
