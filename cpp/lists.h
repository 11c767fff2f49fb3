// Lists of several runs side by side: each in rank order, their items numbered once for all runs of a query.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "buffer.h"
#include "groups.h"
#include "parallel.h"
#include "ranking.h"

namespace pingce {

// Equal scores stand by id, the larger or the smaller first, or as they were given.
enum class TieOrder { id, id_ascending, order };

struct ListPolicies {
    RankingPolicies rows;
    TieOrder ties = TieOrder::id;
};

// The rows of a run that a policy had to decide on, and the first of them.
struct ListFaults {
    Faults first;
    std::int64_t repeats = 0, nan_rows = 0;
};

// The query columns of all runs after they were matched.
struct MatchedLists {
    std::vector<Groups> runs;
    std::vector<std::vector<std::int64_t>> of;  // by run and query: its group, -1 where the run has none
    std::vector<std::int64_t> query_rows;       // a row of each query, sorted by query id; runs one after another

    [[nodiscard]] std::size_t queries() const { return query_rows.size(); }
    [[nodiscard]] std::size_t rows() const;                      // of all runs
    [[nodiscard]] std::size_t rows_of(std::size_t query) const;  // of all runs
    [[nodiscard]] std::size_t longest() const;
};

template <class Ids>
MatchedLists match_lists(std::span<const Ids* const> queries, std::span<const ReadEntries> read, std::size_t threads,
                         const Poll& poll);

template <class Ids>
struct ListColumns {
    std::vector<const Ids*> items;      // of each run
    std::vector<const double*> scores;  // of each run
    std::vector<ReadEntries> read;
    std::vector<std::int64_t> offset;  // of the rows of each run, where runs stand one after another
};

// The lists of one run, in rank order; `place` is the number of the item among those of all queries.
struct AlignedRun {
    Buffer<std::int64_t> begin, row, place;
    ListFaults faults;
};

// Items of each query, with a row that holds each; rows of runs are counted one run after another.
struct AlignedLists {
    Buffer<std::int64_t> begin, member;
    std::vector<AlignedRun> runs;
};

template <class Ids>
AlignedLists align_lists(const MatchedLists& matched, const ListColumns<Ids>& columns, const ListPolicies& policies,
                         std::size_t threads, const Poll& poll);

// Items of each query by the sum of their points, the highest first.
struct FusedLists {
    Buffer<std::int64_t> begin;
    Buffer<std::uint32_t> member;
    Buffer<double> score;
    std::vector<ListFaults> faults;  // of each run
};

// `points` are those of each rank of each run; as many as the longest list has rows.
template <class Ids>
FusedLists fuse_lists(const MatchedLists& matched, const ListColumns<Ids>& columns, const ListPolicies& policies,
                      std::span<const std::span<const double>> points, std::size_t threads, const Poll& poll);

// The places of items by falling score within each list [begin[i], begin[i+1]); ids[member[p]] is the item at place p.
template <class Ids>
Buffer<std::int64_t> order_lists(std::span<const std::int64_t> begin, std::span<const double> scores, const Ids& ids,
                                 std::span<const std::int64_t> member, TieOrder ties, std::size_t threads,
                                 const Poll& poll);

// The lists of `start` sorted by majorities: a place stands before another if more votes say so, else as it stood.
// `ranks` holds those of all places, run by run; every run has a number of votes.
Buffer<std::int64_t> majority_order(std::span<const std::int64_t> begin, std::span<const std::int64_t> start,
                                    std::span<const std::int64_t> ranks, std::span<const double> votes,
                                    std::size_t threads, const Poll& poll);

// How many pairs of each list stand in falling order; values of a list differ.
std::vector<std::int64_t> count_inversions(std::span<const std::int64_t> begin, std::span<const std::int64_t> values,
                                           std::size_t threads, const Poll& poll);

}  // namespace pingce
