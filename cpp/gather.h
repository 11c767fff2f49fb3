// Small services for id columns: the first empty id; some ids, copied, so that they outlive the memory they came from.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>
#include <vector>

#include "buffer.h"
#include "ids.h"
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
    std::vector<std::int64_t> ends;
};

inline Strings gather(const StringIds& ids, std::span<const std::int64_t> rows) {
    Strings out;
    out.ends.reserve(rows.size());
    std::vector<std::string_view> found;  // rows lie anywhere: each is looked for once
    found.reserve(rows.size());
    std::int64_t total = 0;
    for (const std::int64_t row : rows) {
        found.push_back(ids[static_cast<std::size_t>(row)]);
        total += static_cast<std::int64_t>(found.back().size());
        out.ends.push_back(total);
    }
    out.data = Buffer<std::uint8_t>(static_cast<std::size_t>(total));
    std::uint8_t* at = out.data.data();
    for (const std::string_view id : found) {
        std::memcpy(at, id.data(), id.size());
        at += id.size();
    }
    return out;
}

inline std::vector<std::int64_t> gather(const IntIds& ids, std::span<const std::int64_t> rows) {
    std::vector<std::int64_t> out;
    out.reserve(rows.size());
    for (const std::int64_t row : rows) out.push_back(ids[static_cast<std::size_t>(row)]);
    return out;
}

}  // namespace pingce
