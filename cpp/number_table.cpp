#include "number_table.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace pingce {
namespace {

constexpr std::size_t rows_a_poll = std::size_t{1} << 20;

// Where an integer stands from `low` on; beyond any table where it lies before.
std::size_t place_of(std::int64_t value, std::int64_t low) {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(low));
}

template <class Act>
void for_blocks(std::size_t rows, const Poll& poll, const Act& act) {
    for (std::size_t begin = 0; begin < rows; begin += rows_a_poll) {
        poll();
        act(begin, std::min(rows, begin + rows_a_poll));
    }
}

}  // namespace

Buffer<std::int32_t> number_table(std::span<const std::int64_t> values, std::int64_t low, std::size_t size,
                                  const Poll& poll) {
    if (size > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw std::invalid_argument("a table must fit into 32 bits");
    Buffer<std::int32_t> table(size);
    std::fill_n(table.data(), size, -1);
    for_blocks(values.size(), poll, [&](std::size_t begin, std::size_t end) {
        for (const std::int64_t value : values.subspan(begin, end - begin)) {
            const std::size_t place = place_of(value, low);
            if (place >= size) throw std::out_of_range("an integer outside the table");
            table[place] = 0;
        }
    });
    std::int32_t number = 0;
    for (std::size_t place = 0; place < size; ++place) {
        if (table[place] == 0) table[place] = number++;
    }
    return table;
}

Buffer<std::int64_t> look_up(std::span<const std::int64_t> values, std::int64_t low,
                             std::span<const std::int32_t> table, const Poll& poll) {
    Buffer<std::int64_t> out(values.size());
    for_blocks(values.size(), poll, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t place = place_of(values[i], low);
            out[i] = place < table.size() ? table[place] : -1;
        }
    });
    return out;
}

}  // namespace pingce
