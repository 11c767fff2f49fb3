#include "factors.h"

#include <algorithm>
#include <mutex>

#include "factor_best.h"
#include "factor_counts.h"
#include "factor_tiles.h"

namespace pingce {
namespace {

constexpr std::size_t tile_bytes = std::size_t{1} << 17, tile_items = 512, chunk_users = 384;

std::size_t tile_size(std::size_t width, std::size_t real, std::size_t panel) {
    const std::size_t fitting = std::min(tile_items, tile_bytes / std::max<std::size_t>(width * real, 1));
    return std::max(fitting / panel, std::size_t{2}) * panel;
}

std::size_t candidate_count(const auto& scoring) {
    return scoring.all ? scoring.items.rows : scoring.candidates.size();
}

// Scores of some users with tile after tile of items.
template <class Real>
class Scorer {
 public:
    explicit Scorer(const Scoring<Real>& scoring)
        : scoring_(scoring),
          kernels_(factor_kernels<Real>(scoring.level)),
          tile_(scoring, kernels_.panel),
          users_(scoring, kernels_.panel) {}

    void take_users(std::span<const std::int64_t> users) {
        taken_ = users;
        users_.pack(users);
    }
    template <class Row>
    void take_items(std::size_t count, const Row& row) {
        tile_.pack(count, row);
        scores_.resize(kernels_.panel.users * tile_.padded());
    }
    // Calls use(place of the user, its scores) for each user that was taken; scores are padded with what is no number.
    template <class Use>
    void score(const Use& use) {
        const std::size_t group = kernels_.panel.users, stride = tile_.padded();
        const auto multiply = scoring_.similarity == Similarity::product ? kernels_.products : kernels_.distances;
        for (std::size_t first = 0; first < taken_.size(); first += group) {
            multiply(users_.group(first / group), tile_.data(), scoring_.items.width, tile_.panels(), scores_.data(),
                     stride);
            for (std::size_t user = first; user < std::min(first + group, taken_.size()); ++user) {
                Real* const scores = scores_.data() + (user - first) * stride;
                tile_.finish(taken_[user], scores);
                use(user, std::span<const Real>(scores, stride));
            }
        }
    }
    [[nodiscard]] const FactorKernels<Real>& kernels() const { return kernels_; }
    [[nodiscard]] std::size_t tile() const {
        return tile_size(scoring_.items.width, sizeof(Real), kernels_.panel.items);
    }

 private:
    const Scoring<Real>& scoring_;
    const FactorKernels<Real>& kernels_;
    ItemTile<Real> tile_;
    UserPack<Real> users_;
    std::span<const std::int64_t> taken_;
    std::vector<Real> scores_;
};

template <class Real>
void score_list(Scorer<Real>& scorer, std::span<const std::int64_t> user, std::span<const std::int64_t> items,
                Real* out) {
    scorer.take_users(user);
    const std::size_t tile = scorer.tile();
    for (std::size_t first = 0; first < items.size(); first += tile) {
        const std::size_t count = std::min(tile, items.size() - first);
        scorer.take_items(count, [&](std::size_t i) { return static_cast<std::size_t>(items[first + i]); });
        scorer.score(
            [&](std::size_t, std::span<const Real> scores) { std::copy_n(scores.data(), count, out + first); });
    }
}

std::vector<Share> shares_of(std::size_t users, std::size_t items, std::size_t tile, std::size_t threads) {
    const std::size_t chunks = (users + chunk_users - 1) / chunk_users, wanted = 4 * std::max<std::size_t>(threads, 1);
    const std::size_t tiles = (items + tile - 1) / tile;
    const std::size_t stretches = chunks >= wanted ? 1
                                                   : std::clamp<std::size_t>(wanted / std::max<std::size_t>(chunks, 1),
                                                                             1, std::max<std::size_t>(tiles, 1));
    const std::size_t length = (tiles + stretches - 1) / stretches * tile;
    std::vector<Share> shares;
    for (std::size_t user = 0; user < users; user += chunk_users)
        for (std::size_t item = 0; item < items; item += length)
            shares.push_back({user, std::min(chunk_users, users - user), item, std::min(length, items - item)});
    return shares;
}

// Calls use(first candidate, count, user of the share, scores) for every tile and user of a share.
template <class Real, class Use>
void sweep(const Scoring<Real>& scoring, Scorer<Real>& scorer, const Share& share, const Watch& watch, const Use& use) {
    const std::size_t tile = scorer.tile(), end = share.first_item + share.items;
    for (std::size_t first = share.first_item; first < end; first += tile) {
        watch.check();
        const std::size_t count = std::min(tile, end - first);
        scorer.take_items(count, [&](std::size_t i) {
            return scoring.all ? first + i : static_cast<std::size_t>(scoring.candidates[first + i]);
        });
        scorer.score([&](std::size_t user, std::span<const Real> scores) { use(first, count, user, scores); });
    }
}

template <class Real>
std::vector<Best<Real>> best_of(const Scoring<Real>& scoring, const PairLists& excluded, const Share& share,
                                std::size_t depth, const Watch& watch) {
    std::vector<Best<Real>> best(share.users, Best<Real>(depth));
    Scorer<Real> scorer(scoring);
    scorer.take_users(excluded.users.subspan(share.first_user, share.users));
    sweep(scoring, scorer, share, watch,
          [&](std::size_t first, std::size_t many, std::size_t user, std::span<const Real> scores) {
              std::uint32_t above = 0, equal = 0;
              const Real bound = best[user].bound();
              scorer.kernels().count(scores.data(), scores.size(), &bound, 1, &above, &equal);
              if (above + equal == 0) return;
              const auto without = items_of(excluded, share.first_user + user);
              for (std::size_t i = 0; i < many; ++i) {
                  if (!(scores[i] >= best[user].bound())) continue;
                  const std::int64_t item =
                      scoring.all ? static_cast<std::int64_t>(first + i) : scoring.candidates[first + i];
                  if (!std::ranges::binary_search(without, item)) best[user].add(scores[i], item);
              }
          });
    return best;
}

constexpr std::size_t row_stretch = 4096;

// The counts of the pairs of one row of scores, stretch by stretch: `spare` is room for the last one.
template <class Real>
void count_row(const ScoreRows<Real>& scores, const PairLists& pairs, std::size_t user, Tally<Real>& tally,
               std::vector<Real>& spare) {
    const auto& kernels = factor_kernels<Real>(usual_factor_level());
    const Real* const row = scores.data + static_cast<std::size_t>(pairs.users[user]) * scores.step;
    for (std::size_t first = 0; first < scores.columns; first += row_stretch) {
        const std::size_t count = std::min(row_stretch, scores.columns - first), panel = kernels.panel.items;
        const std::size_t padded = (count + panel - 1) / panel * panel;
        const Real* stretch = row + first;
        if (padded > count) {
            spare.assign(padded, std::numeric_limits<Real>::quiet_NaN());
            std::copy_n(stretch, count, spare.begin());
            stretch = spare.data();
        }
        tally.count(kernels, first, count, 0, {stretch, padded});
    }
}

}  // namespace

template <class Real>
PairCounts<Real> row_counts(const ScoreRows<Real>& scores, const PairLists& pairs, std::span<const std::int64_t> order,
                            std::size_t threads, const Poll& poll) {
    PairCounts<Real> counts;
    for (std::size_t user = 0; user < pairs.users.size(); ++user) {
        const Real* const row = scores.data + static_cast<std::size_t>(pairs.users[user]) * scores.step;
        for (const std::int64_t item : items_of(pairs, user)) counts.score.push_back(row[item]);
    }
    for (auto* column : {&counts.above, &counts.block, &counts.by_id, &counts.by_order})
        column->resize(pairs.items.size());
    Scoring<Real> scoring{};
    scoring.all = true;
    scoring.order = order;
    run_parallel(
        pairs.users.size(), threads,
        [&](std::size_t user) {
            Tally<Real> tally(scoring, pairs, counts.score, {user, 1, 0, scores.columns});
            std::vector<Real> spare;
            count_row(scores, pairs, user, tally, spare);
            tally.add_to(counts);
        },
        poll);
    return counts;
}

template <class Real>
std::vector<Real> pair_scores(const Scoring<Real>& scoring, const PairLists& pairs, std::size_t threads,
                              const Poll& poll) {
    std::vector<Real> scores(pairs.items.size());
    const std::size_t chunks = (pairs.users.size() + chunk_users - 1) / chunk_users;
    run_parallel(
        chunks, threads,
        [&](std::size_t chunk) {
            Scorer<Real> scorer(scoring);
            const std::size_t first = chunk * chunk_users, end = std::min(first + chunk_users, pairs.users.size());
            for (std::size_t user = first; user < end; ++user)
                score_list(scorer, pairs.users.subspan(user, 1), items_of(pairs, user),
                           scores.data() + pairs.begin[user]);
        },
        poll);
    return scores;
}

template <class Real>
PairCounts<Real> pair_counts(const Scoring<Real>& scoring, const PairLists& pairs, std::size_t threads,
                             const Poll& poll) {
    PairCounts<Real> counts;
    counts.score = pair_scores(scoring, pairs, threads, poll);
    for (auto* column : {&counts.above, &counts.block, &counts.by_id, &counts.by_order})
        column->resize(pairs.items.size());
    const std::size_t tile =
        tile_size(scoring.items.width, sizeof(Real), factor_kernels<Real>(scoring.level).panel.items);
    const auto shares = shares_of(pairs.users.size(), candidate_count(scoring), tile, threads);
    std::mutex adding;
    const Watch watch(poll);
    run_parallel(
        shares.size(), threads,
        [&](std::size_t number) {
            const Share& share = shares[number];
            Scorer<Real> scorer(scoring);
            Tally<Real> tally(scoring, pairs, counts.score, share);
            scorer.take_users(pairs.users.subspan(share.first_user, share.users));
            sweep(scoring, scorer, share, watch,
                  [&](std::size_t first, std::size_t many, std::size_t user, std::span<const Real> scores) {
                      tally.count(scorer.kernels(), first, many, user, scores);
                  });
            const std::lock_guard lock(adding);
            tally.add_to(counts);
        },
        watch.poll());
    return counts;
}

template <class Real>
BestItems<Real> best_items(const Scoring<Real>& scoring, const PairLists& excluded, std::size_t depth,
                           std::size_t threads, const Poll& poll) {
    const std::size_t items = candidate_count(scoring), users = excluded.users.size();
    const std::size_t chunks = (users + chunk_users - 1) / chunk_users;
    std::vector<std::vector<Best<Real>>> parts(chunks);
    const Watch watch(poll);
    run_parallel(
        chunks, threads,
        [&](std::size_t chunk) {
            const std::size_t first = chunk * chunk_users;
            const Share share{first, std::min(chunk_users, users - first), 0, items};
            parts[chunk] = best_of(scoring, excluded, share, depth, watch);
            for (auto& best : parts[chunk]) best.finished();
        },
        watch.poll());
    BestItems<Real> out;
    out.begin.push_back(0);
    for (auto& part : parts) {
        for (auto& best : part) {
            for (const auto& [score, item] : best.finished()) {
                out.score.push_back(score);
                out.item.push_back(item);
            }
            out.begin.push_back(static_cast<std::int64_t>(out.item.size()));
        }
    }
    return out;
}

template PairCounts<float> row_counts(const ScoreRows<float>&, const PairLists&, std::span<const std::int64_t>,
                                      std::size_t, const Poll&);
template PairCounts<double> row_counts(const ScoreRows<double>&, const PairLists&, std::span<const std::int64_t>,
                                       std::size_t, const Poll&);
template std::vector<float> pair_scores(const Scoring<float>&, const PairLists&, std::size_t, const Poll&);
template std::vector<double> pair_scores(const Scoring<double>&, const PairLists&, std::size_t, const Poll&);
template PairCounts<float> pair_counts(const Scoring<float>&, const PairLists&, std::size_t, const Poll&);
template PairCounts<double> pair_counts(const Scoring<double>&, const PairLists&, std::size_t, const Poll&);
template BestItems<float> best_items(const Scoring<float>&, const PairLists&, std::size_t, std::size_t, const Poll&);
template BestItems<double> best_items(const Scoring<double>&, const PairLists&, std::size_t, std::size_t, const Poll&);

}  // namespace pingce
