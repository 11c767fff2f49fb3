#include "thresholds.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "parts.h"

namespace pingce {
namespace {

std::size_t count_positive(std::span<const std::uint8_t> positive) {
    return positive.size() - static_cast<std::size_t>(std::count(positive.begin(), positive.end(), std::uint8_t{0}));
}

// Where both sides are cut, so that parts can be worked on apart: no score lies on both sides of a cut.
template <class Score>
struct Cuts {
    std::vector<std::size_t> positive{0};
    std::vector<std::size_t> negative{0};

    Cuts(std::span<const Score> positives, std::span<const Score> negatives) {
        const bool by_positives = positives.size() >= negatives.size();
        const std::span<const Score> longer = by_positives ? positives : negatives;
        for (std::size_t at = part_rows; at < longer.size(); at += part_rows) {
            const Score score = longer[at];
            positive.push_back(first_at_least(positives, score));
            negative.push_back(first_at_least(negatives, score));
        }
        positive.push_back(positives.size());
        negative.push_back(negatives.size());
    }

    [[nodiscard]] std::size_t parts() const { return positive.size() - 1; }

 private:
    static std::size_t first_at_least(std::span<const Score> sorted, Score score) {
        return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), score) - sorted.begin());
    }
};

template <class Score>
std::size_t count_distinct(const Score* p, const Score* p_end, const Score* n, const Score* n_end) {
    std::size_t distinct = 0;
    while (p != p_end || n != n_end) {
        const Score score = n == n_end || (p != p_end && *p < *n) ? *p : *n;
        while (p != p_end && *p == score) ++p;
        while (n != n_end && *n == score) ++n;
        ++distinct;
    }
    return distinct;
}

}  // namespace

template <class Score>
Sides<Score> split_by_label(std::span<const std::uint8_t> positive, std::span<const Score> scores, std::size_t threads,
                            const Poll& poll) {
    const std::size_t parts = parts_of(scores.size());
    std::vector<std::size_t> before(parts + 1, 0);
    const auto part_of = [&](auto rows, std::size_t part) {
        const std::size_t first = part * part_rows;
        return rows.subspan(first, std::min(part_rows, rows.size() - first));
    };
    run_parallel(
        parts, threads, [&](std::size_t part) { before[part + 1] = count_positive(part_of(positive, part)); }, poll);
    for (std::size_t part = 0; part < parts; ++part) before[part + 1] += before[part];
    Sides<Score> out{Buffer<Score>(before.back()), Buffer<Score>(scores.size() - before.back())};
    const auto deal = [&](std::size_t part) {
        const auto labels = part_of(positive, part);
        const auto values = part_of(scores, part);
        Score* sides[2] = {out.negatives.data() + (part * part_rows - before[part]),
                           out.positives.data() + before[part]};
        for (std::size_t i = 0; i < values.size(); ++i) *sides[labels[i] != 0]++ = values[i] + Score{0};
    };
    run_parallel(parts, threads, deal, poll);
    return out;
}

template <class Score>
UInt128 twice_concordant(std::span<const Score> positives, std::span<const Score> negatives, std::size_t threads,
                         const Poll& poll) {
    const Cuts<Score> cuts(positives, negatives);
    std::vector<UInt128> found(cuts.parts());
    run_parallel(
        cuts.parts(), threads,
        [&](std::size_t part) {
            const Score *n = negatives.data() + cuts.negative[part], *n_end = negatives.data() + negatives.size();
            std::size_t below = cuts.negative[part];
            UInt128 sum = 0;
            for (std::size_t i = cuts.positive[part]; i < cuts.positive[part + 1];) {
                const Score score = positives[i];
                while (n != n_end && *n < score) ++n, ++below;
                std::size_t equal = 0;
                while (n + equal != n_end && n[equal] == score) ++equal;
                for (; i < cuts.positive[part + 1] && positives[i] == score; ++i) sum += 2 * below + equal;
            }
            found[part] = sum;
        },
        poll);
    UInt128 all = 0;
    for (const auto one : found) all += one;
    return all;
}

template <class Score>
Thresholds<Score> tabulate(std::span<const Score> positives, std::span<const Score> negatives, std::size_t threads,
                           const Poll& poll) {
    const Cuts<Score> cuts(positives, negatives);
    const std::size_t parts = cuts.parts();
    std::vector<std::size_t> distinct(parts);
    const auto bounds = [&](std::span<const Score> side, const std::vector<std::size_t>& cut, std::size_t part) {
        return std::pair(side.data() + cut[part], side.data() + cut[part + 1]);
    };
    run_parallel(
        parts, threads,
        [&](std::size_t part) {
            const auto [p, p_end] = bounds(positives, cuts.positive, part);
            const auto [n, n_end] = bounds(negatives, cuts.negative, part);
            distinct[part] = count_distinct(p, p_end, n, n_end);
        },
        poll);
    // The highest scores come first: the last part.
    std::vector<std::size_t> begin(parts, 0);
    for (std::size_t part = parts - 1; part-- > 0;) begin[part] = begin[part + 1] + distinct[part + 1];
    const std::size_t rows = begin[0] + distinct[0];
    Thresholds<Score> out{Buffer<Score>(rows), Buffer<std::int64_t>(rows), Buffer<std::int64_t>(rows), 0};
    std::vector<UInt128> concordant(parts);
    const auto fill = [&](std::size_t part) {
        const auto [p_first, p_end] = bounds(positives, cuts.positive, part);
        const auto [n_first, n_end] = bounds(negatives, cuts.negative, part);
        const Score *p = p_end, *n = n_end, *p_all = positives.data() + positives.size(),
                    *n_all = negatives.data() + negatives.size();
        for (std::size_t at = begin[part]; p != p_first || n != n_first; ++at) {
            const Score score = n == n_first || (p != p_first && p[-1] > n[-1]) ? p[-1] : n[-1];
            const Score *p_before = p, *n_before = n;
            while (p != p_first && p[-1] == score) --p;
            while (n != n_first && n[-1] == score) --n;
            out.score[at] = score;
            out.true_positives[at] = p_all - p;
            out.false_positives[at] = n_all - n;
            const auto below = static_cast<std::size_t>(n - negatives.data());
            concordant[part] +=
                static_cast<UInt128>(p_before - p) * (2 * below + static_cast<std::size_t>(n_before - n));
        }
    };
    run_parallel(parts, threads, fill, poll);
    for (const auto one : concordant) out.twice_concordant += one;
    return out;
}

#define PINGCE_FOR(Score)                                                                                        \
    template Sides<Score> split_by_label(std::span<const std::uint8_t>, std::span<const Score>, std::size_t,     \
                                         const Poll&);                                                           \
    template UInt128 twice_concordant(std::span<const Score>, std::span<const Score>, std::size_t, const Poll&); \
    template Thresholds<Score> tabulate(std::span<const Score>, std::span<const Score>, std::size_t, const Poll&);
PINGCE_FOR(float)
PINGCE_FOR(double)
#undef PINGCE_FOR

}  // namespace pingce
