#include "places.h"

#include <vector>

#include "list.h"
#include "queries.h"

namespace pingce {
namespace {

struct Part {
    std::size_t first_query = 0, end_query = 0;
    HeadPart heads;
    Faults faults;
};

Places room_for(std::size_t lists) {
    Places out;
    out.heads = Heads(lists);
    for (auto* column : {&out.first_row, &out.returned, &out.given, &out.run_repeats, &out.nan_rows, &out.excluded})
        *column = Buffer<std::int64_t>(lists);
    return out;
}

}  // namespace

template <class Ids>
Lists match_lists(const Ids& run, const Ids* excluded, const EntryReaders& read, std::size_t threads,
                  const Poll& poll) {
    Lists out;
    NamedGroups<Ids> given = group_rows(run, read.run, threads, poll);
    Queries<Ids> queries(given);
    out.groups = std::move(given.groups);
    out.order = queries.order();
    if (excluded != nullptr) out.excluded = queries.answered_by(group_rows(*excluded, read.excluded, threads, poll));
    return out;
}

template <class Ids>
Places list_places(const Lists& lists, const RankingColumns<Ids>& columns, const RankingPolicies& policies,
                   std::size_t depth, std::size_t threads, const Poll& poll) {
    Places out = room_for(lists.order.size());
    std::vector<Part> parts = split_queries<Part>(lists.order.size(), threads);
    const auto work = [&](std::size_t p) {
        auto& list = of_thread<List<Ids>>();
        auto& ranker = of_thread<Ranker>();
        Part& part = parts[p];
        for (std::size_t l = part.first_query; l < part.end_query; ++l) {
            const std::size_t group = lists.order[l];
            list.read(lists.groups, group, lists.excluded, l, columns, policies, part.faults);
            const auto id_at = [&](std::uint32_t place) { return columns.run_items[list.rows[place].row]; };
            out.heads.begin[l + 1] = part.heads.add(list, depth, ranker, id_at);
            out.first_row[l] = static_cast<std::int64_t>(lists.groups.row(group, 0));
            out.returned[l] = static_cast<std::int64_t>(list.rows.size());
            out.given[l] = static_cast<std::int64_t>(lists.groups.rows_of(group));
            out.run_repeats[l] = list.odd.run_repeats;
            out.nan_rows[l] = list.odd.nan_rows;
            out.excluded[l] = list.odd.excluded;
        }
    };
    run_parallel(parts.size(), threads, work, poll);
    for (const Part& part : parts) add(out.faults, part.faults);
    reserve_heads(out.heads, parts);
    run_parallel(parts.size(), threads, [&](std::size_t p) { store_heads(out.heads, parts[p].heads); }, poll);
    return out;
}

template Lists match_lists(const StringIds&, const StringIds*, const EntryReaders&, std::size_t, const Poll&);
template Lists match_lists(const IntIds&, const IntIds*, const EntryReaders&, std::size_t, const Poll&);
template Places list_places(const Lists&, const RankingColumns<StringIds>&, const RankingPolicies&, std::size_t,
                            std::size_t, const Poll&);
template Places list_places(const Lists&, const RankingColumns<IntIds>&, const RankingPolicies&, std::size_t,
                            std::size_t, const Poll&);

}  // namespace pingce
