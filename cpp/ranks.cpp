#include "ranks.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "dealt.h"
#include "kernels.h"
#include "parts.h"
#include "radix.h"

namespace pingce {
namespace {

struct RankedRow {
    std::uint64_t key;
    std::size_t row;

    bool operator<(const RankedRow& other) const { return key < other.key; }
};

// The ranks of one range, sorted; `below` are all numbers of the ranges before it.
void rank(std::span<const RankedRow> items, std::size_t below, double* ranks) {
    for (std::size_t first = 0, end; first < items.size(); first = end) {
        end = first + 1;
        while (end < items.size() && items[end].key == items[first].key) ++end;
        const auto place = static_cast<double>(2 * below + first + end);
        for (std::size_t i = first; i < end; ++i) ranks[items[i].row] = place;
    }
}

// Of a size its exponent and four digits: 2^15 of them.
constexpr unsigned cell_shift = 48;
constexpr std::size_t cells = std::size_t{1} << (63 - cell_shift);

std::size_t cell_of(double size) { return static_cast<std::size_t>(std::bit_cast<std::uint64_t>(size) >> cell_shift); }

struct CellCounts {
    std::vector<std::size_t> at = std::vector<std::size_t>(cells, 0);

    void add(const CellCounts& other) {
        for (std::size_t cell = 0; cell < cells; ++cell) at[cell] += other.at[cell];
    }
};

struct Sizes {
    std::vector<double> values;

    void add(const Sizes& other) { values.insert(values.end(), other.values.begin(), other.values.end()); }
};

// Calls action with the sizes of the errors of each block.
template <class Action>
void for_each_size(const Strand& strand, std::span<const double> truth, std::span<const double> predicted,
                   const Action& action) {
    struct Work {
        double error[block_rows], size[block_rows];
    };
    const auto work = std::make_unique<Work>();
    const Kernels& loops = kernels();
    strand.for_each_block([&](std::size_t first, std::size_t rows) {
        loops.number_errors(truth.data() + first, predicted.data() + first, rows, work->error, work->size);
        for (std::size_t i = 0; i < rows; ++i) action(work->size[i]);
    });
}

}  // namespace

Buffer<double> mid_ranks(std::span<const double> values, std::size_t threads, const Poll& poll) {
    const auto key = [&](std::size_t row) { return ordered_key(values[row]); };
    Ranges<RankedRow> ranges = deal_by_keys<RankedRow>(
        values.size(), key, [&](std::size_t row) { return RankedRow{key(row), row}; }, threads, poll);
    Buffer<double> ranks(values.size());
    run_parallel(
        ranges.count(), threads,
        [&](std::size_t range) {
            thread_local Sorter<RankedRow> sorter;
            thread_local std::vector<RankedRow> items;
            items.resize(ranges.size(range));
            ranges.dealt.copy(range, items.data());
            sorter.sort(items);
            rank(items, ranges.begin[range], ranks.data());
        },
        poll);
    return ranks;
}

std::pair<double, double> middle_errors(std::span<const double> truth, std::span<const double> predicted,
                                        std::size_t threads, const Poll& poll) {
    const CellCounts counts = sum_rows(truth.size(), threads, poll, [&](const Strand& strand) {
        CellCounts here;
        for_each_size(strand, truth, predicted, [&](double size) { ++here.at[cell_of(size)]; });
        return here;
    });
    const std::size_t low = (truth.size() - 1) / 2, high = truth.size() / 2;
    std::size_t first = 0, below = 0;
    while (below + counts.at[first] <= low) below += counts.at[first++];
    std::size_t last = first;
    for (std::size_t upto = below + counts.at[first]; upto <= high;) upto += counts.at[++last];
    Sizes sizes = sum_rows(truth.size(), threads, poll, [&](const Strand& strand) {
        Sizes here;
        for_each_size(strand, truth, predicted, [&](double size) {
            const std::size_t cell = cell_of(size);
            if (cell >= first && cell <= last) here.values.push_back(size);
        });
        return here;
    });
    const auto middle = sizes.values.begin() + static_cast<std::ptrdiff_t>(low - below);
    std::nth_element(sizes.values.begin(), middle, sizes.values.end());
    return {*middle, low == high ? *middle : *std::min_element(middle + 1, sizes.values.end())};
}

}  // namespace pingce
