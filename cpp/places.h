// The heads of all lists of a run: which row stands at which place. No truth is needed, and no metric lives here.
#pragma once

#include <cstdint>

#include "buffer.h"
#include "ranking.h"

namespace pingce {

// Lists are in order of their queries' ids, and their rows in rank order, ties by id descending. A list goes down to
// `depth` places, and on to the end of the block of equal scores that the last of them is in.
struct Places {
    Buffer<std::int64_t> begin;            // CSR offsets, one more than lists
    Buffer<std::int64_t> row;              // of the run
    Buffer<std::int32_t> above, block;     // rows with a higher score; rows with this score
    Buffer<std::int32_t> by_id, by_order;  // rows of the block that stand before: larger id; given earlier
    Buffer<std::int64_t> first_row;        // a row of each list, whatever became of it
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
