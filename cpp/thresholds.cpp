#include "thresholds.h"

#include <algorithm>
#include <array>
#include <vector>

#include "sides.h"

namespace pingce {
namespace {

// A row with a weight; the smaller weight comes first.
template <class Key>
struct Weighed {
    Key key;
    double weight;
    friend bool operator<(const Weighed& a, const Weighed& b) {
        return a.key != b.key ? a.key < b.key : a.weight < b.weight;
    }
};

// Both sides sorted, the highest score first, and how many (or what weight) the first so many of a side have.
template <class Item>
struct Sorted {
    std::array<Buffer<Item>, 2> items;

    explicit Sorted(Sides<Item>& sides)
        : items{Buffer<Item>(sides.size(negatives)), Buffer<Item>(sides.size(positives))} {
        sides.run(2 * sides.ranges(), [&](std::size_t place) {
            const std::size_t side = place % 2, range = place / 2;
            sides.read(side, range, {items[side].data() + sides.before(side, range), sides.size(side, range)});
        });
    }
};

// The two sides of a range as one sequence: calls step(key, whether it is a new one, positives and negatives passed so
// far, this one included). Which side comes next is random: no branch depends on it.
template <class Item, class Step>
void walk(Sorted<Item>& sorted, const Sides<Item>& sides, std::size_t range, const Step& step) {
    const Item* const first_p = sorted.items[positives].data();
    const Item* const first_n = sorted.items[negatives].data();
    const Item *p = first_p + sides.before(positives, range), *p_end = p + sides.size(positives, range);
    const Item *n = first_n + sides.before(negatives, range), *n_end = n + sides.size(negatives, range);
    if (p == p_end && n == n_end) return;
    // Anything but the first key.
    auto last = static_cast<decltype(key_of(*p))>(
        ~(p == p_end || (n != n_end && key_of(*n) < key_of(*p)) ? key_of(*n) : key_of(*p)));
    const auto pass = [&](decltype(last) key) {
        step(key, key != last, static_cast<std::size_t>(p - first_p), static_cast<std::size_t>(n - first_n));
        last = key;
    };
    while (p != p_end && n != n_end) {
        const auto key_p = key_of(*p), key_n = key_of(*n);
        const bool from_p = key_p < key_n;
        p += from_p;
        n += !from_p;
        pass(from_p ? key_p : key_n);
    }
    while (p != p_end) pass(key_of(*p++));
    while (n != n_end) pass(key_of(*n++));
}

// The table of both sides; amount(side, count) is what the first so many of a side amount to.
template <class Score, class Amount, class Item, class Upto>
Thresholds<Score, Amount> table_of(Sides<Item>& sides, Sorted<Item>& sorted, const Upto& amount) {
    const std::size_t ranges = sides.ranges();
    std::vector<std::size_t> begin(ranges + 1, 0);
    sides.run(ranges, [&](std::size_t range) {
        std::size_t distinct = 0;
        walk(sorted, sides, range, [&](auto, bool fresh, std::size_t, std::size_t) { distinct += fresh; });
        begin[range + 1] = distinct;
    });
    for (std::size_t range = 0; range < ranges; ++range) begin[range + 1] += begin[range];
    const std::size_t rows = begin.back();
    Thresholds<Score, Amount> out{Buffer<Score>(rows), Buffer<Amount>(rows), Buffer<Amount>(rows), 0};
    sides.run(ranges, [&](std::size_t range) {
        std::size_t end = begin[range];
        walk(sorted, sides, range, [&](auto key, bool fresh, std::size_t tp, std::size_t fp) {
            end += fresh;
            out.score[end - 1] = score_of<Score>(key);
            out.true_positives[end - 1] = amount(positives, tp);
            out.false_positives[end - 1] = amount(negatives, fp);
        });
    });
    return out;
}

}  // namespace

// Of a table whose counts are whole: a negative has the positives of the rows before above it, and those of its own row
// beside it.
template <class Score>
UInt128 pairs_of(Thresholds<Score, std::int64_t>& table, std::size_t threads, const Poll& poll) {
    std::vector<UInt128> sums(parts_of(table.score.size()));
    run_parallel(
        sums.size(), threads,
        [&](std::size_t part) {
            const std::size_t first = part * part_rows, end = std::min(table.score.size(), first + part_rows);
            std::int64_t tp = first > 0 ? table.true_positives[first - 1] : 0;
            std::int64_t fp = first > 0 ? table.false_positives[first - 1] : 0;
            for (std::size_t row = first; row < end; ++row) {
                const std::int64_t above_and_beside = tp + table.true_positives[row];
                sums[part] += static_cast<UInt128>(static_cast<std::uint64_t>(table.false_positives[row] - fp)) *
                              static_cast<std::uint64_t>(above_and_beside);
                tp = table.true_positives[row];
                fp = table.false_positives[row];
            }
        },
        poll);
    UInt128 all = 0;
    for (const UInt128 sum : sums) all += sum;
    return all;
}

template <class Score>
Thresholds<Score, std::int64_t> tabulate(const Labelled<Score>& rows, std::size_t threads, const Poll& poll) {
    using Key = KeyOf<Score>;
    const Labelled<Score> unweighted{rows.positive, rows.scores, {}};
    Sides<Key> sides(unweighted, threads, poll, [&](std::size_t row) { return descending_key(rows.scores[row]); });
    Sorted<Key> sorted(sides);
    auto table = table_of<Score, std::int64_t>(
        sides, sorted, [](std::size_t, std::size_t count) { return static_cast<std::int64_t>(count); });
    table.twice_concordant = pairs_of(table, threads, poll);
    return table;
}

template <class Score>
Thresholds<Score, double> tabulate_weights(const Labelled<Score>& rows, std::size_t threads, const Poll& poll) {
    using Item = Weighed<KeyOf<Score>>;
    const Watch watch(poll);
    Sides<Item> sides(rows, threads, watch.poll(),
                      [&](std::size_t row) { return Item{descending_key(rows.scores[row]), rows.weights[row]}; });
    Sorted<Item> sorted(sides);
    std::array<Buffer<double>, 2> running{Buffer<double>(sides.size(negatives) + 1),
                                          Buffer<double>(sides.size(positives) + 1)};
    sides.run(2, [&](std::size_t side) {
        double sum = running[side][0] = 0.0;
        for (std::size_t i = 0; i < sides.size(side); ++i) {
            if (i % part_rows == 0) watch.check();
            sum += sorted.items[side][i].weight;
            running[side][i + 1] = sum;
        }
    });
    return table_of<Score, double>(sides, sorted,
                                   [&](std::size_t side, std::size_t count) { return running[side][count]; });
}

#define PINGCE_FOR(Score)                                                                                \
    template UInt128 pairs_of(Thresholds<Score, std::int64_t>&, std::size_t, const Poll&);               \
    template Thresholds<Score, std::int64_t> tabulate(const Labelled<Score>&, std::size_t, const Poll&); \
    template Thresholds<Score, double> tabulate_weights(const Labelled<Score>&, std::size_t, const Poll&);
PINGCE_FOR(float)
PINGCE_FOR(double)
#undef PINGCE_FOR

}  // namespace pingce
