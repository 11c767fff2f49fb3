// Many tables of thresholds made one: their rows are dealt by ranges of scores and sorted, however many tables there
// are.
#include <algorithm>
#include <vector>

#include "dealt.h"
#include "sides.h"
#include "thresholds.h"

namespace pingce {
namespace {

template <class Key>
struct Counted {
    Key key;
    std::int64_t positives, negatives;
    friend bool operator<(const Counted& a, const Counted& b) { return a.key < b.key; }
};

// All rows of all tables, one table after another.
template <class Score>
Buffer<Counted<KeyOf<Score>>> rows_of(std::span<const CountsView<Score>> tables, std::size_t threads,
                                      const Poll& poll) {
    std::vector<std::size_t> begin(tables.size() + 1, 0);
    for (std::size_t i = 0; i < tables.size(); ++i) begin[i + 1] = begin[i] + tables[i].score.size();
    Buffer<Counted<KeyOf<Score>>> rows(begin.back());
    run_parallel(
        tables.size(), threads,
        [&](std::size_t i) {
            for (std::size_t row = 0; row < tables[i].score.size(); ++row)
                rows[begin[i] + row] = {descending_key(tables[i].score[row]), tables[i].positives[row],
                                        tables[i].negatives[row]};
        },
        poll);
    return rows;
}

// What a range holds: distinct scores, positives, negatives; then how many of each stand before it.
struct Amounts {
    std::size_t rows = 0;
    std::int64_t positives = 0, negatives = 0;
};

}  // namespace

template <class Score>
Thresholds<Score, std::int64_t> join_tables(std::span<const CountsView<Score>> tables, std::size_t threads,
                                            const Poll& poll) {
    using Item = Counted<KeyOf<Score>>;
    Buffer<Item> rows = rows_of(tables, threads, poll);
    Ranges<Item> parts = deal_by_keys<Item>(
        rows.size(), [&](std::size_t row) { return rows[row].key; }, [&](std::size_t row) { return rows[row]; },
        threads, poll);
    const std::vector<std::size_t>& begin = parts.begin;
    const std::size_t ranges = parts.count();
    std::vector<Amounts> amounts(ranges + 1);
    run_parallel(
        ranges, threads,
        [&](std::size_t range) {
            thread_local Sorter<Item> sorter;
            const std::span<Item> sorted(rows.data() + begin[range], parts.size(range));
            parts.dealt.copy(range, sorted.data());
            sorter.sort(sorted);
            Amounts& sum = amounts[range + 1];
            for (std::size_t i = 0; i < sorted.size(); ++i) {
                sum.rows += i == 0 || sorted[i].key != sorted[i - 1].key;
                sum.positives += sorted[i].positives;
                sum.negatives += sorted[i].negatives;
            }
        },
        poll);
    for (std::size_t range = 0; range < ranges; ++range) {
        amounts[range + 1].rows += amounts[range].rows;
        amounts[range + 1].positives += amounts[range].positives;
        amounts[range + 1].negatives += amounts[range].negatives;
    }
    const std::size_t size = amounts.back().rows;
    Thresholds<Score, std::int64_t> out{Buffer<Score>(size), Buffer<std::int64_t>(size), Buffer<std::int64_t>(size), 0};
    run_parallel(
        ranges, threads,
        [&](std::size_t range) {
            Amounts sum = amounts[range];
            for (std::size_t i = begin[range]; i < begin[range + 1]; ++i) {
                sum.rows += i == begin[range] || rows[i].key != rows[i - 1].key;
                sum.positives += rows[i].positives;
                sum.negatives += rows[i].negatives;
                out.score[sum.rows - 1] = score_of<Score>(rows[i].key);
                out.true_positives[sum.rows - 1] = sum.positives;
                out.false_positives[sum.rows - 1] = sum.negatives;
            }
        },
        poll);
    out.twice_concordant = pairs_of(out, threads, poll);
    return out;
}

template Thresholds<float, std::int64_t> join_tables(std::span<const CountsView<float>>, std::size_t, const Poll&);
template Thresholds<double, std::int64_t> join_tables(std::span<const CountsView<double>>, std::size_t, const Poll&);

}  // namespace pingce
