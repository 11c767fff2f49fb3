#include "flags.h"

#include <vector>

#include "dealt.h"
#include "radix.h"
#include "sides.h"

namespace pingce {
namespace {

// A score, and 2 × first flag + second flag.
template <class Key>
struct FlaggedKey {
    Key key, flags;

    bool operator<(const FlaggedKey& other) const { return key < other.key; }
};

// Rows so far, by their flags.
struct Passed {
    std::int32_t with = 0, without = 0, both = 0, second = 0;

    template <class Flags>
    void add(Flags flags) {
        const auto is_first = static_cast<std::int32_t>(flags >> 1), is_second = static_cast<std::int32_t>(flags & 1);
        with += is_first;
        without += 1 - is_first;
        both += is_first & is_second;
        second += is_second & ~is_first;
    }
    void add(const Passed& other) {
        with += other.with;
        without += other.without;
        both += other.both;
        second += other.second;
    }
};

// What stands before a range: rows, and distinct scores.
struct Before {
    Passed passed;
    std::size_t distinct = 0;
};

// Calls step(item, whether its score is a new one) for each of the sorted items.
template <class Item, class Step>
void walk(const std::vector<Item>& sorted, const Step& step) {
    for (std::size_t i = 0; i < sorted.size(); ++i) step(sorted[i], i == 0 || sorted[i].key != sorted[i - 1].key);
}

}  // namespace

template <class Score>
FlagTable<Score> tabulate_flags(const Flagged<Score>& rows, std::size_t threads, const Poll& poll) {
    using Key = KeyOf<Score>;
    using Item = FlaggedKey<Key>;
    const auto key = [&](std::size_t row) { return descending_key(rows.scores[row]); };
    const auto item = [&](std::size_t row) {
        const unsigned flags = 2 * unsigned{rows.first[row] != 0} + unsigned{rows.second[row] != 0};
        return Item{key(row), Key{flags}};
    };
    Ranges<Item> ranges = deal_by_keys<Item>(rows.scores.size(), key, item, threads, poll);
    // Calls work(range, its items) for all ranges.
    const auto for_each_range = [&](const auto& work) {
        const auto read = [&](std::size_t range) {
            thread_local std::vector<Item> items;
            items.resize(ranges.size(range));
            ranges.dealt.copy(range, items.data());
            work(range, items);
        };
        run_parallel(ranges.count(), threads, read, poll);
    };
    std::vector<Before> before(ranges.count() + 1);
    for_each_range([&](std::size_t range, std::vector<Item>& items) {
        thread_local Sorter<Item> sorter;
        sorter.sort(items);
        ranges.dealt.replace(range, items.data());
        Before here;
        walk(items, [&](const Item& row, bool fresh) {
            here.passed.add(row.flags);
            here.distinct += fresh;
        });
        before[range + 1] = here;
    });
    for (std::size_t range = 0; range < ranges.count(); ++range) {
        before[range + 1].passed.add(before[range].passed);
        before[range + 1].distinct += before[range].distinct;
    }
    const auto column = [&] { return Buffer<std::int32_t>(before.back().distinct); };
    FlagTable<Score> out{Buffer<Score>(before.back().distinct), column(), column(), column(), column()};
    for_each_range([&](std::size_t range, const std::vector<Item>& items) {
        Passed passed = before[range].passed;  // clang captures no structured bindings before version 16
        std::size_t next = before[range].distinct;
        walk(items, [&](const Item& row, bool fresh) {
            passed.add(row.flags);
            next += fresh;
            out.score[next - 1] = score_of<Score>(row.key);
            out.with[next - 1] = passed.with;
            out.without[next - 1] = passed.without;
            out.both[next - 1] = passed.both;
            out.second[next - 1] = passed.second;
        });
    });
    return out;
}

template FlagTable<float> tabulate_flags(const Flagged<float>&, std::size_t, const Poll&);
template FlagTable<double> tabulate_flags(const Flagged<double>&, std::size_t, const Poll&);

}  // namespace pingce
