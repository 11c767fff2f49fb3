// Ids by what they are, wherever they lie: hashes that mean the same on every machine, and rows found by their id.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "buffer.h"
#include "groups.h"
#include "ids.h"
#include "parallel.h"
#include "table.h"

namespace pingce {

// The finalizer of splitmix64: a permutation in which every bit depends on every other.
inline std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

// Up to eight bytes as a little-endian number, zeros above.
inline std::uint64_t little_endian(const char* from, std::size_t bytes) {
    if constexpr (std::endian::native == std::endian::little) {
        if (bytes >= 8) return detail::load<std::uint64_t>(from);
    }
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(bytes, 8); ++i) {
        word |= static_cast<std::uint64_t>(static_cast<unsigned char>(from[i])) << (8 * i);
    }
    return word;
}

// Unlike hash_of, these are part of results: pingce/inputs/ids.py has them in NumPy.
inline std::uint64_t lasting_hash(std::string_view id, std::uint64_t seed) {
    std::uint64_t state = mixed(seed ^ mixed(id.size()));
    for (std::size_t at = 0; at < id.size(); at += 8) {
        state = mixed(state ^ little_endian(id.data() + at, id.size() - at));
    }
    return state;
}

inline std::uint64_t lasting_hash(std::int64_t id, std::uint64_t seed) {
    return mixed(mixed(seed) ^ static_cast<std::uint64_t>(id));
}

// One value a row, from its id; in parallel.
template <class Out, class Ids, class Function>
Buffer<Out> each_id(const Ids& ids, std::size_t threads, const Poll& poll, const Function& function) {
    constexpr std::size_t rows_a_part = std::size_t{1} << 14;
    Buffer<Out> out(ids.size());
    const auto work = [&](std::size_t part) {
        thread_local std::vector<typename Ids::Value> values;
        const std::size_t first = part * rows_a_part;
        values.resize(std::min(ids.size() - first, rows_a_part));
        ids.read(first, values.size(), values.data());
        for (std::size_t i = 0; i < values.size(); ++i) out[first + i] = function(values[i]);
    };
    run_parallel((ids.size() + rows_a_part - 1) / rows_a_part, threads, work, poll);
    return out;
}

// Rows in order of their ids; rows with one id stay in given order.
template <class Ids>
std::vector<std::int64_t> sorted_rows(const Ids& ids) {
    std::vector<typename Ids::Value> values(ids.size());
    ids.read(0, values.size(), values.data());
    std::vector<std::int64_t> rows(values.size());
    std::iota(rows.begin(), rows.end(), std::int64_t{0});
    if (std::is_sorted(values.begin(), values.end())) return rows;
    const auto value = [&](std::int64_t row) -> const auto& { return values[static_cast<std::size_t>(row)]; };
    std::sort(rows.begin(), rows.end(),
              [&](std::int64_t a, std::int64_t b) { return value(a) < value(b) || (a < b && !(value(b) < value(a))); });
    return rows;
}

// The rows of a column by their id. The memory of the column must outlive the index.
template <class Ids>
class IdIndex {
 public:
    IdIndex(const Ids& ids, std::size_t threads, const Poll& poll) {
        NamedGroups<Ids> found = group_rows(ids, threads, poll);
        groups_ = std::move(found.groups);
        names_ = std::move(found.names);
        table_.reset(names_.size());
        for (std::uint32_t group = 0; group < names_.size(); ++group) {
            table_.insert(hash_of(names_[group]), group, [](std::uint32_t) { return false; });
        }
    }

    // Group g holds the rows rows()[begin[g] .. begin[g+1]), in given order.
    [[nodiscard]] const Groups& groups() const { return groups_; }

    // The group that an id has in the index, -1 where it has none.
    [[nodiscard]] std::int64_t find(const typename Ids::Value& id) const {
        const PackedId<Ids> packed = pack(id);
        const auto at = table_.find(hash_of(packed), [&](std::uint32_t group) { return same(names_[group], packed); });
        return at == PositionTable::none ? -1 : std::int64_t{at};
    }

 private:
    Groups groups_;
    std::vector<PackedId<Ids>> names_;
    PositionTable table_;
};

}  // namespace pingce
