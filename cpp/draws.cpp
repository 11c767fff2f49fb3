#include "draws.h"

#include <algorithm>

#include "stop.h"

namespace pingce {

namespace {

constexpr std::uint64_t step = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio

// SplitMix64: every bit of the word depends on every bit of the counter.
std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
    return word ^ (word >> 31);
}

// The units of one draw: each word chooses two, by the product of 32 bits and their number.
class Choice {
 public:
    Choice(std::uint64_t seed, std::uint64_t draw, std::size_t units)
        : key_(mixed(mixed(seed + step) + draw * step)), units_(units) {}

    // Calls action(unit) for the places [first, end) of the draw; first is even.
    template <class Action>
    void for_each(std::size_t first, std::size_t end, const Action& action) const {
        std::size_t place = first;
        for (; place + 1 < end; place += 2) {
            const std::uint64_t word = word_at(place);
            action(scaled(word & 0xFFFFFFFF));
            action(scaled(word >> 32));
        }
        if (place < end) action(scaled(word_at(place) & 0xFFFFFFFF));
    }

 private:
    std::uint64_t key_;
    std::uint64_t units_;

    [[nodiscard]] std::uint64_t word_at(std::size_t place) const { return mixed(key_ + (place / 2 + 1) * step); }
    [[nodiscard]] std::size_t scaled(std::uint64_t half) const { return (half * units_) >> 32; }
};

void add_draw(const Units& units, const Choice& choice, std::span<std::int64_t> sums, const Watch& watch) {
    constexpr std::size_t stretch = std::size_t{1} << 16;
    const auto amount = [&](std::size_t entry) { return units.amounts.empty() ? 1 : units.amounts[entry]; };
    for (std::size_t first = 0; first < units.count(); first += stretch) {
        watch.check();
        const std::size_t end = std::min(units.count(), first + stretch);
        if (units.starts.empty() && units.amounts.empty()) {
            choice.for_each(first, end, [&](std::size_t unit) { ++sums[units.cells[unit]]; });
        } else if (units.starts.empty()) {
            choice.for_each(first, end, [&](std::size_t unit) { sums[units.cells[unit]] += units.amounts[unit]; });
        } else {
            choice.for_each(first, end, [&](std::size_t unit) {
                const auto stop = static_cast<std::size_t>(units.starts[unit + 1]);
                for (auto entry = static_cast<std::size_t>(units.starts[unit]); entry < stop; ++entry)
                    sums[units.cells[entry]] += amount(entry);
            });
        }
    }
}

}  // namespace

Buffer<std::int64_t> drawn_sums(const Units& units, std::size_t cells, DrawRange range, std::size_t threads,
                                const Poll& poll) {
    refuse_beyond_32_bits(units.count());
    const Watch watch(poll);
    Buffer<std::int64_t> sums(range.count * cells);
    run_parallel(
        range.count, threads,
        [&](std::size_t part) {
            const std::span<std::int64_t> row(sums.data() + part * cells, cells);
            std::fill(row.begin(), row.end(), 0);
            add_draw(units, Choice(range.seed, range.first + part, units.count()), row, watch);
        },
        watch.poll());
    return sums;
}

}  // namespace pingce
