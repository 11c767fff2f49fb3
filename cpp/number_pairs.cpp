#include "number_pairs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "buffer.h"
#include "crossings.h"
#include "dealt.h"
#include "inversions.h"
#include "radix.h"
#include "short_orders.h"

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
class RangeOrder {
 public:
    NumberPairs order(std::span<Row<Value>> rows, Value* out) {
        if (rows.empty()) return {};
        if (rows.size() <= detail::ShortKeys::most) return order_few(rows, out);
        const auto [lowest, span] = key_span(rows);
        if (span == 0) return order_few(rows, out);
        constexpr unsigned most_bits = 11, bits_of_few = 4;
        const auto width = static_cast<unsigned>(std::bit_width(span));
        const unsigned bits = std::min(most_bits, static_cast<unsigned>(std::bit_width(rows.size() >> bits_of_few)));
        const unsigned shift = width > bits ? width - bits : 0;
        const auto digit_of = [lowest = lowest, shift](const Row<Value>& row) {
            return static_cast<std::size_t>((row.key - lowest) >> shift);
        };
        std::array<std::uint32_t, (std::size_t{1} << most_bits)> ends{};
        const std::size_t digits = static_cast<std::size_t>(span >> shift) + 1;
        for (const Row<Value>& row : rows) ++ends[digit_of(row)];
        std::exclusive_scan(ends.begin(), ends.begin() + digits, ends.begin(), std::uint32_t{0});
        dealt_.resize(std::max(dealt_.size(), rows.size()));
        for (const Row<Value>& row : rows) dealt_[ends[digit_of(row)]++] = row;
        NumberPairs sums;
        for (std::size_t digit = 0, first = 0; digit < digits; first = ends[digit++]) {
            if (first < ends[digit]) sums.add(order_few({dealt_.data() + first, ends[digit] - first}, out + first));
        }
        return sums;
    }

 private:
    NumberPairs order_few(std::span<Row<Value>> rows, Value* out) {
        std::int32_t places[detail::ShortKeys::most + 3];
        if (rows.size() <= detail::ShortKeys::most &&
            detail::ShortKeys(rows.size(), [&](std::size_t i) { return rows[i].key; }).rank(places)) {
            UInt128 alone = 0;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                out[places[i]] = rows[i].value;
                alone += squared(rows[i].value.weight());
            }
            return {.truth = alone, .both = alone};
        }
        by_truth_.sort(rows);
        for (std::size_t i = 0; i < rows.size(); ++i) out[i] = rows[i].value;
        NumberPairs sums;
        for_each_equal(std::span<const Row<Value>>(rows), [&](std::size_t first, std::size_t end) {
            const std::span<Value> equal(out + first, end - first);
            by_prediction_.sort(equal);
            sums.truth += squared(Value::weight_of(out + first, out + end));
            sums.both += squares(std::span<const Value>(equal));
        });
        return sums;
    }

    std::vector<Row<Value>> dealt_;
    Sorter<Row<Value>> by_truth_;
    Sorter<Value> by_prediction_;
};

// Calls action(range, its values in order) for each range of the true numbers, side by side.
template <class Value, class Action>
NumberPairs order_ranges(Ranges<Row<Value>>& ranges, const Action& action, std::size_t threads, const Poll& poll) {
    std::vector<NumberPairs> sums(ranges.count());
    run_parallel(
        ranges.count(), threads,
        [&](std::size_t range) {
            thread_local RangeOrder<Value> order;
            thread_local std::vector<Row<Value>> rows;
            thread_local std::vector<Value> values;
            rows.resize(ranges.size(range));
            values.resize(rows.size());
            ranges.dealt.copy(range, rows.data());
            sums[range] = order.order(rows, values.data());
            action(range, std::span<const Value>(values));
        },
        poll);
    NumberPairs out;
    for (const NumberPairs& sum : sums) out.add(sum);
    return out;
}

template <class Value, class MakeRow>
Ranges<Row<Value>> deal_by_truth(std::size_t rows, const MakeRow& row, std::size_t threads, const Poll& poll) {
    return deal_by_keys<Row<Value>>(rows, [&](std::size_t at) { return row(at).key; }, row, threads, poll);
}

// Values are dealt by prediction as soon as they are in order.
template <class MakeRow>
NumberPairs count_plain(std::size_t rows, const MakeRow& row, std::size_t threads, const Poll& poll) {
    Ranges<Row<Plain>> ranges = deal_by_truth<Plain>(rows, row, threads, poll);
    std::vector<std::size_t> starts, first_part;  // ranges that are too long become several parts
    for (std::size_t range = 0; range < ranges.count(); ++range) {
        first_part.push_back(starts.size());
        for (std::size_t at = ranges.begin[range]; at < ranges.begin[range + 1]; at += part_rows) starts.push_back(at);
    }
    first_part.push_back(starts.size());
    starts.push_back(rows);
    LongOrder order(std::move(starts), [&](std::size_t at) { return row(at).value.key; });
    const auto deal = [&](std::size_t range, std::span<const Plain> values) {
        for (std::size_t part = first_part[range]; part < first_part[range + 1]; ++part)
            order.deal(part, values.data() + (part - first_part[range]) * part_rows);
    };
    NumberPairs out = order_ranges<Plain>(ranges, deal, threads, poll);
    const OrderSums sums = order.count(threads, poll);
    out.discordant = sums.inverted;
    out.predicted = sums.equal;
    return out;
}

template <class Value, class MakeRow>
NumberPairs count_pairs(std::size_t rows, const MakeRow& row, std::size_t threads, const Poll& poll) {
    if constexpr (std::is_same_v<Value, Plain>) {
        if (rows <= most_in_order) return count_plain(rows, row, threads, poll);
    }
    Buffer<Value> values(rows);
    NumberPairs out;
    {
        Ranges<Row<Value>> ranges = deal_by_truth<Value>(rows, row, threads, poll);
        const auto keep = [&](std::size_t range, std::span<const Value> here) {
            std::copy(here.begin(), here.end(), values.data() + ranges.begin[range]);
        };
        out = order_ranges<Value>(ranges, keep, threads, poll);
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
