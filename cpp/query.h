// One query: its judged items, its list, and where the first stand in the second.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "heads.h"
#include "list.h"
#include "locate.h"
#include "ranking.h"

namespace pingce {

template <class Ids>
class QueryWork {
 public:
    using Place = std::uint32_t;

    void examine(const Matched& matched, std::size_t q, const RankingColumns<Ids>& columns,
                 const RankingPolicies& policies, Faults& faults) {
        hits_.clear();
        std::int64_t repeats = 0;
        read_judged(matched.truth, matched.query_group[q], columns, policies, repeats, faults);
        if (const std::int64_t group = matched.run.of[q]; group >= 0) {
            list_.read(matched.run.groups, static_cast<std::size_t>(group), matched.excluded, q, columns, policies,
                       faults);
            find_hits(columns);
            locator_.locate(list_.keys, hits_, [&](Place place) { return columns.run_items[list_.rows[place].row]; });
        } else {
            list_.clear();
        }
        list_.odd.truth_repeats = repeats;
        grades_.clear();
        for (const Entry& entry : judged_) grades_.push_back(entry.value);
        std::sort(grades_.begin(), grades_.end(), std::greater<>());
    }

    // Adds the head of the list, and says where it ends within the part.
    std::int64_t add_head(HeadPart& part, std::size_t depth, Ranker& ranker, const RankingColumns<Ids>& columns) const {
        return part.add(list_, depth, ranker, [&](Place place) { return columns.run_items[list_.rows[place].row]; });
    }

    [[nodiscard]] const std::vector<Hit>& hits() const { return hits_; }
    [[nodiscard]] const std::vector<double>& judged() const { return grades_; }
    [[nodiscard]] std::size_t returned() const { return list_.rows.size(); }
    [[nodiscard]] const Odd& odd() const { return list_.odd; }

 private:
    void read_judged(const Groups& groups, std::size_t group, const RankingColumns<Ids>& columns,
                     const RankingPolicies& policies, std::int64_t& repeats, Faults& faults) {
        groups.read(group, columns.read.truth, judged_);
        const auto better = [&](Place a, Place b) { return judged_[a].value > judged_[b].value; };
        repeated_.remove(judged_, judged_items_, columns.truth_items, policies.duplicates, better, repeats,
                         faults.truth_duplicate);
    }

    void find_hits(const RankingColumns<Ids>& columns) {
        for (const Entry& entry : judged_) {
            const Place at = list_.items.find(entry, columns.truth_items, list_.rows, columns.run_items);
            if (at == ItemPlaces<Ids>::none) continue;
            hits_.push_back({.place = at, .key = list_.keys[at], .grade = entry.value});
        }
    }

    Locator locator_;
    List<Ids> list_;
    RepeatedRows repeated_;
    std::vector<Entry> judged_;
    ItemPlaces<Ids> judged_items_;
    std::vector<Hit> hits_;
    std::vector<double> grades_;
};

}  // namespace pingce
