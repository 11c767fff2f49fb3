#include "weights.h"

#include <memory>
#include <type_traits>

#include "blocks.h"
#include "parts.h"

namespace pingce {
namespace {

struct Work {
    Blocks blocks;
    std::uint8_t code[block_rows];
    double column[block_rows];
};

}  // namespace

template <class Score>
Totals<4> weight_cells(const Labelled<Score>& rows, Score threshold, bool reach, std::size_t threads,
                       const Poll& poll) {
    const Kernels& loops = kernels();
    return sum_rows(rows.scores.size(), threads, poll, [&](const Strand& strand) {
        Totals<4> sums;
        const auto work = std::make_unique<Work>();
        strand.for_each_block([&](std::size_t first, std::size_t count) {
            const Score* const scores = rows.scores.data() + first;
            const std::uint8_t* const positive = rows.positive.data() + first;
            if constexpr (std::is_same_v<Score, float>) {
                loops.decide_float(scores, positive, count, threshold, reach, work->code);
            } else {
                loops.decide_double(scores, positive, count, threshold, reach, work->code);
            }
            for (std::uint8_t code = 0; code < 4; ++code) {
                loops.pick(rows.weights.data() + first, work->code, count, code, work->column);
                work->blocks.add(sums.at[code], work->column, count);
            }
        });
        return sums;
    });
}

Totals<2> weight_sums(std::span<const std::uint8_t> positive, std::span<const double> weights, std::size_t threads,
                      const Poll& poll) {
    const Kernels& loops = kernels();
    return sum_rows(weights.size(), threads, poll, [&](const Strand& strand) {
        Totals<2> sums;
        const auto work = std::make_unique<Work>();
        strand.for_each_block([&](std::size_t first, std::size_t count) {
            work->blocks.add(sums.at[0], weights.data() + first, count);
            loops.pick(weights.data() + first, positive.data() + first, count, 1, work->column);
            work->blocks.add(sums.at[1], work->column, count);
        });
        return sums;
    });
}

template Totals<4> weight_cells(const Labelled<float>&, float, bool, std::size_t, const Poll&);
template Totals<4> weight_cells(const Labelled<double>&, double, bool, std::size_t, const Poll&);

}  // namespace pingce
