// Neighbouring rows with one id, and how such stretches are brought together.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "ids.h"
#include "parallel.h"
#include "table.h"

namespace pingce {

namespace detail {

// Whether most rows have the id of the row before them, or all a larger one: a sample tells.
template <class Ids>
bool seems_grouped(const Ids& ids) {
    constexpr std::size_t samples = 1024;
    const std::size_t step = std::max<std::size_t>(1, ids.size() / samples);
    std::size_t looked = 0, repeated = 0, smaller = 0;
    for (std::size_t row = 1; row < ids.size(); row += step, ++looked) {
        repeated += same(ids[row], ids[row - 1]);
        smaller += ids[row] < ids[row - 1];
    }
    return 2 * repeated > looked || smaller == 0;
}

// Rows whose id differs from the row before, and at the end the number of rows; found in parallel, part by part.
template <class Ids>
std::vector<std::size_t> segment_starts(const Ids& ids, std::size_t threads, const Poll& poll) {
    constexpr std::size_t rows_a_part = std::size_t{1} << 14;
    std::vector<std::vector<std::size_t>> found((ids.size() + rows_a_part - 1) / rows_a_part);
    const auto look = [&](std::size_t part) {
        thread_local std::vector<typename Ids::Value> storage;
        std::vector<typename Ids::Value>& values = storage;  // not looked up at each use
        const std::size_t first = part * rows_a_part;
        values.resize(std::min(ids.size() - first, rows_a_part));
        ids.read(first, values.size(), values.data());
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i == 0 ? first == 0 || !same(values[i], ids[first - 1]) : !same(values[i], values[i - 1]))
                found[part].push_back(first + i);
        }
    };
    run_parallel(found.size(), threads, look, poll);
    std::vector<std::size_t> starts;
    for (const auto& part : found) starts.insert(starts.end(), part.begin(), part.end());
    starts.push_back(ids.size());
    return starts;
}

// Group g holds rows[begin[g] .. begin[g+1]), in given order.
struct RowOrder {
    std::vector<std::size_t> begin, rows;
};

// Segments (neighbouring rows with one id) brought together by id. They are dealt out by hash, so that each hand has
// the segments of its own ids, in given order, and hands can be worked on side by side with small tables.
template <class Value>
class Dealer {
 public:
    Dealer(const std::vector<std::size_t>& starts, const std::vector<Value>& names, std::size_t threads,
           const Poll& poll)
        : starts_(starts), names_(names), threads_(threads), poll_(poll), group_of_(names.size()) {
        deal();
        run(hands, [&](std::size_t hand) { number(hand); });
        for (std::size_t hand = 0; hand < hands; ++hand)
            first_group_[hand + 1] = first_group_[hand] + found_[hand].size();
    }

    // The id of each group.
    [[nodiscard]] std::vector<Value> names() const {
        std::vector<Value> out;
        out.reserve(first_group_.back());
        for (const auto& found : found_) {
            for (const std::uint32_t segment : found) out.push_back(names_[segment]);
        }
        return out;
    }

    // A counting sort of rows that keeps their order.
    [[nodiscard]] RowOrder order() {
        RowOrder out;
        out.begin.assign(first_group_.back() + 1, 0);
        run(hands, [&](std::size_t hand) {
            for_each_segment(hand, [&](std::uint32_t s) {
                out.begin[first_group_[hand] + group_of_[s] + 1] += starts_[s + 1] - starts_[s];
            });
        });
        std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
        out.rows.resize(starts_.back());
        run(hands, [&](std::size_t hand) {
            std::vector<std::size_t> next(out.begin.begin() + static_cast<std::ptrdiff_t>(first_group_[hand]),
                                          out.begin.begin() + static_cast<std::ptrdiff_t>(first_group_[hand + 1]));
            for_each_segment(hand, [&](std::uint32_t s) {
                std::size_t& at = next[group_of_[s]];
                for (std::size_t row = starts_[s]; row < starts_[s + 1]; ++row) out.rows[at++] = row;
            });
        });
        return out;
    }

 private:
    static constexpr std::size_t hands = 64;
    static constexpr std::size_t segments_a_part = std::size_t{1} << 16;

    template <class Work>
    void run(std::size_t parts, const Work& work) const {
        run_parallel(parts, threads_, work, poll_);
    }

    void deal() {
        dealt_.resize((names_.size() + segments_a_part - 1) / segments_a_part);
        run(dealt_.size(), [&](std::size_t part) {
            const std::size_t end = std::min(names_.size(), (part + 1) * segments_a_part);
            for (std::size_t s = part * segments_a_part; s < end; ++s) {
                dealt_[part][dealing_hash(names_[s]) >> 58].push_back(static_cast<std::uint32_t>(s));
            }
        });
    }

    // Numbers the ids of one hand in the order in which they appear.
    void number(std::size_t hand) {
        std::size_t segments = 0;
        for (const auto& part : dealt_) segments += part[hand].size();
        std::vector<std::uint32_t>& found = found_[hand];
        PositionTable table;
        table.reset(segments);
        for_each_segment(hand, [&](std::uint32_t s) {
            const auto fresh = static_cast<std::uint32_t>(found.size());
            const auto holds = [&](std::uint32_t group) { return same(names_[found[group]], names_[s]); };
            const std::uint32_t at = table.insert(hash_of(names_[s]), fresh, holds);
            group_of_[s] = at == PositionTable::none ? fresh : at;
            if (at == PositionTable::none) found.push_back(s);
        });
    }

    template <class Action>
    void for_each_segment(std::size_t hand, const Action& action) const {
        for (const auto& part : dealt_) {
            for (const std::uint32_t segment : part[hand]) action(segment);
        }
    }

    const std::vector<std::size_t>& starts_;
    const std::vector<Value>& names_;
    std::size_t threads_;
    const Poll& poll_;
    std::vector<std::array<std::vector<std::uint32_t>, hands>> dealt_;  // by part of the data and hand
    std::vector<std::uint32_t> group_of_;                               // of each segment, within its hand
    std::array<std::vector<std::uint32_t>, hands> found_;               // the first segment of each group of a hand
    std::array<std::size_t, hands + 1> first_group_{};
};

}  // namespace detail

}  // namespace pingce
