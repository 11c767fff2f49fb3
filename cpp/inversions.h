// Inversions of a sequence, the pairs in which the earlier value is the greater one: counted while sorted runs are
// merged. Two merges advance side by side, for one waits for its comparisons most of the time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel.h"
#include "portable.h"

namespace pingce {

// A value that counts once.
struct Plain {
    using Sum = std::uint64_t;
    std::uint64_t key;

    [[nodiscard]] static std::uint64_t weight() { return 1; }
    [[nodiscard]] static Sum times(std::uint64_t other) { return other; }
    [[nodiscard]] static std::uint64_t weight_of(const Plain* first, const Plain* end) {
        return static_cast<std::uint64_t>(end - first);
    }
    friend bool operator<(const Plain& a, const Plain& b) { return a.key < b.key; }
};

// A value that counts by its weight; all of them together stay below 2^63.
struct Weighed {
    using Sum = UInt128;
    std::uint64_t key, units;

    [[nodiscard]] std::uint64_t weight() const { return units; }
    [[nodiscard]] Sum times(std::uint64_t other) const { return static_cast<UInt128>(units) * other; }
    [[nodiscard]] static std::uint64_t weight_of(const Weighed* first, const Weighed* end) {
        std::uint64_t sum = 0;
        for (; first != end; ++first) sum += first->units;
        return sum;
    }
    friend bool operator<(const Weighed& a, const Weighed& b) { return a.key < b.key; }
};

namespace detail {

// A stretch of two sorted runs that are merged: equal values of the left one come first.
template <class Value>
struct Merge {
    const Value *left, *left_end, *right, *right_end;
    Value* out;
    std::uint64_t rest;  // the weight of the left run from `left` on, beyond the stretch too
    typename Value::Sum sum = 0;

    [[nodiscard]] std::size_t steps() const {
        return static_cast<std::size_t>(std::min(left_end - left, right_end - right));
    }

    // Without a branch: which of the two is lower is random.
    void step() {
        using Sum = typename Value::Sum;
        const bool lower = *right < *left;
        const Value* const from = lower ? right : left;
        *out++ = *from;
        sum += right->times(rest) & (Sum{0} - Sum{lower});
        rest -= left->weight() & (std::uint64_t{lower} - 1);
        right += lower;
        left += !lower;
    }

    void finish() {
        for (std::size_t left_over; (left_over = steps()) > 0;) {
            for (std::size_t i = 0; i < left_over; ++i) step();
        }
        for (; right != right_end; ++right) {
            sum += right->times(rest);
            *out++ = *right;
        }
        std::copy(left, left_end, out);
    }
};

template <class Value>
UInt128 merge_side_by_side(Merge<Value> a, Merge<Value> b) {
    for (std::size_t steps; (steps = std::min(a.steps(), b.steps())) > 0;) {
        for (std::size_t i = 0; i < steps; ++i) {
            a.step();
            b.step();
        }
    }
    a.finish();
    b.finish();
    return static_cast<UInt128>(a.sum) + b.sum;
}

// Two neighbouring sorted runs.
template <class Value>
struct Runs {
    const Value *left, *right;
    std::size_t left_size, right_size;

    // Of the first `count` values of both, merged, those that are of the left run.
    [[nodiscard]] std::size_t left_among(std::size_t count) const {
        std::size_t low = count > right_size ? count - right_size : 0, high = std::min(count, left_size);
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (right[count - middle - 1] < left[middle]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    // What makes the values [first, end) of both, merged.
    [[nodiscard]] Merge<Value> stretch(std::size_t first, std::size_t end, Value* out) const {
        const std::size_t begin = left_among(first), last = left_among(end);
        return {left + begin,         left + last, right + (first - begin),
                right + (end - last), out + first, Value::weight_of(left + begin, left + left_size)};
    }

    UInt128 merge(std::size_t first, std::size_t end, Value* out) const {
        const std::size_t middle = first + (end - first) / 2;
        return merge_side_by_side(stretch(first, middle, out), stretch(middle, end, out));
    }
};

constexpr std::size_t ranked_values = 8;

// Every value to its place among the few: each pair is compared once.
template <class Value>
UInt128 rank_few(const Value* values, std::size_t count, Value* out) {
    std::size_t places[ranked_values] = {};
    UInt128 sum = 0;
    for (std::size_t j = 1; j < count; ++j) {
        for (std::size_t i = 0; i < j; ++i) {
            const bool inverted = values[j] < values[i];
            places[i] += inverted;
            places[j] += !inverted;
            sum += inverted ? values[j].times(values[i].weight()) : 0;
        }
    }
    Value copy[ranked_values];
    std::copy_n(values, count, copy);
    for (std::size_t i = 0; i < count; ++i) out[places[i]] = copy[i];
    return sum;
}

// Sorts `values`, into `spare` if so asked; the other of the two is room. Halves come before the whole, so that they
// are in the cache.
template <class Value>
UInt128 sort_few(Value* values, Value* spare, std::size_t count, bool into_spare) {
    if (count <= ranked_values) {
        Value* const out = into_spare ? spare : values;
        return count == ranked_values ? rank_few(values, ranked_values, out) : rank_few(values, count, out);
    }
    const std::size_t half = (count / 2 + ranked_values - 1) / ranked_values * ranked_values;
    const UInt128 sum =
        sort_few(values, spare, half, !into_spare) + sort_few(values + half, spare + half, count - half, !into_spare);
    const Value* const from = into_spare ? values : spare;
    return sum + Runs<Value>{from, from + half, half, count - half}.merge(0, count, into_spare ? spare : values);
}

}  // namespace detail

// Σ of the products of the weights of inverted pairs. The values are sorted afterwards, in one of the two: `sorted`.
template <class Value>
struct Inversions {
    UInt128 sum = 0;
    const Value* sorted;
};

template <class Value>
Inversions<Value> count_inversions(Value* values, Value* spare, std::size_t count, std::size_t threads,
                                   const Poll& poll) {
    constexpr std::size_t values_a_part = std::size_t{1} << 16;
    std::vector<UInt128> sums((count + values_a_part - 1) / values_a_part);
    const auto each_part = [&](const auto& work) {
        run_parallel(
            sums.size(), threads,
            [&](std::size_t part) {
                sums[part] += work(part * values_a_part, std::min(count, (part + 1) * values_a_part));
            },
            poll);
    };
    each_part([&](std::size_t first, std::size_t end) {
        return detail::sort_few(values + first, spare + first, end - first, false);
    });
    for (std::size_t width = values_a_part; width < count; width *= 2) {
        each_part([&](std::size_t first, std::size_t end) {
            const std::size_t begin = first / (2 * width) * (2 * width), middle = std::min(count, begin + width);
            const detail::Runs<Value> runs{values + begin, values + middle, middle - begin,
                                           std::min(count, begin + 2 * width) - middle};
            return runs.merge(first - begin, end - begin, spare + begin);
        });
        std::swap(values, spare);
    }
    Inversions<Value> out{0, values};
    for (const UInt128 sum : sums) out.sum += sum;
    return out;
}

}  // namespace pingce
