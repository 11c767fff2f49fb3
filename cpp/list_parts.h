// What is put together of parts: runs of neighbouring queries, which know `first_query`, `sizes` and `faults`.
#pragma once

#include <cstdint>
#include <vector>

#include "buffer.h"
#include "lists.h"

namespace pingce {

inline void add(ListFaults& to, const ListFaults& faults) {
    add(to.first, faults.first);
    to.repeats += faults.repeats;
    to.nan_rows += faults.nan_rows;
}

template <class Part>
std::vector<ListFaults> faults_of(const std::vector<Part>& parts, std::size_t runs) {
    std::vector<ListFaults> out(runs);
    for (const Part& part : parts) {
        for (std::size_t run = 0; run < runs; ++run) add(out[run], part.faults[run]);
    }
    return out;
}

// Where the list of each query begins, in the order of parts; sizes_of(part) are those of its lists.
template <class Part, class SizesOf>
Buffer<std::int64_t> offsets(const std::vector<Part>& parts, std::size_t queries, const SizesOf& sizes_of) {
    Buffer<std::int64_t> begin(queries + 1);
    std::int64_t at = 0;
    begin[0] = 0;
    for (const Part& part : parts) {
        for (std::size_t i = 0; i < sizes_of(part).size(); ++i) {
            at += static_cast<std::int64_t>(sizes_of(part)[i]);
            begin[part.first_query + i + 1] = at;
        }
    }
    return begin;
}

}  // namespace pingce
