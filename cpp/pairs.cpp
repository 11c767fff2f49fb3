// Pairs of a positive and a negative: the fewer of a range are sorted, the others only placed among them.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "sides.h"
#include "stop.h"
#include "thresholds.h"

namespace pingce {
namespace {

// Where keys stand among sorted ones, by a table of leading bits.
template <class Key>
class Places {
 public:
    explicit Places(std::span<const Key> sorted) : sorted_(sorted) {
        refuse_beyond_32_bits(sorted.size());
        lowest_ = sorted.front();
        span_ = sorted.back() - lowest_;
        const auto bits = std::min(static_cast<unsigned>(std::bit_width(sorted.size())) + 1, most_bits);
        const auto width = static_cast<unsigned>(std::bit_width(span_));
        shift_ = width > bits ? width - bits : 0;
        first_.assign(static_cast<std::size_t>(span_ >> shift_) + 2, 0);
        for (const Key key : sorted) ++first_[cell_of(key) + 1];
        for (std::size_t cell = 1; cell < first_.size(); ++cell) first_[cell] += first_[cell - 1];
    }

    // The keys below, and those up to it: both counts added up.
    [[nodiscard]] std::size_t below_and_upto(Key key) const {
        if (key < lowest_) return 0;
        if (key - lowest_ > span_) return 2 * sorted_.size();
        const std::size_t cell = cell_of(key), first = first_[cell], end = first_[cell + 1];
        if (end - first > few) {
            const auto [below, upto] = std::equal_range(at(first), at(end), key);
            return static_cast<std::size_t>((below - sorted_.begin()) + (upto - sorted_.begin()));
        }
        std::size_t twice = 2 * first;
        for (std::size_t i = first; i < end; ++i)
            twice += std::size_t{sorted_[i] < key} + std::size_t{sorted_[i] <= key};
        return twice;
    }

 private:
    static constexpr unsigned most_bits = 16;
    static constexpr std::size_t few = 8;

    [[nodiscard]] std::size_t cell_of(Key key) const { return static_cast<std::size_t>((key - lowest_) >> shift_); }
    [[nodiscard]] auto at(std::size_t place) const { return sorted_.begin() + static_cast<std::ptrdiff_t>(place); }

    std::span<const Key> sorted_;
    Key lowest_, span_;
    unsigned shift_;
    std::vector<std::uint32_t> first_;
};

// Twice the pairs within a range.
template <class Key>
UInt128 pairs_within(Sides<Key>& sides, std::size_t range) {
    const bool few_positives = sides.size(positives, range) <= sides.size(negatives, range);
    const std::size_t fewer = few_positives ? positives : negatives, more = 1 - fewer;
    const std::size_t size = sides.size(fewer, range);
    if (size == 0) return 0;
    thread_local std::vector<Key> sorted;
    sorted.resize(size);
    sides.read(fewer, range, sorted);
    const Places<Key> places{std::span<const Key>(sorted)};
    UInt128 sum = 0;
    sides.for_each_stretch(more, range, [&](std::span<const Key> keys) {
        std::uint64_t stretch = 0;
        for (const Key key : keys) stretch += places.below_and_upto(key);
        sum += stretch;
    });
    // Scores descend with keys: a negative has the positives below its key above it.
    return few_positives ? sum : static_cast<UInt128>(2 * size) * sides.size(more, range) - sum;
}

}  // namespace

template <class Score>
UInt128 twice_concordant(const Labelled<Score>& rows, std::size_t threads, const Poll& poll) {
    using Key = KeyOf<Score>;
    const Labelled<Score> unweighted{rows.positive, rows.scores, {}};
    Sides<Key> sides(unweighted, threads, poll, [&](std::size_t row) { return descending_key(rows.scores[row]); });
    std::vector<UInt128> sums(sides.ranges());
    sides.run(sides.ranges(), [&](std::size_t range) {
        const UInt128 apart = static_cast<UInt128>(2 * sides.before(positives, range)) * sides.size(negatives, range);
        sums[range] = apart + pairs_within(sides, range);
    });
    UInt128 all = 0;
    for (const UInt128 sum : sums) all += sum;
    return all;
}

template UInt128 twice_concordant(const Labelled<float>&, std::size_t, const Poll&);
template UInt128 twice_concordant(const Labelled<double>&, std::size_t, const Poll&);

}  // namespace pingce
