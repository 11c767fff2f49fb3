#include "pair_index.h"

#include <limits>
#include <stdexcept>

namespace pingce {
namespace {

constexpr std::size_t rows_a_poll = std::size_t{1} << 20;
constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

void poll_now_and_then(std::size_t row, const Poll& poll) {
    if (row % rows_a_poll == 0) poll();
}

bool is_below(std::int64_t number, std::size_t limit) {
    return number >= 0 && static_cast<std::size_t>(number) < limit;
}

}  // namespace

PairIndex::PairIndex(std::span<const std::int64_t> group, std::span<const std::int64_t> item, std::size_t groups,
                     std::size_t items, const Poll& poll)
    : items_(items), begin_(groups + 2, 0), item_(group.size()) {
    if (groups >= nobody || items >= nobody) throw std::invalid_argument("numbers must fit into 32 bits");
    for (std::size_t i = 0; i < group.size(); ++i) {
        poll_now_and_then(i, poll);
        if (!is_below(group[i], groups) || !is_below(item[i], items)) throw std::out_of_range("no such number");
        ++begin_[static_cast<std::size_t>(group[i]) + 2];
    }
    for (std::size_t g = 2; g < begin_.size(); ++g) begin_[g] += begin_[g - 1];
    for (std::size_t i = 0; i < group.size(); ++i) {  // the begin of each group runs on to its end
        poll_now_and_then(i, poll);
        item_[begin_[static_cast<std::size_t>(group[i]) + 1]++] = static_cast<std::uint32_t>(item[i]);
    }
    begin_.pop_back();
}

Buffer<std::int64_t> PairIndex::owners(const Poll& poll) const {
    Buffer<std::int64_t> out(items_);
    std::fill_n(out.data(), items_, std::int64_t{0});
    std::vector<std::uint32_t> last(items_, nobody);  // the group that was seen last with each item
    for (std::uint32_t g = 0; g + 1 < begin_.size(); ++g) {
        poll_now_and_then(g, poll);
        for (const std::uint32_t item : items_of(g)) {
            out[item] += last[item] != g ? 1 : 0;
            last[item] = g;
        }
    }
    return out;
}

Buffer<std::uint8_t> PairIndex::has(std::span<const std::int64_t> group, std::span<const std::int64_t> item,
                                    const Poll& poll) const {
    Buffer<std::uint8_t> out(group.size());
    std::vector<std::uint32_t> last(items_, nobody);
    std::int64_t marked = -1;  // the group whose items are marked
    for (std::size_t i = 0; i < group.size(); ++i) {
        poll_now_and_then(i, poll);
        const std::int64_t g = group[i];
        if (g != marked && is_below(g, begin_.size() - 1)) {
            marked = g;
            for (const std::uint32_t each : items_of(static_cast<std::size_t>(g)))
                last[each] = static_cast<std::uint32_t>(g);
        }
        const bool is_pair = g >= 0 && is_below(item[i], items_) && last[static_cast<std::size_t>(item[i])] == g;
        out[i] = is_pair ? 1 : 0;
    }
    return out;
}

}  // namespace pingce
