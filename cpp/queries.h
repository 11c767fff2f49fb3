// Queries of one table, found again in others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "groups.h"
#include "ranking.h"
#include "table.h"

namespace pingce {

// Queries in order of their ids, and how to find one.
template <class Ids>
class Queries {
 public:
    using Name = PackedId<Ids>;

    explicit Queries(NamedGroups<Ids>& given) : order_(given.groups.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        names_ = std::move(given.names);
        if (given.ascending) return;
        std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return names_[a] < names_[b]; });
        std::vector<Name> sorted;
        sorted.reserve(names_.size());
        for (const std::size_t group : order_) sorted.push_back(names_[group]);
        names_ = std::move(sorted);
    }

    [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }

    // Which group belongs to which query. Names in order are walked along side by side, others are looked up.
    [[nodiscard]] Answers answered_by(NamedGroups<Ids>&& given) {
        Answers out{.groups = std::move(given.groups), .of = {}, .extra_rows = {}};
        out.of.assign(names_.size(), -1);
        if (!given.ascending) fill_table();
        std::size_t next = 0;
        for (std::size_t g = 0; g < given.names.size(); ++g) {
            const std::size_t q = given.ascending ? walk_to(given.names[g], next) : look_up(given.names[g]);
            if (q == names_.size()) {
                out.extra_rows.push_back(out.groups.row(g, 0));
            } else {
                out.of[q] = static_cast<std::int64_t>(g);
            }
        }
        std::sort(out.extra_rows.begin(), out.extra_rows.end());  // as queries appear
        return out;
    }

 private:
    void fill_table() {
        if (filled_) return;
        filled_ = true;
        table_.reset(names_.size());
        for (std::uint32_t q = 0; q < names_.size(); ++q) {
            table_.insert(hash_of(names_[q]), q, [](std::uint32_t) { return false; });
        }
    }

    [[nodiscard]] std::size_t look_up(const Name& name) const {
        const auto q = table_.find(hash_of(name), [&](std::uint32_t at) { return same(names_[at], name); });
        return q == PositionTable::none ? names_.size() : q;
    }

    [[nodiscard]] std::size_t walk_to(const Name& name, std::size_t& next) const {
        while (next < names_.size() && names_[next] < name) ++next;
        return next < names_.size() && same(names_[next], name) ? next : names_.size();
    }

    std::vector<std::size_t> order_;
    std::vector<Name> names_;  // sorted
    PositionTable table_;
    bool filled_ = false;
};

}  // namespace pingce
