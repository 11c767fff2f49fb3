// Labels and scores within groups: pairs counted in each, whichever way its rows lie.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "group_counter.h"
#include "group_table.h"
#include "groups.h"
#include "labels.h"
#include "near_groups.h"
#include "parallel.h"
#include "scattered_groups.h"

namespace pingce {

namespace detail {

template <class Ids>
std::vector<std::size_t> sorted_places(const NamedGroups<Ids>& named) {
    std::vector<std::size_t> places(named.names.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    if (!named.ascending) {
        std::sort(places.begin(), places.end(),
                  [&](std::size_t a, std::size_t b) { return named.names[a] < named.names[b]; });
    }
    return places;
}

}  // namespace detail

template <class Ids, class Score>
GroupPairs<PackedId<Ids>> group_pairs(const Ids& ids, const Labelled<Score>& labelled, double epsilon,
                                      std::span<const double> column, std::size_t threads, const Poll& poll) {
    if (!detail::seems_grouped(ids)) {
        if constexpr (std::is_same_v<Ids, IntIds>) {
            const bool plain = labelled.weights.empty() && column.empty();
            const detail::IdSpan span = plain ? detail::span_of(ids, threads, poll) : detail::IdSpan();
            if (plain && span.is_near(ids.size()))
                return detail::NearGroups<Score>(ids, labelled, span, epsilon, threads, poll).count();
        }
        const auto shuffled = [&]<class RowNumber>(RowNumber) {
            return detail::Shuffled<Ids, Score, RowNumber>(ids, labelled, epsilon, column, threads, poll).count();
        };
        return ids.size() < std::size_t{1} << 31 ? shuffled(std::uint32_t{}) : shuffled(std::uint64_t{});
    }
    const NamedGroups<Ids> named = group_rows(ids, threads, poll);
    const std::vector<std::size_t> places = detail::sorted_places(named);
    const std::size_t groups = places.size();
    GroupPairs<PackedId<Ids>> out(groups, epsilon > 0.0, !labelled.weights.empty(), !column.empty());
    constexpr std::size_t groups_a_part = 1024;
    const auto count = [&](std::size_t part) {
        detail::GroupCounter<Score> counter(labelled, epsilon, column);
        const std::size_t end = std::min(groups, (part + 1) * groups_a_part);
        for (std::size_t at = part * groups_a_part; at < end; ++at) {
            const auto member = [&](std::size_t i) {
                const std::size_t row = named.groups.row(places[at], i);
                return detail::Member<Score>{row, labelled.scores[row], labelled.positive[row] != 0};
            };
            const Group group = counter.count(named.groups.rows_of(places[at]), member);
            out.set(at, named.names[places[at]], group.counts);
            out.set(at, group.sums);
        }
    };
    run_parallel((groups + groups_a_part - 1) / groups_a_part, threads, count, poll);
    return out;
}

}  // namespace pingce
