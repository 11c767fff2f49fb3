// The counts of pairs of some users, tile by tile.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "factor_kernels.h"
#include "factors.h"

namespace pingce {

inline std::span<const std::int64_t> items_of(const PairLists& pairs, std::size_t user) {
    const auto begin = static_cast<std::size_t>(pairs.begin[user]);
    return pairs.items.subspan(begin, static_cast<std::size_t>(pairs.begin[user + 1]) - begin);
}

// Some users and a stretch of the candidates: what one thread does at a time.
struct Share {
    std::size_t first_user, users, first_item, items;
};

// The counts of one share, to be added to those of all.
template <class Real>
class Tally {
 public:
    Tally(const Scoring<Real>& scoring, const PairLists& pairs, const std::vector<Real>& thresholds, const Share& share)
        : scoring_(scoring),
          begin_(static_cast<std::size_t>(pairs.begin[share.first_user])),
          size_(static_cast<std::size_t>(pairs.begin[share.first_user + share.users]) - begin_),
          items_(pairs.items.subspan(begin_, size_)),
          thresholds_(thresholds.data() + begin_, size_),
          above_(size_),
          equal_(size_),
          fresh_(size_),
          by_id_(size_),
          by_order_(size_) {
        for (std::size_t user = 0; user <= share.users; ++user)
            starts_.push_back(static_cast<std::size_t>(pairs.begin[share.first_user + user]) - begin_);
    }

    void count(const FactorKernels<Real>& kernels, std::size_t first, std::size_t many, std::size_t user,
               std::span<const Real> scores) {
        const std::size_t start = starts_[user], pairs = starts_[user + 1] - start;
        if (pairs == 0) return;
        std::fill_n(fresh_.begin() + static_cast<std::ptrdiff_t>(start), pairs, 0U);
        kernels.count(scores.data(), scores.size(), thresholds_.data() + start, pairs, above_.data() + start,
                      fresh_.data() + start);
        for (std::size_t pair = start; pair < start + pairs; ++pair) {
            equal_[pair] += fresh_[pair];
            const bool has_own = items_[pair] >= row(first) && items_[pair] <= row(first + many - 1);
            if (fresh_[pair] != (has_own ? 1U : 0U)) look_at_equals(first, many, pair, scores);
        }
    }

    void add_to(PairCounts<Real>& counts) const {
        for (std::size_t pair = 0; pair < size_; ++pair) {
            counts.above[begin_ + pair] += static_cast<std::int32_t>(above_[pair]);
            counts.block[begin_ + pair] += static_cast<std::int32_t>(equal_[pair]);
            counts.by_id[begin_ + pair] += by_id_[pair];
            counts.by_order[begin_ + pair] += by_order_[pair];
        }
    }

 private:
    [[nodiscard]] std::int64_t row(std::size_t candidate) const {
        return scoring_.all ? static_cast<std::int64_t>(candidate) : scoring_.candidates[candidate];
    }
    [[nodiscard]] std::int64_t place(std::int64_t item) const {
        return scoring_.order.empty() ? item : scoring_.order[static_cast<std::size_t>(item)];
    }
    void look_at_equals(std::size_t first, std::size_t many, std::size_t pair, std::span<const Real> scores) {
        const std::int64_t own = items_[pair];
        for (std::size_t i = 0; i < many; ++i) {
            if (!(scores[i] == thresholds_[pair])) continue;
            const std::int64_t item = row(first + i);
            by_id_[pair] += place(item) > place(own) ? 1 : 0;
            by_order_[pair] += item < own ? 1 : 0;
        }
    }

    const Scoring<Real>& scoring_;
    std::size_t begin_, size_;
    std::span<const std::int64_t> items_;
    std::span<const Real> thresholds_;
    std::vector<std::uint32_t> above_, equal_, fresh_;
    std::vector<std::int32_t> by_id_, by_order_;
    std::vector<std::size_t> starts_;
};

}  // namespace pingce
