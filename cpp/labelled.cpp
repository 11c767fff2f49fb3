#include "labelled.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace pingce {
namespace {

constexpr std::size_t rows_a_part = std::size_t{1} << 16;

std::size_t parts_of(std::size_t rows) { return (rows + rows_a_part - 1) / rows_a_part; }

void run(std::size_t parts, std::size_t threads, const std::function<void(std::size_t)>& work,
         const KeepGoing& keep_going) {
    if (!run_parallel(parts, threads, work, keep_going)) throw Stopped{};
}

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
        for (std::size_t at = rows_a_part; at < longer.size(); at += rows_a_part) {
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

struct Partial {
    ProbabilitySums sums;

    explicit Partial(std::size_t bins) { sums.bins.resize(bins); }

    void add(double p, bool positive, double epsilon) {
        const double error = p - (positive ? 1.0 : 0.0);
        sums.loss.add(loss_of(p, positive, epsilon));
        sums.squared.add(error, error);
        sums.predicted.add(p);
        if (CalibrationBin* bin = bin_of(p)) {
            bin->rows.add(1.0);
            bin->positives.add(positive ? 1.0 : 0.0);
            bin->predicted.add(p);
        }
    }

    void add(double p, bool positive, double epsilon, double weight) {
        const double error = p - (positive ? 1.0 : 0.0);
        sums.loss.add(loss_of(p, positive, epsilon), weight);
        sums.squared.add(error, error, weight);
        sums.predicted.add(p, weight);
        if (CalibrationBin* bin = bin_of(p)) {
            bin->rows.add(weight);
            bin->positives.add(positive ? weight : 0.0);
            bin->predicted.add(p, weight);
        }
    }

    void add(const ProbabilitySums& other) {
        sums.loss.add(other.loss);
        sums.squared.add(other.squared);
        sums.predicted.add(other.predicted);
        sums.clipped += other.clipped;
        for (std::size_t b = 0; b < sums.bins.size(); ++b) {
            sums.bins[b].rows.add(other.bins[b].rows);
            sums.bins[b].positives.add(other.bins[b].positives);
            sums.bins[b].predicted.add(other.bins[b].predicted);
        }
    }

 private:
    CalibrationBin* bin_of(double p) {
        if (sums.bins.empty()) return nullptr;
        const auto bin = static_cast<std::size_t>(p * static_cast<double>(sums.bins.size()));
        return &sums.bins[std::min(bin, sums.bins.size() - 1)];
    }
};

}  // namespace

template <class Score>
Sides<Score> split_by_label(std::span<const std::uint8_t> positive, std::span<const Score> scores, std::size_t threads,
                            const KeepGoing& keep_going) {
    const std::size_t parts = parts_of(scores.size());
    std::vector<std::size_t> before(parts + 1, 0);
    const auto part_of = [&](auto rows, std::size_t part) {
        const std::size_t first = part * rows_a_part;
        return rows.subspan(first, std::min(rows_a_part, rows.size() - first));
    };
    run(
        parts, threads, [&](std::size_t part) { before[part + 1] = count_positive(part_of(positive, part)); },
        keep_going);
    for (std::size_t part = 0; part < parts; ++part) before[part + 1] += before[part];
    Sides<Score> out{Buffer<Score>(before.back()), Buffer<Score>(scores.size() - before.back())};
    const auto deal = [&](std::size_t part) {
        const auto labels = part_of(positive, part);
        const auto values = part_of(scores, part);
        Score* sides[2] = {out.negatives.data() + (part * rows_a_part - before[part]),
                           out.positives.data() + before[part]};
        for (std::size_t i = 0; i < values.size(); ++i) *sides[labels[i] != 0]++ = values[i] + Score{0};
    };
    run(parts, threads, deal, keep_going);
    return out;
}

template <class Score>
unsigned __int128 twice_concordant(std::span<const Score> positives, std::span<const Score> negatives,
                                   std::size_t threads, const KeepGoing& keep_going) {
    const Cuts<Score> cuts(positives, negatives);
    std::vector<unsigned __int128> found(cuts.parts());
    run(
        cuts.parts(), threads,
        [&](std::size_t part) {
            const Score *n = negatives.data() + cuts.negative[part], *n_end = negatives.data() + negatives.size();
            std::size_t below = cuts.negative[part];
            unsigned __int128 sum = 0;
            for (std::size_t i = cuts.positive[part]; i < cuts.positive[part + 1];) {
                const Score score = positives[i];
                while (n != n_end && *n < score) ++n, ++below;
                std::size_t equal = 0;
                while (n + equal != n_end && n[equal] == score) ++equal;
                for (; i < cuts.positive[part + 1] && positives[i] == score; ++i) sum += 2 * below + equal;
            }
            found[part] = sum;
        },
        keep_going);
    unsigned __int128 all = 0;
    for (const auto one : found) all += one;
    return all;
}

template <class Score>
Thresholds<Score> tabulate(std::span<const Score> positives, std::span<const Score> negatives, std::size_t threads,
                           const KeepGoing& keep_going) {
    const Cuts<Score> cuts(positives, negatives);
    const std::size_t parts = cuts.parts();
    std::vector<std::size_t> distinct(parts);
    const auto bounds = [&](std::span<const Score> side, const std::vector<std::size_t>& cut, std::size_t part) {
        return std::pair(side.data() + cut[part], side.data() + cut[part + 1]);
    };
    run(
        parts, threads,
        [&](std::size_t part) {
            const auto [p, p_end] = bounds(positives, cuts.positive, part);
            const auto [n, n_end] = bounds(negatives, cuts.negative, part);
            distinct[part] = count_distinct(p, p_end, n, n_end);
        },
        keep_going);
    // The highest scores come first: the last part.
    std::vector<std::size_t> begin(parts, 0);
    for (std::size_t part = parts - 1; part-- > 0;) begin[part] = begin[part + 1] + distinct[part + 1];
    const std::size_t rows = begin[0] + distinct[0];
    Thresholds<Score> out{Buffer<Score>(rows), Buffer<std::int64_t>(rows), Buffer<std::int64_t>(rows), 0};
    std::vector<unsigned __int128> concordant(parts);
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
                static_cast<unsigned __int128>(p_before - p) * (2 * below + static_cast<std::size_t>(n_before - n));
        }
    };
    run(parts, threads, fill, keep_going);
    for (const auto one : concordant) out.twice_concordant += one;
    return out;
}

namespace {

// Two tables, walked from the highest score down. Which of them comes next is random: no branch depends on it.
template <class Score>
class Merging {
 public:
    Merging(const ThresholdsView<Score>& a, const ThresholdsView<Score>& b, std::size_t at_a, std::size_t at_b)
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
    for (std::size_t at = rows_a_part; at < longer.size(); at += rows_a_part)
        cuts.emplace_back(std::max(cuts.back().first, first_at_most(a, longer[at])),
                          std::max(cuts.back().second, first_at_most(b, longer[at])));
    cuts.emplace_back(a.size(), b.size());
    return cuts;
}

}  // namespace

template <class Score>
Thresholds<Score> merge_tables(const ThresholdsView<Score>& a, const ThresholdsView<Score>& b, std::size_t threads,
                               const KeepGoing& keep_going) {
    const auto cuts = cuts_of(a.score, b.score);
    const std::size_t parts = cuts.size() - 1;
    std::vector<std::size_t> begin(parts + 1, 0);
    const auto count = [&](std::size_t part) {
        const auto [from_a, from_b] = cuts[part];
        const auto [end_a, end_b] = cuts[part + 1];
        begin[part + 1] =
            count_merged(a.score.subspan(from_a, end_a - from_a), b.score.subspan(from_b, end_b - from_b));
    };
    run(parts, threads, count, keep_going);
    for (std::size_t part = 0; part < parts; ++part) begin[part + 1] += begin[part];
    const std::size_t rows = begin.back();
    Thresholds<Score> out{Buffer<Score>(rows), Buffer<std::int64_t>(rows), Buffer<std::int64_t>(rows), 0};
    const std::int64_t negatives = Merging<Score>(a, b, a.score.size(), b.score.size()).false_positives();
    std::vector<unsigned __int128> concordant(parts);
    const auto fill = [&](std::size_t part) {
        const auto [end_a, end_b] = cuts[part + 1];
        Merging<Score> merging(a, b, cuts[part].first, cuts[part].second);
        std::int64_t positives_before = merging.true_positives(), negatives_before = merging.false_positives();
        unsigned __int128 sum = 0;
        merging.walk(end_a, end_b, [&, at = begin[part]](Score score) mutable {
            const std::int64_t tp = merging.true_positives(), fp = merging.false_positives();
            out.score[at] = score;
            out.true_positives[at] = tp;
            out.false_positives[at] = fp;
            ++at;
            const auto below_and_beside = static_cast<std::uint64_t>(2 * (negatives - fp) + (fp - negatives_before));
            sum += static_cast<unsigned __int128>(static_cast<std::uint64_t>(tp - positives_before)) * below_and_beside;
            positives_before = tp;
            negatives_before = fp;
        });
        concordant[part] = sum;
    };
    run(parts, threads, fill, keep_going);
    for (const auto one : concordant) out.twice_concordant += one;
    return out;
}

template <class Score>
ProbabilitySums probability_sums(const Labelled<Score>& rows, double epsilon, std::size_t bins, std::size_t threads,
                                 const KeepGoing& keep_going) {
    const std::size_t parts = parts_of(rows.scores.size());
    Partial all(bins);
    std::mutex mutex;
    const std::size_t strands = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(parts, 1));
    // A strand takes every strands-th part: its sums are as large as those of many parts, and are made once.
    const Watch watch(keep_going);
    const auto add_up = [&](std::size_t strand) {
        Partial own(bins);
        for (std::size_t part = strand; part < parts && !watch.stopped(); part += strands) {
            const std::size_t end = std::min(rows.scores.size(), (part + 1) * rows_a_part);
            for (std::size_t i = part * rows_a_part; i < end; ++i) {
                const auto p = static_cast<double>(rows.scores[i]);
                if (rows.weights.empty()) {
                    own.add(p, rows.positive[i] != 0, epsilon);
                } else {
                    own.add(p, rows.positive[i] != 0, epsilon, rows.weights[i]);
                }
                own.sums.clipped += p < epsilon || p > 1.0 - epsilon;
            }
        }
        const std::lock_guard lock(mutex);
        all.add(own.sums);
    };
    run(strands, threads, add_up, watch.ask());
    return std::move(all.sums);
}

Pools pool(std::span<const double> positives, std::span<const double> rows) {
    Pools out;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        out.positives.push_back(positives[i]);
        out.rows.push_back(rows[i]);
        for (std::size_t last = out.rows.size() - 1; last > 0; --last) {
            const bool rises = out.positives[last - 1] * out.rows[last] < out.positives[last] * out.rows[last - 1];
            if (!rises) break;
            out.positives[last - 1] += out.positives[last];
            out.rows[last - 1] += out.rows[last];
            out.positives.pop_back();
            out.rows.pop_back();
        }
    }
    return out;
}

ErrorSums error_sums(std::span<const double> truth, std::span<const double> predicted, std::size_t threads,
                     const KeepGoing& keep_going) {
    const std::size_t parts = parts_of(truth.size());
    const std::size_t strands = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(parts, 1));
    std::vector<ErrorSums> found(strands);
    const Watch watch(keep_going);
    const auto add_up = [&](std::size_t strand) {
        ErrorSums own;
        for (std::size_t part = strand; part < parts && !watch.stopped(); part += strands) {
            const std::size_t end = std::min(truth.size(), (part + 1) * rows_a_part);
            for (std::size_t i = part * rows_a_part; i < end; ++i) {
                const double error = predicted[i] - truth[i];
                own.largest = std::max(own.largest, std::abs(error));
                own.absolute.add(std::abs(error));
                own.error.add(error);
                own.squared.add(error, error);
                own.truth.add(truth[i]);
                own.truth_squared.add(truth[i], truth[i]);
            }
        }
        found[strand] = std::move(own);
    };
    run(strands, threads, add_up, watch.ask());
    for (std::size_t strand = 1; strand < strands; ++strand) {
        found[0].largest = std::max(found[0].largest, found[strand].largest);
        found[0].absolute.add(found[strand].absolute);
        found[0].error.add(found[strand].error);
        found[0].squared.add(found[strand].squared);
        found[0].truth.add(found[strand].truth);
        found[0].truth_squared.add(found[strand].truth_squared);
    }
    return std::move(found[0]);
}

Total total_of(std::span<const double> a, std::span<const double> b, std::size_t threads, const KeepGoing& keep_going) {
    const std::size_t parts = parts_of(a.size());
    const std::size_t strands = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(parts, 1));
    std::vector<Total> found(strands);
    const Watch watch(keep_going);
    const auto add_up = [&](std::size_t strand) {
        Total even, odd;  // neighbours often meet one exponent: two sums need not wait for each other
        const auto add = [&](Total& to, std::size_t i) { b.empty() ? to.add(a[i]) : to.add(a[i], b[i]); };
        for (std::size_t part = strand; part < parts && !watch.stopped(); part += strands) {
            const std::size_t end = std::min(a.size(), (part + 1) * rows_a_part);
            std::size_t i = part * rows_a_part;
            for (; i + 1 < end; i += 2) {
                add(even, i);
                add(odd, i + 1);
            }
            if (i < end) add(even, i);
        }
        even.add(odd);
        found[strand] = std::move(even);
    };
    run(strands, threads, add_up, watch.ask());
    for (std::size_t strand = 1; strand < strands; ++strand) found[0].add(found[strand]);
    return std::move(found[0]);
}

#define PINGCE_FOR(Score)                                                                                            \
    template Sides<Score> split_by_label(std::span<const std::uint8_t>, std::span<const Score>, std::size_t,         \
                                         const KeepGoing&);                                                          \
    template unsigned __int128 twice_concordant(std::span<const Score>, std::span<const Score>, std::size_t,         \
                                                const KeepGoing&);                                                   \
    template Thresholds<Score> tabulate(std::span<const Score>, std::span<const Score>, std::size_t,                 \
                                        const KeepGoing&);                                                           \
    template Thresholds<Score> merge_tables(const ThresholdsView<Score>&, const ThresholdsView<Score>&, std::size_t, \
                                            const KeepGoing&);                                                       \
    template ProbabilitySums probability_sums(const Labelled<Score>&, double, std::size_t, std::size_t,              \
                                              const KeepGoing&);
PINGCE_FOR(float)
PINGCE_FOR(double)
#undef PINGCE_FOR

}  // namespace pingce
