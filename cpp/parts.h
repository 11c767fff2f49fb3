// Rows cut into parts for threads, and sums over all rows that do not depend on who adds up which.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>

#include "parallel.h"

namespace pingce {

constexpr std::size_t part_rows = std::size_t{1} << 16;

inline std::size_t parts_of(std::size_t rows) { return (rows + part_rows - 1) / part_rows; }

// Adds rows up with add(sums, first, end), in strands that each begin with a copy of `empty`. A strand takes every
// so-many-th part: its sums are as large as those of many parts, and are made once.
template <class Sums, class AddRows>
Sums sum_rows(std::size_t rows, std::size_t threads, const Poll& poll, const Sums& empty, const AddRows& add) {
    const std::size_t parts = parts_of(rows);
    const std::size_t strands = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(parts, 1));
    Sums all = empty;
    std::mutex mutex;
    const Watch watch(poll);
    const auto add_strand = [&](std::size_t strand) {
        Sums sums = empty;
        for (std::size_t part = strand; part < parts; part += strands) {
            watch.check();
            add(sums, part * part_rows, std::min(rows, (part + 1) * part_rows));
        }
        const std::lock_guard lock(mutex);
        all.add(sums);
    };
    run_parallel(strands, threads, add_strand, watch.poll());
    return all;
}

}  // namespace pingce
