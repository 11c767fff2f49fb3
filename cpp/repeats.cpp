#include "repeats.h"

#include <algorithm>
#include <array>
#include <vector>

namespace pingce {

namespace {

constexpr std::size_t row_bits = 8;
constexpr std::size_t choices = std::size_t{1} << row_bits;
// Bytes of a word that are looked up together: their tables stay near the processor.
constexpr std::size_t lookups = 4;
constexpr std::size_t rows_a_pass = lookups * row_bits;
constexpr std::size_t columns_a_pass = 64;
// Enough that making the tables costs little beside looking them up.
constexpr std::size_t repeats_a_part = 2048;
constexpr std::size_t draws_a_part = std::size_t{1} << 19;

std::size_t parts_of(std::size_t size, std::size_t part) { return (size + part - 1) / part; }

void count_repeat(std::span<const std::uint64_t> words, std::vector<std::uint32_t>& often, double* counts) {
    const std::size_t rows = often.size();
    std::fill(often.begin(), often.end(), 0U);
    const auto draw = [&](std::uint64_t half) { ++often[static_cast<std::size_t>(half * rows >> 32)]; };
    constexpr std::uint64_t lower = 0xFFFFFFFF;
    for (std::size_t pair = 0; pair < rows / 2; ++pair) {
        draw(words[pair] & lower);
        draw(words[pair] >> 32);
    }
    if (rows % 2 == 1) draw(words[rows / 2] & lower);
    std::copy(often.begin(), often.end(), counts);
}

// Some rows and columns of a table, and where they stand in it.
struct Pass {
    std::size_t first_row, first_column, width;
};

// The sums of each choice among eight rows: a choice is one with a row less, and that row.
class Lookup {
 public:
    explicit Lookup(std::size_t width) : sums_(choices * width), width_(width) {}

    void fill(const WholeTable& table, std::size_t first_row, std::size_t first_column) {
        std::fill_n(sums_.begin(), width_, 0);
        for (std::size_t bit = 0; bit < row_bits; ++bit) {
            const std::size_t half = std::size_t{1} << bit, row = first_row + bit;
            const std::int64_t* values =
                row < table.rows() ? table.values.data() + row * table.columns + first_column : nullptr;
            for (std::size_t choice = 0; choice < half; ++choice) {
                const std::int64_t* less = sums_.data() + choice * width_;
                std::int64_t* sum = sums_.data() + (half + choice) * width_;
                for (std::size_t c = 0; c < width_; ++c) sum[c] = less[c] + (values == nullptr ? 0 : values[c]);
            }
        }
    }
    [[nodiscard]] const std::int64_t* of(std::uint64_t octet) const {
        return sums_.data() + static_cast<std::size_t>(octet & (choices - 1)) * width_;
    }

 private:
    std::vector<std::int64_t> sums_;
    std::size_t width_;
};

void add_four(std::int64_t* __restrict sum, const std::array<const std::int64_t*, lookups>& from, std::size_t width) {
    const std::int64_t *a = from[0], *b = from[1], *c = from[2], *d = from[3];
    for (std::size_t i = 0; i < width; ++i) sum[i] += (a[i] + b[i]) + (c[i] + d[i]);
}

void add_pass(const RandomWords& random, const WholeTable& table, const Pass& pass, std::vector<Lookup>& tables,
              std::span<std::int64_t> sums, std::size_t first_repeat) {
    for (std::size_t at = 0; at < lookups; ++at)
        tables[at].fill(table, pass.first_row + at * row_bits, pass.first_column);
    const std::size_t word = pass.first_row / 64, shift = pass.first_row % 64;
    for (std::size_t repeat = 0; repeat < sums.size() / table.columns; ++repeat) {
        const std::uint64_t bits = random.words[(first_repeat + repeat) * random.each + word] >> shift;
        add_four(sums.data() + repeat * table.columns + pass.first_column,
                 {tables[0].of(bits), tables[1].of(bits >> 8), tables[2].of(bits >> 16), tables[3].of(bits >> 24)},
                 pass.width);
    }
}

}  // namespace

Buffer<double> count_draws(const RandomWords& random, std::size_t rows, std::size_t threads, const Poll& poll) {
    const std::size_t repeats = random.repeats();
    Buffer<double> counts(repeats * rows);
    const std::size_t part_size = std::max<std::size_t>(1, draws_a_part / std::max<std::size_t>(rows, 1));
    const auto work = [&](std::size_t part) {
        std::vector<std::uint32_t> often(rows);
        for (std::size_t at = part * part_size; at < std::min(repeats, (part + 1) * part_size); ++at)
            count_repeat(random.words.subspan(at * random.each, random.each), often, counts.data() + at * rows);
    };
    run_parallel(parts_of(repeats, part_size), threads, work, poll);
    return counts;
}

Buffer<std::int64_t> sum_kept(const RandomWords& random, const WholeTable& table, std::size_t threads,
                              const Poll& poll) {
    const std::size_t repeats = random.repeats();
    Buffer<std::int64_t> sums(repeats * table.columns);
    const auto work = [&](std::size_t part) {
        const std::size_t first = part * repeats_a_part, count = std::min(repeats_a_part, repeats - first);
        const std::span<std::int64_t> own(sums.data() + first * table.columns, count * table.columns);
        std::fill(own.begin(), own.end(), 0);
        for (std::size_t column = 0; column < table.columns; column += columns_a_pass) {
            const std::size_t width = std::min(columns_a_pass, table.columns - column);
            std::vector<Lookup> tables(lookups, Lookup(width));
            for (std::size_t row = 0; row < table.rows(); row += rows_a_pass)
                add_pass(random, table, {row, column, width}, tables, own, first);
        }
    };
    run_parallel(parts_of(repeats, repeats_a_part), threads, work, poll);
    return sums;
}

}  // namespace pingce
