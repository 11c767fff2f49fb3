// Rows of one id column brought together: which rows belong to which query.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "ids.h"
#include "parallel.h"
#include "table.h"

namespace pingce {

// Group g holds rows order[begin[g] .. begin[g+1]) in their given order, or, where rows arrived grouped,
// simply the rows [begin[g], begin[g+1]): `order` is then empty and nothing was moved.
struct Groups {
    std::vector<std::size_t> begin;
    std::vector<std::size_t> order;

    [[nodiscard]] std::size_t size() const { return begin.size() - 1; }
    [[nodiscard]] std::size_t rows_of(std::size_t group) const { return begin[group + 1] - begin[group]; }
    [[nodiscard]] std::size_t row(std::size_t group, std::size_t i) const {
        return order.empty() ? begin[group] + i : order[begin[group] + i];
    }

    // The rows of a group, and their ids in a column, into vectors that are made as long as they must be.
    template <class Ids>
    void read(std::size_t group, const Ids& ids, std::vector<std::size_t>& rows,
              std::vector<typename Ids::Value>& values) const {
        rows.resize(rows_of(group));
        values.resize(rows.size());
        if (order.empty()) {
            std::iota(rows.begin(), rows.end(), begin[group]);
            ids.read(begin[group], rows.size(), values.data());
            return;
        }
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows[i] = row(group, i);
            values[i] = ids[rows[i]];
        }
    }
};

namespace detail {

constexpr std::size_t rows_between_polls = std::size_t{1} << 20;

inline void poll(std::size_t row, const KeepGoing& keep_going) {
    if (row % rows_between_polls == rows_between_polls - 1 && !keep_going()) throw Stopped{};
}

// Rows whose id differs from the row before, and at the end the number of rows; found in parallel, part by part.
template <class Ids>
std::vector<std::size_t> segment_starts(const Ids& ids, std::size_t threads, const KeepGoing& keep_going) {
    constexpr std::size_t rows_a_part = std::size_t{1} << 14;
    std::vector<std::vector<std::size_t>> found((ids.size() + rows_a_part - 1) / rows_a_part);
    const auto look = [&](std::size_t part) {
        thread_local std::vector<typename Ids::Value> values;
        const std::size_t first = part * rows_a_part;
        values.resize(std::min(ids.size() - first, rows_a_part));
        ids.read(first, values.size(), values.data());
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i == 0 ? first == 0 || values[i] != ids[first - 1] : values[i] != values[i - 1])
                found[part].push_back(first + i);
        }
    };
    if (!run_parallel(found.size(), threads, look, keep_going)) throw Stopped{};
    std::vector<std::size_t> starts;
    for (const auto& part : found) starts.insert(starts.end(), part.begin(), part.end());
    starts.push_back(ids.size());
    return starts;
}

// Segments of the same group are put side by side: a counting sort of rows that keeps their order.
inline Groups gather(const std::vector<std::size_t>& starts, const std::vector<std::uint32_t>& group_of,
                     std::size_t groups) {
    Groups out;
    out.begin.assign(groups + 1, 0);
    for (std::size_t s = 0; s < group_of.size(); ++s) out.begin[group_of[s] + 1] += starts[s + 1] - starts[s];
    std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
    std::vector<std::size_t> next(out.begin.begin(), out.begin.end() - 1);
    out.order.resize(starts.back());
    for (std::size_t s = 0; s < group_of.size(); ++s) {
        for (std::size_t row = starts[s]; row < starts[s + 1]; ++row) out.order[next[group_of[s]]++] = row;
    }
    return out;
}

}  // namespace detail

// Groups with the id of each. They come in the order in which they first appear.
template <class Ids>
struct NamedGroups {
    Groups groups;
    std::vector<typename Ids::Value> names;
    bool ascending = false;  // names come in strictly ascending order
};

template <class Ids>
NamedGroups<Ids> group_rows(const Ids& ids, std::size_t threads, const KeepGoing& keep_going) {
    std::vector<std::size_t> starts = detail::segment_starts(ids, threads, keep_going);
    const std::size_t segments = starts.size() - 1;
    std::vector<typename Ids::Value> names(segments);
    for (std::size_t s = 0; s < segments; ++s) names[s] = ids[starts[s]];
    if (std::is_sorted(names.begin(), names.end(), std::less_equal<>())) {
        return {.groups = {.begin = std::move(starts), .order = {}}, .names = std::move(names), .ascending = true};
    }
    std::vector<std::uint32_t> group_of(segments);
    std::vector<typename Ids::Value> found;
    PositionTable table;
    table.reset(segments);
    for (std::size_t s = 0; s < segments; ++s) {
        detail::poll(s, keep_going);
        const auto fresh = static_cast<std::uint32_t>(found.size());
        const auto at = table.insert(hash_of(names[s]), fresh, [&](std::uint32_t g) { return found[g] == names[s]; });
        group_of[s] = at == PositionTable::none ? fresh : at;
        if (at == PositionTable::none) found.push_back(names[s]);
    }
    if (found.size() == segments) {
        return {.groups = {.begin = std::move(starts), .order = {}}, .names = std::move(names), .ascending = false};
    }
    return {.groups = detail::gather(starts, group_of, found.size()), .names = std::move(found), .ascending = false};
}

}  // namespace pingce
