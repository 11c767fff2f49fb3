// Ranking evidence: for each judged query, where each judged item stands in the run. No metric lives here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "buffer.h"
#include "groups.h"
#include "heads.h"
#include "ids.h"
#include "parallel.h"

namespace pingce {

enum class Duplicates { error, first, last, best };
enum class NotANumber { error, last, first, drop };

struct RankingPolicies {
    Duplicates duplicates = Duplicates::error;
    NotANumber nan = NotANumber::error;
};

// A table of pairs (query, item) grouped by query; `of[q]` is the group of query q, -1 where it has none.
struct Answers {
    Groups groups;
    std::vector<std::int64_t> of;
    std::vector<std::size_t> extra_rows;  // a row of each query that has no judgements
};

// Truth, run and excluded pairs after their queries were matched.
struct Matched {
    Groups truth;
    std::vector<std::size_t> query_group;  // truth groups, sorted by query id
    Answers run, excluded;
};

// What is read of the rows of the three besides their queries.
struct EntryReaders {
    ReadEntries truth, run, excluded;
};

// The query columns of the three; `excluded` may be null.
template <class Ids>
Matched match_queries(const Ids& truth, const Ids& run, const Ids* excluded, const EntryReaders& read,
                      std::size_t threads, const Poll& poll);

struct RowPair {
    std::size_t first = 0, second = 0;
};

// Rows of one query that a policy had to decide on.
struct Odd {
    std::int64_t truth_repeats = 0, run_repeats = 0, nan_rows = 0, excluded = 0;
};

// The first offender in the data, for policy `error`.
struct Faults {
    std::optional<RowPair> truth_duplicate, run_duplicate;
    std::optional<std::size_t> nan_row;
    std::optional<std::size_t> long_query;  // a row of a query with more rows than 32 bits can rank
};

// Neighbouring queries as parts, which know `first_query` and `end_query`: small enough to share the work evenly, large
// enough not to be lost in the sharing.
template <class Part>
std::vector<Part> split_queries(std::size_t queries, std::size_t threads) {
    const std::size_t size = std::clamp<std::size_t>(queries / (std::max<std::size_t>(threads, 1) * 64), 16, 4096);
    std::vector<Part> parts((queries + size - 1) / size);
    for (std::size_t p = 0; p < parts.size(); ++p) {
        parts[p].first_query = p * size;
        parts[p].end_query = std::min(queries, (p + 1) * size);
    }
    return parts;
}

// Parts are merged in any order: the offender kept is the one that comes first in the data.
inline void keep_earlier(std::optional<RowPair>& kept, const std::optional<RowPair>& other) {
    if (other && (!kept || other->second < kept->second)) kept = other;
}

inline void keep_earlier(std::optional<std::size_t>& kept, const std::optional<std::size_t>& other) {
    if (other && (!kept || *other < *kept)) kept = other;
}

inline void add(Faults& to, const Faults& faults) {
    keep_earlier(to.truth_duplicate, faults.truth_duplicate);
    keep_earlier(to.run_duplicate, faults.run_duplicate);
    keep_earlier(to.nan_row, faults.nan_row);
    keep_earlier(to.long_query, faults.long_query);
}

// Everything is in query order; hits lie in rank order, ties by id descending.
struct RankingEvidence {
    Buffer<std::int64_t> hit_begin, judged_begin;  // CSR offsets, one more than queries
    Buffer<std::int32_t> above, block;             // rows with a higher score; rows with this score
    Buffer<std::int32_t> by_id, by_order;          // rows of the block that stand before: larger id; given earlier
    Buffer<double> grade;                          // of the hit
    Buffer<double> judged;                         // grades of all judged items, descending
    Buffer<std::int64_t> returned;                 // list length of each query
    Buffer<std::uint8_t> answered;
    Buffer<std::int64_t> given, truth_repeats, run_repeats, nan_rows, excluded;  // rows a query had; the odd ones
    std::optional<Heads> heads;  // of the queries' lists, where they were asked for
    Faults faults;
};

template <class Ids>
struct RankingColumns {
    const Ids& truth_items;
    const Ids& run_items;
    const Ids* excluded_items = nullptr;
    EntryReaders read;
};

// Entries with the items of a column; without values every value is 0.
template <class Ids>
ReadEntries entries_of(const Ids& items, const double* values) {
    return [&items, values](std::size_t first, std::size_t count, Entry* out) {
        constexpr std::size_t rows_a_block = 256;
        typename Ids::Value ids[rows_a_block];
        for (std::size_t block = 0; block < count; block += rows_a_block) {
            const std::size_t rows = std::min(rows_a_block, count - block), from = first + block;
            items.read(from, rows, ids);
            for (std::size_t i = 0; i < rows; ++i) {
                const double value = values == nullptr ? 0.0 : values[from + i];
                *out++ = {.row = from + i, .value = value, .hash = static_cast<std::uint32_t>(hash_of(ids[i]) >> 32)};
            }
        }
    };
}

// With a depth also the heads of lists down to it, if all lists are those of judged queries.
template <class Ids>
RankingEvidence ranking_evidence(const Matched& matched, const RankingColumns<Ids>& columns,
                                 const RankingPolicies& policies, std::size_t depth, std::size_t threads,
                                 const Poll& poll);

}  // namespace pingce
