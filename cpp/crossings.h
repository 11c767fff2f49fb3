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
#include "portable.h"
#include "radix.h"
#include "short_orders.h"

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
template <std::size_t Digits>
class Crossings {
 public:
    static constexpr std::size_t most = std::size_t{1} << 16;  // counts have 16 bits

    void clear() {
        groups_.fill(0);
        within_.fill(0);
    }

    // How many of the digits before, of at most `most`, are greater than this one.
    std::uint32_t add(std::size_t digit) {
        const std::size_t group = digit / width, place = digit % width;
        Count* const within = within_.data() + group * width;
        const std::uint32_t greater = std::uint32_t{groups_[group]} + within[place];
        raise<Digits / width>(groups_.data(), group);
        raise<width>(within, place);
        return greater;
    }

 private:
    using Count = std::uint16_t;
    static constexpr std::size_t width = 32;
    static_assert(Digits % (8 * width) == 0 && Digits <= width * width);
    static constexpr auto below = [] {
        std::array<Count, width * width> table{};
        for (std::size_t at = 0; at < width; ++at) std::fill_n(table.begin() + at * width, at, Count{1});
        return table;
    }();

    template <std::size_t Size>
    static void raise(Count* counts, std::size_t place) {
        const Count* const ones = below.data() + place * width;
        for (std::size_t i = 0; i < Size; ++i) counts[i] = static_cast<Count>(counts[i] + ones[i]);
    }

    std::array<Count, Digits / width> groups_{};
    std::array<Count, Digits> within_{};
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
        if (values.empty()) return {};
        if (values.size() <= ShortKeys::most) {
            ShortKeys keys(values.size(), [&](std::size_t i) { return values[i].key; });
            const auto [inverted, equal] = keys.pairs();
            if (equal == 0 || keys.is_whole()) return {inverted, values.size() + 2 * equal};
        }
        if (values.size() <= few) {
            const UInt128 inverted = sort_few(values.data(), spare, values.size(), false);
            return {inverted, squares_of_equals(values)};
        }
        const auto [lowest, span] = key_span(values);
        if (span == 0) return {0, static_cast<UInt128>(values.size()) * values.size()};
        constexpr unsigned bits = std::bit_width(digits) - 1;
        const auto width = static_cast<unsigned>(std::bit_width(span));
        const unsigned shift = width > bits ? width - bits : 0;
        std::vector<std::uint32_t> ends(digits + 1);
        OrderSums sums{deal(values, spare, lowest, shift, ends), 0};
        for (std::size_t digit = 0; digit < digits; ++digit) {  // each ends where the next began
            const std::size_t first = digit > 0 ? ends[digit - 1] : 0, size = ends[digit] - first;
            if (size > 0) sums.add(count({spare + first, size}, values.data() + first));
        }
        return sums;
    }

 private:
    static constexpr std::size_t few = 256, digits = 1024;

    // Values by their digits, in the order they have; the pairs whose digits are inverted.
    UInt128 deal(std::span<const Plain> values, Plain* out, std::uint64_t lowest, unsigned shift,
                 std::vector<std::uint32_t>& ends) {
        GreaterBefore before(digits);
        std::vector<std::uint32_t> all(digits);
        UInt128 sum = 0;
        const auto digit_of = [&](const Plain& value) {
            return static_cast<std::size_t>((value.key - lowest) >> shift);
        };
        for (std::size_t first = 0; first < values.size(); first += Crossings<digits>::most) {
            const auto block = values.subspan(first, std::min(Crossings<digits>::most, values.size() - first));
            std::vector<std::uint32_t> counts(digits);
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

    Crossings<digits> crossings_;
};

}  // namespace detail

constexpr std::size_t most_in_order = 0xffffffff;  // places have 32 bits

// A long sequence of no more values than that, which is dealt part by part, and counted once all are there.
class LongOrder {
 public:
    // `starts` is where each part begins, none of them longer than part_rows, and at the end the number of values;
    // key_of_row(row) gives the keys of all values in any order, of which some stand for all.
    template <class KeyOfRow>
    LongOrder(std::vector<std::size_t>&& starts, const KeyOfRow& key_of_row)
        : ranges_(ranges_of(starts.back())),
          borders_(sample_keys<std::uint64_t>(starts.back(), ranges_, key_of_row), ranges_),
          dealt_(std::move(starts), ranges_),
          inverted_(dealt_.parts()) {}

    // Deals a part, whose values these are.
    void deal(std::size_t part, const Plain* values) {
        ranges_ <= few_ranges ? deal_by<few_ranges>(part, values) : deal_by<2 * few_ranges>(part, values);
    }

    OrderSums count(std::size_t threads, const Poll& poll) {
        std::vector<OrderSums> sums(ranges_);
        run_parallel(ranges_, threads, [&](std::size_t range) { sums[range] = count_range(range); }, poll);
        OrderSums out{crossed(), 0};
        for (const OrderSums& sum : sums) out.add(sum);
        return out;
    }

 private:
    static constexpr std::size_t few_ranges = 512;

    template <std::size_t Digits>
    void deal_by(std::size_t part, const Plain* values) {
        static_assert(part_rows <= detail::Crossings<Digits>::most);
        detail::Crossings<Digits> crossings;
        std::uint64_t inverted = 0;
        const std::size_t first = dealt_.start(part);
        borders_.with_ranges([&](const auto& range_of) {
            const auto place = [&](std::size_t row) {
                const std::size_t range = range_of(values[row - first].key);
                inverted += crossings.add(range);
                return range;
            };
            dealt_.deal(part, place, [&](std::size_t row) { return values[row - first]; });
        });
        inverted_[part] = inverted;
    }

    OrderSums count_range(std::size_t range) {
        thread_local detail::OrderOfFew order;
        thread_local std::vector<Plain> items, spare;
        items.resize(dealt_.size(range));
        spare.resize(items.size());
        dealt_.copy(range, items.data());
        return order.count(items, spare.data());
    }

    // Inverted pairs of values in different ranges.
    [[nodiscard]] UInt128 crossed() const {
        UInt128 sum = 0;
        detail::GreaterBefore before(ranges_);
        std::vector<std::uint32_t> counts(ranges_);
        for (std::size_t part = 0; part < dealt_.parts(); ++part) {
            const std::span<const std::uint32_t> borders = dealt_.borders(part);
            sum += inverted_[part];
            for (std::size_t range = 0; range < ranges_; ++range) {
                counts[range] = borders[range + 1] - borders[range];
                sum += static_cast<UInt128>(counts[range]) * before.of(range);
            }
            before.add(counts);
        }
        return sum;
    }

    std::size_t ranges_;
    Borders<std::uint64_t> borders_;
    Dealt<Plain> dealt_;
    std::vector<std::uint64_t> inverted_;  // of each part, in different ranges
};

}  // namespace pingce
