// One query of several runs: its lists in rank order, and its items with one number for all runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "list.h"
#include "lists.h"
#include "radix.h"

namespace pingce {

// A row of a list: its score as a key that ascends while scores fall, and the number of its item.
struct Listed {
    std::uint64_t key = 0;
    std::uint32_t row = 0, number = 0;

    bool operator<(const Listed& other) const { return key != other.key ? key < other.key : row < other.row; }
};

// Sorts by key; what has one key stands as `ties` says. `id_of(listed)` is its item's id.
template <class IdOf>
void sort_listed(std::span<Listed> list, TieOrder ties, const IdOf& id_of) {
    if (!std::is_sorted(list.begin(), list.end())) {
        thread_local Sorter<Listed> sorter;
        sorter.sort(list);
    }
    if (ties == TieOrder::order) return;
    const auto before = [&](const Listed& a, const Listed& b) {
        return ties == TieOrder::id_ascending ? id_of(a) < id_of(b) : id_of(b) < id_of(a);
    };
    for (std::size_t begin = 0, end = 0; begin < list.size(); begin = end) {
        for (end = begin + 1; end < list.size() && list[end].key == list[begin].key;) ++end;
        if (end - begin == 2 && before(list[begin + 1], list[begin])) std::swap(list[begin], list[begin + 1]);
        if (end - begin > 2) std::sort(&list[begin], &list[begin] + (end - begin), before);
    }
}

// Ascends while the keys of scores fall.
inline std::uint64_t falling(std::int64_t key) { return ~(static_cast<std::uint64_t>(key) ^ std::uint64_t{1} << 63); }

template <class Ids>
class ListWork {
 public:
    struct Row {
        std::uint32_t row = 0, number = 0;
    };

    void examine(const MatchedLists& matched, std::size_t q, const ListColumns<Ids>& columns,
                 const ListPolicies& policies, std::vector<ListFaults>& faults) {
        const std::size_t rows = matched.rows_of(q);
        ranked_.resize(std::max(ranked_.size(), rows));
        member_.resize(std::max(member_.size(), rows));
        list_.items.reset(rows);
        ends_.assign(1, 0);
        for (std::size_t run = 0; run < matched.runs.size(); ++run) {
            std::size_t end = ends_.back();
            if (const std::int64_t group = matched.of[run][q]; group >= 0) {
                read(matched.runs[run], static_cast<std::size_t>(group), run, columns, policies.rows, faults[run]);
                rank(std::span(ranked_).subspan(end), policies.ties, *columns.items[run]);
                end += list_.rows.size();
            }
            ends_.push_back(end);
        }
    }

    // The rows of a run in rank order.
    [[nodiscard]] std::span<const Row> list(std::size_t run) const {
        return std::span(ranked_).subspan(ends_[run], ends_[run + 1] - ends_[run]);
    }
    // A row of each item.
    [[nodiscard]] std::span<const std::int64_t> member() const { return std::span(member_).first(items().size()); }
    [[nodiscard]] const ItemNumbers<Ids>& items() const { return list_.items; }

 private:
    void read(const Groups& groups, std::size_t group, std::size_t run, const ListColumns<Ids>& columns,
              const RankingPolicies& policies, ListFaults& faults) {
        const std::uint32_t known = items().size();
        list_.read({groups, *columns.items[run], columns.read[run]}, group, policies, faults.first);
        faults.repeats += list_.odd.run_repeats;
        faults.nan_rows += list_.odd.nan_rows;
        for (std::uint32_t number = known; number < items().size(); ++number)
            member_[number] = columns.offset[run] + static_cast<std::int64_t>(items().first_row(number));
    }

    // The list that was read last; most are given in rank order.
    void rank(std::span<Row> out, TieOrder ties, const Ids& ids) {
        const std::vector<std::int64_t>& keys = list_.keys;
        const bool falls = std::adjacent_find(keys.begin(), keys.end(), std::less_equal<>()) == keys.end();
        if (falls) {
            for (std::size_t i = 0; i < keys.size(); ++i) out[i] = {row(i), items().numbers[i]};
            return;
        }
        sorted_.resize(keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i) sorted_[i] = {falling(keys[i]), row(i), items().numbers[i]};
        sort_listed(std::span(sorted_), ties, [&](const Listed& listed) { return ids[listed.row]; });
        for (std::size_t i = 0; i < keys.size(); ++i) out[i] = {sorted_[i].row, sorted_[i].number};
    }

    [[nodiscard]] std::uint32_t row(std::size_t place) const {
        return static_cast<std::uint32_t>(list_.rows[place].row);
    }

    List<Ids, ItemNumbers<Ids>> list_;
    std::vector<Row> ranked_;        // of all runs, one after another
    std::vector<std::size_t> ends_;  // of the runs that were read
    std::vector<std::int64_t> member_;
    std::vector<Listed> sorted_;
};

}  // namespace pingce
