#include "flags.h"

#include <array>
#include <vector>

#include "sides.h"

namespace pingce {
namespace {

constexpr std::size_t kinds = 4;  // 2 × first + second
using Places = std::array<std::size_t, kinds>;

template <class Key>
using Sorted = std::array<Buffer<Key>, kinds>;

// The keys of all kinds in a range as one ascending sequence: calls step(key, whether it is a new one, how many of each
// kind were passed so far). Which kind comes next is random: no branch depends on it.
template <class Key, class Step>
void walk(const Sorted<Key>& sorted, const Sides<Key, kinds>& sides, std::size_t range, const Step& step) {
    constexpr Key none = static_cast<Key>(~Key{0});  // no finite score has it
    Places at{}, end{};
    std::array<Key, kinds> head{};
    std::size_t left = 0;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        at[kind] = sides.before(kind, range);
        end[kind] = at[kind] + sides.size(kind, range);
        head[kind] = at[kind] < end[kind] ? sorted[kind][at[kind]] : none;
        left += end[kind] - at[kind];
    }
    for (Key last = none; left > 0; --left) {
        const std::size_t low = std::size_t{head[1] < head[0]}, high = 2 + std::size_t{head[3] < head[2]};
        const std::size_t kind = head[high] < head[low] ? high : low;
        const Key key = head[kind];
        const std::size_t place = ++at[kind];
        head[kind] = place < end[kind] ? sorted[kind][place] : none;
        step(key, key != last, at);
        last = key;
    }
}

}  // namespace

template <class Score>
FlagTable<Score> tabulate_flags(const Flagged<Score>& rows, std::size_t threads, const Poll& poll) {
    using Key = KeyOf<Score>;
    const Labelled<Score> labelled{rows.first, rows.scores, {}};
    Sides<Key, kinds> sides(
        labelled, threads, poll, [&](std::size_t row) { return descending_key(rows.scores[row]); },
        [&](std::size_t row) { return 2 * std::size_t{rows.first[row] != 0} + std::size_t{rows.second[row] != 0}; });
    Sorted<Key> sorted{Buffer<Key>(sides.size(0)), Buffer<Key>(sides.size(1)), Buffer<Key>(sides.size(2)),
                       Buffer<Key>(sides.size(3))};
    const std::size_t ranges = sides.ranges();
    std::vector<std::size_t> begin(ranges + 1, 0);
    sides.run(ranges, [&](std::size_t range) {
        for (std::size_t kind = 0; kind < kinds; ++kind)
            sides.read(kind, range, {sorted[kind].data() + sides.before(kind, range), sides.size(kind, range)});
        std::size_t distinct = 0;
        walk(sorted, sides, range, [&](Key, bool fresh, const Places&) { distinct += fresh; });
        begin[range + 1] = distinct;
    });
    for (std::size_t range = 0; range < ranges; ++range) begin[range + 1] += begin[range];
    const auto column = [&] { return Buffer<std::int32_t>(begin.back()); };
    FlagTable<Score> out{Buffer<Score>(begin.back()), column(), column(), column(), column()};
    sides.run(ranges, [&](std::size_t range) {
        std::size_t next = begin[range];
        walk(sorted, sides, range, [&](Key key, bool fresh, const Places& passed) {
            next += fresh;
            out.score[next - 1] = score_of<Score>(key);
            out.with[next - 1] = static_cast<std::int32_t>(passed[2] + passed[3]);
            out.without[next - 1] = static_cast<std::int32_t>(passed[0] + passed[1]);
            out.both[next - 1] = static_cast<std::int32_t>(passed[3]);
            out.second[next - 1] = static_cast<std::int32_t>(passed[1]);
        });
    });
    return out;
}

template FlagTable<float> tabulate_flags(const Flagged<float>&, std::size_t, const Poll&);
template FlagTable<double> tabulate_flags(const Flagged<double>&, std::size_t, const Poll&);

}  // namespace pingce
