// Rows cut into parts for threads, and sums over all rows that do not depend on who adds up which.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "kernels.h"
#include "parallel.h"

namespace pingce {

constexpr std::size_t part_rows = std::size_t{1} << 16;

inline std::size_t parts_of(std::size_t rows) { return (rows + part_rows - 1) / part_rows; }

// Every so-many-th part: its sums are as large as those of many parts, and are made once.
class Strand {
 public:
    Strand(std::size_t first_part, std::size_t step, std::size_t rows, const Watch& watch)
        : first_part_(first_part), step_(step), rows_(rows), watch_(watch) {}

    // Calls action(first row, end) for each part.
    template <class Action>
    void for_each_part(const Action& action) const {
        for (std::size_t part = first_part_; part < parts_of(rows_); part += step_) {
            watch_.check();
            action(part * part_rows, std::min(rows_, (part + 1) * part_rows));
        }
    }

    // Calls action(first row, how many) for each block of each part.
    template <class Action>
    void for_each_block(const Action& action) const {
        for_each_part([&](std::size_t first, std::size_t end) {
            for (std::size_t row = first; row < end; row += block_rows) action(row, std::min(block_rows, end - row));
        });
    }

 private:
    std::size_t first_part_, step_, rows_;
    const Watch& watch_;
};

// The sums that sum(strand) makes of each strand, added up.
template <class Sum>
auto sum_rows(std::size_t rows, std::size_t threads, const Poll& poll, const Sum& sum) {
    const Watch watch(poll);
    const std::size_t strands = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(parts_of(rows), 1));
    std::vector<decltype(sum(Strand(0, 1, 0, watch)))> sums(strands);
    run_parallel(
        strands, threads, [&](std::size_t strand) { sums[strand] = sum(Strand(strand, strands, rows, watch)); },
        watch.poll());
    for (std::size_t strand = 1; strand < strands; ++strand) sums[0].add(sums[strand]);
    return std::move(sums[0]);
}

}  // namespace pingce
