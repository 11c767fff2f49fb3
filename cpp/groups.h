// Rows of one id column brought together: which rows belong to which query.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "buffer.h"
#include "ids.h"
#include "parallel.h"
#include "partition.h"
#include "segments.h"

namespace pingce {

// A row of a table of pairs (query, item): a hash of its item, and its grade or score.
struct Entry {
    std::size_t row = 0;
    double value = 0;
    std::uint32_t hash = 0;

    // As wide as tables want it.
    [[nodiscard]] std::uint64_t wide_hash() const { return static_cast<std::uint64_t>(hash) << 32 | hash; }
};

// The same of a row whose number needs no more than 32 bits.
struct ShortEntry {
    double value;
    std::uint32_t row, hash;
};

// Reads the entries of the rows [first, first + count).
using ReadEntries = std::function<void(std::size_t first, std::size_t count, Entry* out)>;

// Group g holds rows order[begin[g] .. begin[g+1]) in their given order, or, where rows arrived grouped, simply the
// rows [begin[g], begin[g+1]): `order` is then empty and nothing was moved. Rows that were dealt out with their entries
// have these in place of the order.
struct Groups {
    std::vector<std::size_t> begin;
    std::vector<std::size_t> order;
    Buffer<ShortEntry> entries;

    [[nodiscard]] std::size_t size() const { return begin.size() - 1; }
    // Whether the rows of a group stand side by side where they were given.
    [[nodiscard]] bool untouched() const { return order.empty() && entries.size() == 0; }
    [[nodiscard]] std::size_t rows_of(std::size_t group) const { return begin[group + 1] - begin[group]; }
    [[nodiscard]] std::size_t row(std::size_t group, std::size_t i) const {
        const std::size_t at = begin[group] + i;
        if (entries.size() > 0) return entries[at].row;
        return order.empty() ? at : order[at];
    }

    // The entries of a group.
    void read(std::size_t group, const ReadEntries& read_entries, std::vector<Entry>& out) const {
        const std::size_t first = begin[group], rows = rows_of(group);
        out.resize(rows);
        if (entries.size() > 0) {
            for (std::size_t i = 0; i < rows; ++i) {
                const ShortEntry& entry = entries[first + i];
                out[i] = {.row = entry.row, .value = entry.value, .hash = entry.hash};
            }
        } else if (order.empty()) {
            read_entries(first, rows, out.data());
        } else {
            for (std::size_t i = 0, end = 0; i < rows; i = end) {
                for (end = i + 1; end < rows && order[first + end] == order[first + end - 1] + 1;) ++end;
                read_entries(order[first + i], end - i, out.data() + i);
            }
        }
    }
};

namespace detail {

// Rows in any order: each with what was read of it, group by group.
template <class Ids, class Payload>
struct GatheredRows {
    std::vector<std::size_t> begin{0};
    std::vector<PackedId<Ids>> names;
    Buffer<Payload> rows;
};

template <class Payload, class Ids, class Read>
GatheredRows<Ids, Payload> gather_rows(const Ids& ids, const Read& read, std::size_t threads, const Poll& poll) {
    using Id = PackedId<Ids>;
    const Hands<Id, Payload> hands = deal_rows<Payload>(ids, read, threads, poll);
    std::vector<std::vector<Id>> names(hands.size());
    std::vector<std::vector<std::size_t>> ends(hands.size());
    GatheredRows<Ids, Payload> out;
    out.rows = Buffer<Payload>(ids.size());
    const auto gather = [&](std::size_t hand) {
        thread_local HandGroups<Id> groups;
        groups.number(hands[hand]);
        Payload* to = out.rows.data() + hands.begin(hand);
        for (std::size_t i = 0; const auto& row : hands[hand]) to[groups.places()[i++]] = row.payload;
        names[hand] = groups.names();
        for (std::size_t g = 1; g <= groups.names().size(); ++g)
            ends[hand].push_back(hands.begin(hand) + groups.begin()[g]);
    };
    run_parallel(hands.size(), threads, gather, poll);
    for (std::size_t hand = 0; hand < hands.size(); ++hand) {
        out.names.insert(out.names.end(), names[hand].begin(), names[hand].end());
        out.begin.insert(out.begin.end(), ends[hand].begin(), ends[hand].end());
    }
    return out;
}

}  // namespace detail

// Groups with the id of each; ids are ascending, or in no order that means anything.
template <class Ids>
struct NamedGroups {
    Groups groups;
    std::vector<PackedId<Ids>> names;
    bool ascending = false;
};

namespace detail {

template <class Ids>
NamedGroups<Ids> group_segments(const Ids& ids, std::size_t threads, const Poll& poll) {
    std::vector<std::size_t> starts = segment_starts(ids, threads, poll);
    std::vector<PackedId<Ids>> names(starts.size() - 1);
    for (std::size_t s = 0; s < names.size(); ++s) names[s] = pack(ids[starts[s]]);
    const auto descends = [](const auto& a, const auto& b) { return !(a < b); };
    const bool ascending = std::adjacent_find(names.begin(), names.end(), descends) == names.end();
    if (!ascending) {
        refuse_beyond_32_bits(names.size());
        Dealer<PackedId<Ids>> dealer(starts, names, threads, poll);
        std::vector<PackedId<Ids>> found = dealer.names();
        if (found.size() < names.size()) {
            RowOrder moved = dealer.order();
            return {{.begin = std::move(moved.begin), .order = std::move(moved.rows), .entries = {}}, std::move(found)};
        }
    }
    return {{.begin = std::move(starts), .order = {}, .entries = {}}, std::move(names), ascending};
}

}  // namespace detail

template <class Ids>
NamedGroups<Ids> group_rows(const Ids& ids, std::size_t threads, const Poll& poll) {
    if (detail::seems_grouped(ids)) return detail::group_segments(ids, threads, poll);
    const auto read = [](std::size_t first, std::size_t count, std::size_t* out) {
        std::iota(out, out + count, first);
    };
    auto gathered = detail::gather_rows<std::size_t>(ids, read, threads, poll);
    std::vector<std::size_t> order(gathered.rows.data(), gathered.rows.data() + gathered.rows.size());
    return {{.begin = std::move(gathered.begin), .order = std::move(order), .entries = {}}, std::move(gathered.names)};
}

// Rows that have to be moved take their entries with them.
template <class Ids>
NamedGroups<Ids> group_rows(const Ids& ids, const ReadEntries& read, std::size_t threads, const Poll& poll) {
    if (detail::seems_grouped(ids)) return detail::group_segments(ids, threads, poll);
    refuse_beyond_32_bits(ids.size());
    const auto shorten = [&](std::size_t first, std::size_t count, ShortEntry* out) {
        thread_local std::vector<Entry> entries;
        entries.resize(count);
        read(first, count, entries.data());
        for (const Entry& entry : entries) *out++ = {entry.value, static_cast<std::uint32_t>(entry.row), entry.hash};
    };
    auto gathered = detail::gather_rows<ShortEntry>(ids, shorten, threads, poll);
    return {{.begin = std::move(gathered.begin), .order = {}, .entries = std::move(gathered.rows)},
            std::move(gathered.names)};
}

}  // namespace pingce
