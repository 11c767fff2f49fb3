// Positives and negatives, or rows of several classes, dealt by ranges of their scores, the highest first; all sides
// have the same ranges.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "buffer.h"
#include "dealt.h"
#include "labels.h"
#include "parallel.h"
#include "parts.h"
#include "radix.h"

namespace pingce {

constexpr std::size_t positives = 1, negatives = 0;

// Ascends while scores descend.
template <class Score>
KeyOf<Score> descending_key(Score score) {
    return static_cast<KeyOf<Score>>(~ordered_key(score));
}

template <class Score>
Score score_of(KeyOf<Score> descending) {
    return number_of<Score>(static_cast<KeyOf<Score>>(~descending));
}

template <class Item, std::size_t Count = 2>
class Sides {
 public:
    // `make` is what is kept of a row; a row whose weight is not positive is none.
    template <class Score, class Make>
    Sides(const Labelled<Score>& rows, std::size_t threads, const Poll& poll, const Make& make)
        : Sides(rows, threads, poll, make, [&](std::size_t row) { return std::size_t{rows.positive[row] != 0}; }) {}

    // `side` says which of the sides a row is on.
    template <class Score, class Make, class Side>
    Sides(const Labelled<Score>& rows, std::size_t threads, const Poll& poll, const Make& make, const Side& side)
        : threads_(threads),
          poll_(poll),
          ranges_(ranges_of(rows.scores.size())),
          dealt_(rows.scores.size(), Count * ranges_) {
        const Borders<KeyOf<Score>> borders(
            sample_keys<KeyOf<Score>>(rows.scores.size(), ranges_,
                                      [&](std::size_t row) { return descending_key(rows.scores[row]); }),
            ranges_);
        borders.with_ranges([&](const auto& range_of) {
            const auto place = [&](std::size_t row) {
                return Count * range_of(descending_key(rows.scores[row])) + side(row);
            };
            const auto place_weighed = [&](std::size_t row) {
                return rows.weights[row] > 0 ? place(row) : Count * ranges_;
            };
            run(parts_of(rows.scores.size()), [&](std::size_t part) {
                rows.weights.empty() ? dealt_.deal(part, place, make) : dealt_.deal(part, place_weighed, make);
            });
        });
        for (std::size_t at = 0; at < Count; ++at) {
            begin_[at].assign(ranges_ + 1, 0);
            for (std::size_t range = 0; range < ranges_; ++range)
                begin_[at][range + 1] = begin_[at][range] + dealt_.size(Count * range + at);
        }
    }

    [[nodiscard]] std::size_t ranges() const { return ranges_; }
    [[nodiscard]] std::size_t size(std::size_t side) const { return begin_[side].back(); }
    // How many of a side stand before a range.
    [[nodiscard]] std::size_t before(std::size_t side, std::size_t range) const { return begin_[side][range]; }
    [[nodiscard]] std::size_t size(std::size_t side, std::size_t range) const {
        return begin_[side][range + 1] - begin_[side][range];
    }

    // What of a side is in a range, sorted.
    void read(std::size_t side, std::size_t range, std::span<Item> to) {
        thread_local Sorter<Item> sorter;
        dealt_.copy(Count * range + side, to.data());
        sorter.sort(to);
    }

    template <class Action>
    void for_each_stretch(std::size_t side, std::size_t range, const Action& action) {
        dealt_.for_each_stretch(Count * range + side, action);
    }

    template <class Work>
    void run(std::size_t parts, const Work& work) const {
        run_parallel(parts, threads_, work, poll_);
    }

 private:
    std::size_t threads_;
    const Poll& poll_;
    std::size_t ranges_;
    Dealt<Item> dealt_;
    std::array<std::vector<std::size_t>, Count> begin_;
};

}  // namespace pingce
