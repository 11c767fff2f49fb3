// Two tables of thresholds made one.
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "parts.h"
#include "thresholds.h"

namespace pingce {
namespace {

// Two tables, walked from the highest score down. Which of them comes next is random: no branch depends on it.
template <class Score>
class Merger {
 public:
    Merger(const ThresholdsView<Score>& a, const ThresholdsView<Score>& b, std::size_t at_a, std::size_t at_b)
        : a_(a), b_(b), at_a_(at_a), at_b_(at_b) {
        if (at_a > 0) pass_a(at_a - 1);
        if (at_b > 0) pass_b(at_b - 1);
    }

    // Calls `step` with each distinct score up to the ends.
    template <class Step>
    void walk(std::size_t end_a, std::size_t end_b, Step step) {
        while (at_a_ < end_a && at_b_ < end_b) {
            const Score mine = a_.score[at_a_], other = b_.score[at_b_];
            const bool from_a = !(mine < other), from_b = !(other < mine);  // what has no order moves on, too
            tp_a_ = from_a ? a_.true_positives[at_a_] : tp_a_;
            fp_a_ = from_a ? a_.false_positives[at_a_] : fp_a_;
            tp_b_ = from_b ? b_.true_positives[at_b_] : tp_b_;
            fp_b_ = from_b ? b_.false_positives[at_b_] : fp_b_;
            at_a_ += from_a;
            at_b_ += from_b;
            step(from_a ? mine : other);
        }
        for (; at_a_ < end_a; step(a_.score[at_a_ - 1])) pass_a(at_a_++);
        for (; at_b_ < end_b; step(b_.score[at_b_ - 1])) pass_b(at_b_++);
    }

    // Of all scores that were passed.
    [[nodiscard]] std::int64_t true_positives() const { return tp_a_ + tp_b_; }
    [[nodiscard]] std::int64_t false_positives() const { return fp_a_ + fp_b_; }

 private:
    void pass_a(std::size_t row) { tp_a_ = a_.true_positives[row], fp_a_ = a_.false_positives[row]; }
    void pass_b(std::size_t row) { tp_b_ = b_.true_positives[row], fp_b_ = b_.false_positives[row]; }

    const ThresholdsView<Score>& a_;
    const ThresholdsView<Score>& b_;
    std::size_t at_a_;
    std::size_t at_b_;
    std::int64_t tp_a_ = 0, fp_a_ = 0, tp_b_ = 0, fp_b_ = 0;
};

// How many distinct scores two stretches have together.
template <class Score>
std::size_t count_merged(std::span<const Score> a, std::span<const Score> b) {
    std::size_t at_a = 0, at_b = 0, both = 0;
    while (at_a < a.size() && at_b < b.size()) {
        const Score mine = a[at_a], other = b[at_b];
        const bool from_a = !(mine < other), from_b = !(other < mine);
        at_a += from_a;
        at_b += from_b;
        both += from_a && from_b;
    }
    return a.size() + b.size() - both;
}

// Where both tables are cut, so that parts can be worked on apart: no score lies on both sides of a cut. Cuts never go
// back, even where scores are not in order.
template <class Score>
std::vector<std::pair<std::size_t, std::size_t>> cuts_of(std::span<const Score> a, std::span<const Score> b) {
    std::vector<std::pair<std::size_t, std::size_t>> cuts{{0, 0}};
    const std::span<const Score> longer = a.size() >= b.size() ? a : b;
    const auto first_at_most = [](std::span<const Score> scores, Score score) {
        return static_cast<std::size_t>(std::lower_bound(scores.begin(), scores.end(), score, std::greater<>()) -
                                        scores.begin());
    };
    for (std::size_t at = part_rows; at < longer.size(); at += part_rows)
        cuts.emplace_back(std::max(cuts.back().first, first_at_most(a, longer[at])),
                          std::max(cuts.back().second, first_at_most(b, longer[at])));
    cuts.emplace_back(a.size(), b.size());
    return cuts;
}

}  // namespace

template <class Score>
Thresholds<Score, std::int64_t> merge_tables(const ThresholdsView<Score>& a, const ThresholdsView<Score>& b,
                                             std::size_t threads, const Poll& poll) {
    const auto cuts = cuts_of(a.score, b.score);
    const std::size_t parts = cuts.size() - 1;
    std::vector<std::size_t> begin(parts + 1, 0);
    const auto count = [&](std::size_t part) {
        const auto [from_a, from_b] = cuts[part];
        const auto [end_a, end_b] = cuts[part + 1];
        begin[part + 1] =
            count_merged(a.score.subspan(from_a, end_a - from_a), b.score.subspan(from_b, end_b - from_b));
    };
    run_parallel(parts, threads, count, poll);
    for (std::size_t part = 0; part < parts; ++part) begin[part + 1] += begin[part];
    const std::size_t rows = begin.back();
    Thresholds<Score, std::int64_t> out{Buffer<Score>(rows), Buffer<std::int64_t>(rows), Buffer<std::int64_t>(rows), 0};
    const std::int64_t negatives = Merger<Score>(a, b, a.score.size(), b.score.size()).false_positives();
    std::vector<UInt128> concordant(parts);
    const auto fill = [&](std::size_t part) {
        const auto [end_a, end_b] = cuts[part + 1];
        Merger<Score> merger(a, b, cuts[part].first, cuts[part].second);
        std::int64_t positives_before = merger.true_positives(), negatives_before = merger.false_positives();
        UInt128 sum = 0;
        merger.walk(end_a, end_b, [&, at = begin[part]](Score score) mutable {
            const std::int64_t tp = merger.true_positives(), fp = merger.false_positives();
            out.score[at] = score;
            out.true_positives[at] = tp;
            out.false_positives[at] = fp;
            ++at;
            const auto below_and_beside = static_cast<std::uint64_t>(2 * (negatives - fp) + (fp - negatives_before));
            sum += static_cast<UInt128>(static_cast<std::uint64_t>(tp - positives_before)) * below_and_beside;
            positives_before = tp;
            negatives_before = fp;
        });
        concordant[part] = sum;
    };
    run_parallel(parts, threads, fill, poll);
    for (const auto one : concordant) out.twice_concordant += one;
    return out;
}

#define PINGCE_FOR(Score)                                                                                             \
    template Thresholds<Score, std::int64_t> merge_tables(const ThresholdsView<Score>&, const ThresholdsView<Score>&, \
                                                          std::size_t, const Poll&);
PINGCE_FOR(float)
PINGCE_FOR(double)
#undef PINGCE_FOR

}  // namespace pingce
