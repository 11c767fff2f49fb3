#include "ranks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "dealt.h"
#include "hashes.h"
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

// Sizes of errors within some bounds, and how many lie below. Where both bounds are one, they need not be kept.
struct Sifted {
    std::vector<double> values;
    std::size_t count = 0, below = 0;

    void add(const Sifted& other) {
        values.insert(values.end(), other.values.begin(), other.values.end());
        count += other.count;
        below += other.below;
    }
    [[nodiscard]] bool holds(std::size_t place) const { return place >= below && place < below + count; }
};

// Errors are never written out: they are made again for each look at them.
class ErrorSizes {
 public:
    ErrorSizes(std::span<const double> truth, std::span<const double> predicted, std::size_t threads, const Poll& poll)
        : truth_(truth), predicted_(predicted), threads_(threads), poll_(poll) {}

    // Bounds between which the sizes at both places lie, sorted, if some of the rows stand for all.
    [[nodiscard]] std::pair<double, double> bounds(std::size_t low, std::size_t high) const {
        constexpr std::size_t most = std::size_t{1} << 15, deviations = 5;
        const std::size_t step = std::max<std::size_t>(1, truth_.size() / most), count = (truth_.size() - 1) / step + 1;
        std::vector<double> sizes(count);
        for (std::size_t i = 0; i < count; ++i) {  // one of each step, by chance: rows may repeat in any rhythm
            const std::size_t row = std::min(truth_.size() - 1, i * step + detail::fold(i, detail::k1) % step);
            sizes[i] = std::fabs(predicted_[row] - truth_[row]);
        }
        std::sort(sizes.begin(), sizes.end());
        const auto margin = deviations * static_cast<std::size_t>(std::sqrt(static_cast<double>(count))) / 2 + 1;
        const std::size_t first = low / step, last = high / step + margin;
        return {first < margin ? 0.0 : sizes[first - margin],
                last < count ? sizes[last] : std::numeric_limits<double>::infinity()};
    }

    [[nodiscard]] Sifted within(double low, double high) const {
        struct Work {
            double error[block_rows], size[block_rows], kept[block_rows];
        };
        const Kernels& loops = kernels();
        return sum_rows(truth_.size(), threads_, poll_, [&](const Strand& strand) {
            Sifted here;
            const auto work = std::make_unique<Work>();
            strand.for_each_block([&](std::size_t first, std::size_t rows) {
                loops.number_errors(truth_.data() + first, predicted_.data() + first, rows, work->error, work->size);
                std::size_t below = 0;
                const std::size_t kept = loops.sift(work->size, rows, low, high, work->kept, below);
                if (low < high) here.values.insert(here.values.end(), work->kept, work->kept + kept);
                here.count += kept;
                here.below += below;
            });
            return here;
        });
    }

 private:
    std::span<const double> truth_, predicted_;
    std::size_t threads_;
    const Poll& poll_;
};

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
    const std::size_t low = (truth.size() - 1) / 2, high = truth.size() / 2;
    const ErrorSizes errors(truth, predicted, threads, poll);
    const auto [least, most] = errors.bounds(low, high);
    Sifted sizes = errors.within(least, most);
    if (least == most && sizes.holds(low) && sizes.holds(high)) return {least, least};
    if (!sizes.holds(low) || !sizes.holds(high))  // the sample was not like the rest
        sizes = errors.within(0.0, std::numeric_limits<double>::infinity());
    const auto middle = sizes.values.begin() + static_cast<std::ptrdiff_t>(low - sizes.below);
    std::nth_element(sizes.values.begin(), middle, sizes.values.end());
    return {*middle, low == high ? *middle : *std::min_element(middle + 1, sizes.values.end())};
}

}  // namespace pingce
