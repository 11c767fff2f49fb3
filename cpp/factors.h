// Ranks from vectors of users and items: scores tile by tile, counted while they are in the cache, and kept nowhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "parallel.h"

namespace pingce {

enum class FactorType : std::uint8_t { half, brain, single, wide };

// A matrix as it lies in memory, a vector a row; steps are in bytes.
struct Vectors {
    const std::byte* data;
    FactorType type;
    std::size_t rows, width;
    std::ptrdiff_t row_step, column_step;
};

enum class Similarity : std::uint8_t { product, distance };

// How a pair is scored, see src/pingce/factors/counting.py, and which items are candidates; empty spans stand for
// nothing, and for all items.
template <class Real>
struct Scoring {
    Vectors users, items;
    Similarity similarity;
    std::span<const Real> user_norms, item_norms, user_bias, item_bias;
    std::span<const std::int64_t> candidates, order;
    bool all;           // items are candidates
    bool rounds;        // scores to single precision
    std::size_t level;  // of instruction sets
};

// Items of users[i] are items[begin[i]] to items[begin[i + 1] - 1], ascending.
struct PairLists {
    std::span<const std::int64_t> users, begin, items;
};

template <class Real>
struct PairCounts {
    std::vector<Real> score;
    std::vector<std::int32_t> above, block, by_id, by_order;
};

template <class Real>
struct BestItems {
    std::vector<std::int64_t> begin, item;
    std::vector<Real> score;
};

template <class Real>
std::vector<Real> pair_scores(const Scoring<Real>& scoring, const PairLists& pairs, std::size_t threads,
                              const Poll& poll);

// Where pairs stand among all candidates of their users.
template <class Real>
PairCounts<Real> pair_counts(const Scoring<Real>& scoring, const PairLists& pairs, std::size_t threads,
                             const Poll& poll);

// The `depth` best candidates of each user that are not excluded, and those equal to the last of them.
template <class Real>
BestItems<Real> best_items(const Scoring<Real>& scoring, const PairLists& excluded, std::size_t depth,
                           std::size_t threads, const Poll& poll);

// Scores that somebody else computed: a row a user, `step` numbers apart.
template <class Real>
struct ScoreRows {
    const Real* data;
    std::size_t rows, columns, step;
};

// Where pairs stand among all columns of their rows; pairs.users are rows.
template <class Real>
PairCounts<Real> row_counts(const ScoreRows<Real>& scores, const PairLists& pairs, std::span<const std::int64_t> order,
                            std::size_t threads, const Poll& poll);

}  // namespace pingce
