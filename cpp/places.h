// The heads of all lists of a run: which row stands at which place. No truth is needed, and no metric lives here.
#pragma once

#include <cstdint>

#include "buffer.h"
#include "heads.h"
#include "ranking.h"

namespace pingce {

// Lists are in order of their queries' ids.
struct Places {
    Heads heads;
    Buffer<std::int64_t> first_row;  // a row of each list, whatever became of it
    Buffer<std::int64_t> returned, given, run_repeats, nan_rows,
        excluded;  // rows that count; rows there were; the odd ones
    Faults faults;
};

// The run grouped by query, in order of the queries' ids, with the excluded pairs of each.
struct Lists {
    Groups groups;
    std::vector<std::size_t> order;
    Answers excluded;
};

template <class Ids>
Lists match_lists(const Ids& run, const Ids* excluded, const EntryReaders& read, std::size_t threads, const Poll& poll);

// Of the columns those of the truth are not looked at.
template <class Ids>
Places list_places(const Lists& lists, const RankingColumns<Ids>& columns, const RankingPolicies& policies,
                   std::size_t depth, std::size_t threads, const Poll& poll);

}  // namespace pingce
