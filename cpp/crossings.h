// Inversions of a long sequence: values are dealt by leading digits, in their order, and pairs whose digits stand the
// wrong way round are counted on the way; what shares its digits is a short sequence again.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "dealt.h"
#include "inversions.h"
#include "parallel.h"
#include "wide.h"

namespace pingce {

struct OrderSums {
    UInt128 inverted = 0;  // pairs in which the earlier value is the greater one
    UInt128 equal = 0;     // Σ of the squared number of each distinct value

    void add(const OrderSums& other) {
        inverted += other.inverted;
        equal += other.equal;
    }
};

namespace detail {

// Of a sequence of digits, how many before each are greater. A digit is counted in all places below it, of its group
// and of all groups: a few additions of whole registers, and the answer is read at once.
class Crossings {
 public:
    static constexpr std::size_t digits = 1024, most = std::size_t{1} << 16;  // counts have 16 bits

    void clear() {
        groups_.fill(0);
        within_.fill(0);
    }

    // How many of the digits before, of at most `most`, are greater than this one.
    std::uint32_t add(std::size_t digit) {
        const std::size_t group = digit / width, place = digit % width;
        Count* const within = within_.data() + group * width;
        const std::uint32_t greater = std::uint32_t{groups_[group]} + within[place];
        raise(groups_.data(), group);
        raise(within, place);
        return greater;
    }

 private:
    using Count = std::uint16_t;
    static constexpr std::size_t width = 32;
    static constexpr auto below = [] {
        std::array<Count, width * width> table{};
        for (std::size_t at = 0; at < width; ++at) std::fill_n(table.begin() + at * width, at, Count{1});
        return table;
    }();

    static void raise(Count* counts, std::size_t place) {
        const Count* const ones = below.data() + place * width;
        for (std::size_t i = 0; i < width; ++i) counts[i] = static_cast<Count>(counts[i] + ones[i]);
    }

    std::array<Count, width> groups_{};
    std::array<Count, digits> within_{};
};

// Greater digits among all that were counted before, of any number.
class GreaterBefore {
 public:
    explicit GreaterBefore(std::size_t digits) : counts_(digits), greater_(digits) {}

    [[nodiscard]] std::uint64_t of(std::size_t digit) const { return greater_[digit]; }

    void add(std::span<const std::uint32_t> counts) {
        for (std::size_t digit = 0; digit < counts.size(); ++digit) counts_[digit] += counts[digit];
        std::uint64_t sum = 0;
        for (std::size_t digit = counts_.size(); digit-- > 0; sum += counts_[digit]) greater_[digit] = sum;
    }

 private:
    std::vector<std::uint64_t> counts_, greater_;
};

inline UInt128 squares_of_equals(std::span<const Plain> sorted) {
    UInt128 sum = 0;
    for (std::size_t first = 0, end; first < sorted.size(); first = end) {
        end = first + 1;
        while (end < sorted.size() && sorted[end].key == sorted[first].key) ++end;
        sum += static_cast<UInt128>(end - first) * (end - first);
    }
    return sum;
}

// Counts sequences that fit into the cache one after another, with room that is kept.
class OrderOfFew {
 public:
    // `spare` is as long; both are written to.
    OrderSums count(std::span<Plain> values, Plain* spare) {
        if (values.size() <= few) {
            const UInt128 inverted = sort_few(values.data(), spare, values.size(), false);
            return {inverted, squares_of_equals(values)};
        }
        const auto [least, most] = std::minmax_element(values.begin(), values.end());
        const std::uint64_t lowest = least->key, span = most->key - lowest;
        if (span == 0) return {0, static_cast<UInt128>(values.size()) * values.size()};
        constexpr unsigned bits = std::bit_width(Crossings::digits) - 1;
        const auto width = static_cast<unsigned>(std::bit_width(span));
        const unsigned shift = width > bits ? width - bits : 0;
        std::vector<std::uint32_t> ends(Crossings::digits + 1);
        OrderSums sums{deal(values, spare, lowest, shift, ends), 0};
        for (std::size_t digit = 0; digit < Crossings::digits; ++digit) {  // each ends where the next began
            const std::size_t first = digit > 0 ? ends[digit - 1] : 0, size = ends[digit] - first;
            if (size > 0) sums.add(count({spare + first, size}, values.data() + first));
        }
        return sums;
    }

 private:
    static constexpr std::size_t few = 256;

    // Values by their digits, in the order they have; the pairs whose digits are inverted.
    UInt128 deal(std::span<const Plain> values, Plain* out, std::uint64_t lowest, unsigned shift,
                 std::vector<std::uint32_t>& ends) {
        GreaterBefore before(Crossings::digits);
        std::vector<std::uint32_t> all(Crossings::digits);
        UInt128 sum = 0;
        const auto digit_of = [&](const Plain& value) {
            return static_cast<std::size_t>((value.key - lowest) >> shift);
        };
        for (std::size_t first = 0; first < values.size(); first += Crossings::most) {
            const auto block = values.subspan(first, std::min(Crossings::most, values.size() - first));
            std::vector<std::uint32_t> counts(Crossings::digits);
            std::uint64_t inverted = 0;
            crossings_.clear();
            for (const Plain& value : block) {
                const std::size_t digit = digit_of(value);
                inverted += crossings_.add(digit) + before.of(digit);
                ++counts[digit];
            }
            sum += inverted;
            before.add(counts);
            for (std::size_t digit = 0; digit < all.size(); ++digit) all[digit] += counts[digit];
        }
        std::exclusive_scan(all.begin(), all.end(), ends.begin(), std::uint32_t{0});
        for (const Plain& value : values) out[ends[digit_of(value)]++] = value;
        return sum;
    }

    Crossings crossings_;
};

}  // namespace detail

constexpr std::size_t most_in_order = 0xffffffff;  // places have 32 bits

// Sums over a whole sequence of no more than that.
inline OrderSums count_order(std::span<const Plain> values, std::size_t threads, const Poll& poll) {
    const std::size_t rows = values.size(), parts = parts_of(rows), count = ranges_of(rows);
    static_assert(part_rows <= detail::Crossings::most);
    const auto key_of_row = [&](std::size_t row) { return values[row].key; };
    const Borders<std::uint64_t> borders(sample_keys<std::uint64_t>(rows, count, key_of_row), count);
    Dealt<Plain> dealt(rows, count);
    std::vector<std::uint32_t> counts(parts * count);
    std::vector<OrderSums> sums(parts + count);
    borders.with_ranges([&](const auto& range_of) {
        const auto deal = [&](std::size_t part) {
            detail::Crossings crossings;
            std::uint64_t inverted = 0;
            std::uint32_t* const here = counts.data() + part * count;
            const auto place = [&](std::size_t row) {
                const std::size_t range = range_of(values[row].key);
                inverted += crossings.add(range);
                ++here[range];
                return range;
            };
            dealt.deal(part, place, [&](std::size_t row) { return values[row]; });
            sums[part].inverted = inverted;
        };
        run_parallel(parts, threads, deal, poll);
    });
    const auto count_range = [&](std::size_t range) {
        thread_local detail::OrderOfFew order;
        thread_local std::vector<Plain> items, spare;
        items.resize(dealt.size(range));
        spare.resize(items.size());
        dealt.copy(range, items.data());
        sums[parts + range] = order.count(items, spare.data());
    };
    run_parallel(count, threads, count_range, poll);
    OrderSums out;
    for (const OrderSums& sum : sums) out.add(sum);
    detail::GreaterBefore before(count);
    for (std::size_t part = 0; part < parts; ++part) {
        const std::span<const std::uint32_t> here(counts.data() + part * count, count);
        for (std::size_t range = 0; range < count; ++range)
            out.inverted += static_cast<UInt128>(here[range]) * before.of(range);
        before.add(here);
    }
    return out;
}

}  // namespace pingce
