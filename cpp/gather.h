// Some ids of a column, copied: they outlive the memory they came from.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "buffer.h"
#include "ids.h"

namespace pingce {

// `ends[i]` is where string i ends in `data`, and string i + 1 begins.
struct Strings {
    Buffer<std::uint8_t> data;
    std::vector<std::int64_t> ends;
};

inline Strings gather(const StringIds& ids, std::span<const std::int64_t> rows) {
    Strings out;
    out.ends.reserve(rows.size());
    std::int64_t total = 0;
    for (const std::int64_t row : rows) {
        total += static_cast<std::int64_t>(ids[static_cast<std::size_t>(row)].size());
        out.ends.push_back(total);
    }
    out.data = Buffer<std::uint8_t>(static_cast<std::size_t>(total));
    std::uint8_t* at = out.data.data();
    for (const std::int64_t row : rows) {
        const std::string_view id = ids[static_cast<std::size_t>(row)];
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
