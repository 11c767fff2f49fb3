#include "number_pairs.h"

#include <type_traits>
#include <vector>

#include "buffer.h"
#include "crossings.h"
#include "dealt.h"
#include "inversions.h"
#include "radix.h"

namespace pingce {
namespace {

template <class Value>
struct Row {
    std::uint64_t key;  // of the true number
    Value value;        // the predicted one

    bool operator<(const Row& other) const { return key < other.key; }
};

// Calls action(first, end) for each stretch of equal keys.
template <class Item, class Action>
void for_each_equal(std::span<const Item> items, const Action& action) {
    for (std::size_t first = 0, end; first < items.size(); first = end) {
        end = first + 1;
        while (end < items.size() && items[end].key == items[first].key) ++end;
        action(first, end);
    }
}

UInt128 squared(std::uint64_t weight) { return static_cast<UInt128>(weight) * weight; }

template <class Value>
UInt128 squares(std::span<const Value> sorted) {
    UInt128 sum = 0;
    for_each_equal(sorted, [&](std::size_t first, std::size_t end) {
        sum += squared(Value::weight_of(sorted.data() + first, sorted.data() + end));
    });
    return sum;
}

// The rows of a range by truth, and those with one true number by prediction: what is inverted then is discordant.
template <class Value>
NumberPairs order_range(std::span<Row<Value>> rows, Value* out) {
    thread_local Sorter<Row<Value>> by_truth;
    thread_local Sorter<Value> by_prediction;
    by_truth.sort(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) out[i] = rows[i].value;
    NumberPairs sums;
    UInt128 alone = 0;
    for_each_equal(std::span<const Row<Value>>(rows), [&](std::size_t first, std::size_t end) {
        if (end - first == 1) {
            alone += squared(out[first].weight());
            return;
        }
        const std::span<Value> equal(out + first, end - first);
        by_prediction.sort(equal);
        sums.truth += squared(Value::weight_of(out + first, out + end));
        sums.both += squares(std::span<const Value>(equal));
    });
    sums.truth += alone;
    sums.both += alone;
    return sums;
}

template <class Value, class MakeRow>
NumberPairs count_pairs(std::size_t rows, const MakeRow& row, std::size_t threads, const Poll& poll) {
    Buffer<Value> values(rows);
    NumberPairs out;
    {
        Ranges<Row<Value>> ranges =
            deal_by_keys<Row<Value>>(rows, [&](std::size_t at) { return row(at).key; }, row, threads, poll);
        std::vector<NumberPairs> sums(ranges.count());
        run_parallel(
            ranges.count(), threads,
            [&](std::size_t range) {
                thread_local std::vector<Row<Value>> items;
                items.resize(ranges.size(range));
                ranges.dealt.copy(range, items.data());
                sums[range] = order_range(std::span(items), values.data() + ranges.begin[range]);
            },
            poll);
        for (const NumberPairs& sum : sums) {
            out.truth += sum.truth;
            out.both += sum.both;
        }
    }
    if constexpr (std::is_same_v<Value, Plain>) {
        if (rows <= most_in_order) {
            const OrderSums sums = count_order({values.data(), rows}, threads, poll);
            out.discordant = sums.inverted;
            out.predicted = sums.equal;
            return out;
        }
    }
    Buffer<Value> spare(rows);
    const Inversions<Value> inversions = count_inversions(values.data(), spare.data(), rows, threads, poll);
    out.discordant = inversions.sum;
    out.predicted = squares(std::span<const Value>(inversions.sorted, rows));
    return out;
}

}  // namespace

NumberPairs number_pairs(std::span<const double> truth, std::span<const double> predicted,
                         std::span<const std::uint64_t> weights, std::size_t threads, const Poll& poll) {
    if (weights.empty()) {
        const auto row = [&](std::size_t at) {
            return Row<Plain>{ordered_key(truth[at]), {ordered_key(predicted[at])}};
        };
        return count_pairs<Plain>(truth.size(), row, threads, poll);
    }
    const auto row = [&](std::size_t at) {
        return Row<Weighed>{ordered_key(truth[at]), {ordered_key(predicted[at]), weights[at]}};
    };
    return count_pairs<Weighed>(truth.size(), row, threads, poll);
}

}  // namespace pingce
