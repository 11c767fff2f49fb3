// Lists that are ordered by new scores, and pairs that stand in falling order.
#include <functional>

#include "list_work.h"

namespace pingce {
namespace {

constexpr std::size_t rows_a_part = std::size_t{1} << 15;

// Calls action(list) for every list, in parallel.
template <class Action>
void for_each_list(std::span<const std::int64_t> begin, std::size_t threads, const Poll& poll, const Action& action) {
    std::vector<std::size_t> parts{0};
    for (std::size_t list = 0; list + 1 < begin.size(); ++list) {
        const auto rows = static_cast<std::size_t>(begin[list + 1] - begin[parts.back()]);
        if (rows >= rows_a_part || list + 2 == begin.size()) parts.push_back(list + 1);
    }
    const auto work = [&](std::size_t part) {
        for (std::size_t list = parts[part]; list < parts[part + 1]; ++list) action(list);
    };
    run_parallel(parts.size() - 1, threads, work, poll);
}

// Sorts from the bottom up; an order that is none (majorities may go round) gives some order. `jumps(n)` is told of
// each value that was put before n others.
template <class Before, class Jumps>
void merge_sort(std::span<std::int64_t> values, std::vector<std::int64_t>& spare, const Before& before,
                const Jumps& jumps) {
    spare.resize(std::max(spare.size(), values.size()));
    for (std::size_t width = 1; width < values.size(); width *= 2) {
        for (std::size_t begin = 0; begin + width < values.size(); begin += 2 * width) {
            const std::size_t middle = begin + width, end = std::min(values.size(), middle + width);
            std::size_t left = begin, right = middle;
            for (std::size_t to = begin; to < end; ++to) {
                const bool take_right = left == middle || (right < end && before(values[right], values[left]));
                if (take_right) jumps(middle - left);
                spare[to] = values[take_right ? right++ : left++];
            }
            std::copy_n(spare.data() + begin, end - begin, values.data() + begin);
        }
    }
}

}  // namespace

template <class Ids>
Buffer<std::int64_t> order_lists(std::span<const std::int64_t> begin, std::span<const double> scores, const Ids& ids,
                                 std::span<const std::int64_t> member, TieOrder ties, std::size_t threads,
                                 const Poll& poll) {
    Buffer<std::int64_t> out(scores.size());
    for_each_list(begin, threads, poll, [&](std::size_t list) {
        thread_local std::vector<Listed> ranked;
        const auto first = static_cast<std::size_t>(begin[list]);
        ranked.resize(static_cast<std::size_t>(begin[list + 1]) - first);
        for (std::uint32_t i = 0; i < ranked.size(); ++i)
            ranked[i] = {falling(order_key(scores[first + i], NotANumber::last)), i, i};
        const auto id_of = [&](const Listed& at) { return ids[static_cast<std::size_t>(member[first + at.number])]; };
        sort_listed(std::span(ranked), ties, id_of);
        for (std::size_t i = 0; i < ranked.size(); ++i)
            out[first + i] = static_cast<std::int64_t>(first + ranked[i].number);
    });
    return out;
}

std::vector<std::int64_t> count_inversions(std::span<const std::int64_t> begin, std::span<const std::int64_t> values,
                                           std::size_t threads, const Poll& poll) {
    std::vector<std::int64_t> out(begin.size() - 1);
    for_each_list(begin, threads, poll, [&](std::size_t list) {
        thread_local std::vector<std::int64_t> sorted, spare;
        sorted.assign(values.begin() + begin[list], values.begin() + begin[list + 1]);
        merge_sort(std::span(sorted), spare, std::less<>(),
                   [&](std::size_t jumped) { out[list] += static_cast<std::int64_t>(jumped); });
    });
    return out;
}

Buffer<std::int64_t> majority_order(std::span<const std::int64_t> begin, std::span<const std::int64_t> start,
                                    std::span<const std::int64_t> ranks, std::span<const double> votes,
                                    std::size_t threads, const Poll& poll) {
    Buffer<std::int64_t> out(start.size());
    const auto beats = [&](std::int64_t one, std::int64_t other) {
        double ahead = 0, behind = 0;
        for (std::size_t run = 0; run < votes.size(); ++run) {
            const std::int64_t* rank = ranks.data() + run * start.size();
            ahead += rank[one] < rank[other] ? votes[run] : 0.0;
            behind += rank[other] < rank[one] ? votes[run] : 0.0;
        }
        return ahead > behind;
    };
    for_each_list(begin, threads, poll, [&](std::size_t list) {
        thread_local std::vector<std::int64_t> order, spare;
        order.assign(start.begin() + begin[list], start.begin() + begin[list + 1]);
        merge_sort(std::span(order), spare, beats, [](std::size_t) {});
        std::copy(order.begin(), order.end(), out.data() + begin[list]);
    });
    return out;
}

template Buffer<std::int64_t> order_lists(std::span<const std::int64_t>, std::span<const double>, const StringIds&,
                                          std::span<const std::int64_t>, TieOrder, std::size_t, const Poll&);
template Buffer<std::int64_t> order_lists(std::span<const std::int64_t>, std::span<const double>, const IntIds&,
                                          std::span<const std::int64_t>, TieOrder, std::size_t, const Poll&);

}  // namespace pingce
