// Small services for id columns: the first empty id; some ids, copied, so that they outlive the memory they came from.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>
#include <span>
#include <vector>

#include "buffer.h"
#include "ids.h"
#include "packed.h"
#include "parallel.h"

namespace pingce {

// The first row whose id is empty, or the number of rows where none is.
inline std::size_t first_empty(const StringIds& ids, std::size_t threads, const Poll& poll) {
    constexpr std::size_t rows_a_part = std::size_t{1} << 14;
    std::atomic<std::size_t> first = ids.size();
    const auto look = [&](std::size_t part) {
        thread_local std::vector<std::string_view> values;
        const std::size_t begin = part * rows_a_part;
        if (begin >= first) return;
        values.resize(std::min(ids.size() - begin, rows_a_part));
        ids.read(begin, values.size(), values.data());
        const auto empty = [](std::string_view id) { return id.empty(); };
        const auto found = static_cast<std::size_t>(std::find_if(values.begin(), values.end(), empty) - values.begin());
        if (found == values.size()) return;
        std::size_t known = first;
        while (begin + found < known && !first.compare_exchange_weak(known, begin + found)) {
        }
    };
    run_parallel((ids.size() + rows_a_part - 1) / rows_a_part, threads, look, poll);
    return first;
}

// `ends[i]` is where string i ends in `data`, and string i + 1 begins.
struct Strings {
    Buffer<std::uint8_t> data;
    Buffer<std::int64_t> ends;
};

inline Strings gather(const StringIds& ids, std::span<const std::int64_t> rows) {
    Strings out{{}, Buffer<std::int64_t>(rows.size())};
    std::vector<std::string_view> found;  // rows lie anywhere: each is looked for once
    found.reserve(rows.size());
    std::int64_t total = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        found.push_back(ids[static_cast<std::size_t>(rows[i])]);
        out.ends[i] = total += static_cast<std::int64_t>(found.back().size());
    }
    out.data = Buffer<std::uint8_t>(static_cast<std::size_t>(total));
    std::uint8_t* at = out.data.data();
    for (const std::string_view id : found) {
        std::memcpy(at, id.data(), id.size());
        at += id.size();
    }
    return out;
}

// Copies of strings, part by part.
inline Strings unpack(std::span<const PackedString> ids, std::size_t threads, const Poll& poll) {
    constexpr std::size_t ids_a_part = std::size_t{1} << 14;
    const std::size_t parts = (ids.size() + ids_a_part - 1) / ids_a_part;
    Strings out{{}, Buffer<std::int64_t>(ids.size())};
    std::vector<std::int64_t> begin(parts + 1, 0);
    const auto for_each = [&](std::size_t part, const auto& action) {
        for (std::size_t i = part * ids_a_part; i < std::min(ids.size(), (part + 1) * ids_a_part); ++i) action(i);
    };
    const auto measure = [&](std::size_t part) {
        std::int64_t letters = 0;
        for_each(part, [&](std::size_t i) { letters += static_cast<std::int64_t>(ids[i].size()); });
        begin[part + 1] = letters;
    };
    run_parallel(parts, threads, measure, poll);
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    out.data = Buffer<std::uint8_t>(static_cast<std::size_t>(begin.back()));
    const auto copy = [&](std::size_t part) {
        std::int64_t end = begin[part];
        for_each(part, [&](std::size_t i) {
            ids[i].copy(out.data.data() + end);
            out.ends[i] = end += static_cast<std::int64_t>(ids[i].size());
        });
    };
    run_parallel(parts, threads, copy, poll);
    return out;
}

inline std::vector<std::int64_t> gather(const IntIds& ids, std::span<const std::int64_t> rows) {
    std::vector<std::int64_t> out;
    out.reserve(rows.size());
    for (const std::int64_t row : rows) out.push_back(ids[static_cast<std::size_t>(row)]);
    return out;
}

}  // namespace pingce
