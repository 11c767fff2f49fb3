// Rows dealt into buckets by ranges of their keys, so that each bucket fits into the cache and they can be worked on
// side by side. Where the borders lie changes no result.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "buffer.h"
#include "parallel.h"
#include "parts.h"

namespace pingce {

// Into how many ranges rows are dealt: one should fit into the cache, and their number must fit into 16 bits, twice
// over.
inline std::size_t ranges_of(std::size_t rows) {
    constexpr std::size_t rows_a_range = std::size_t{1} << 15, most = 1024;
    return std::min(std::bit_ceil(rows / rows_a_range + 1), most);
}

// Keys of rows that stand for all.
template <class Key, class KeyOfRow>
std::vector<Key> sample_keys(std::size_t rows, std::size_t ranges, const KeyOfRow& key_of_row) {
    constexpr std::size_t keys_a_range = 32;
    if (ranges < 2) return {};
    std::vector<Key> keys(ranges * keys_a_range);
    const std::size_t step = rows / keys.size();
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = key_of_row(i * step);
    return keys;
}

// Borders between ranges of keys that hold about as many rows each, by a sample of the keys.
template <class Key>
class Borders {
 public:
    Borders(std::vector<Key> sample, std::size_t ranges) : ranges_(ranges) {
        if (ranges < 2 || sample.empty()) return;
        std::sort(sample.begin(), sample.end());
        lowest_ = sample.front();
        span_ = sample.back() - lowest_;
        const auto width = static_cast<unsigned>(std::bit_width(span_));
        shift_ = width > cell_bits ? width - cell_bits : 0;
        range_of_.resize(static_cast<std::size_t>(span_ >> shift_) + 1);
        std::size_t below = 0, most = 0;
        for (std::size_t cell = 0; cell < range_of_.size(); ++cell) {
            range_of_[cell] = static_cast<std::uint16_t>(below * ranges / sample.size());
            const std::size_t first = below;
            while (below < sample.size() && static_cast<std::size_t>((sample[below] - lowest_) >> shift_) == cell)
                ++below;
            most = std::max(most, below - first);
        }
        if (most * ranges <= uneven * sample.size()) return;
        range_of_.clear();
        for (std::size_t range = 1; range < ranges; ++range) firsts_.push_back(sample[range * sample.size() / ranges]);
    }

    // Calls action with a function that says the range of a key: a greater key is in the same or a later one.
    template <class Action>
    void with_ranges(const Action& action) const {
        if (ranges_ < 2 || (range_of_.empty() && firsts_.empty())) return action([](Key) { return std::size_t{0}; });
        if (firsts_.empty()) return action([this](Key key) { return by_cell(key); });
        action([this](Key key) { return by_search(key); });
    }

 private:
    static constexpr unsigned cell_bits = 13;
    static constexpr std::size_t uneven = 4;

    [[nodiscard]] std::size_t by_cell(Key key) const {
        const Key above = key < lowest_ ? Key{0} : std::min<Key>(key - lowest_, span_);
        return range_of_[static_cast<std::size_t>(above >> shift_)];
    }

    // Without a branch: which half a key is in is random.
    [[nodiscard]] std::size_t by_search(Key key) const {
        std::size_t at = 0;
        for (std::size_t rest = firsts_.size(); rest > 0;) {
            const std::size_t half = rest - rest / 2;
            at += key >= firsts_[at + half - 1] ? half : 0;
            rest -= half;
        }
        return at;
    }

    std::size_t ranges_;
    Key lowest_ = 0, span_ = 0;
    unsigned shift_ = 0;
    std::vector<std::uint16_t> range_of_;
    std::vector<Key> firsts_;
};

// Where parts of equal size begin, and where the last one ends.
inline std::vector<std::size_t> part_starts(std::size_t rows) {
    std::vector<std::size_t> starts(parts_of(rows) + 1, rows);
    for (std::size_t part = 0; part + 1 < starts.size(); ++part) starts[part] = part * part_rows;
    return starts;
}

// Items in buckets. Every part of the rows has its own stretch, so that it is written while it lies in the cache.
template <class Item>
class Dealt {
 public:
    Dealt(std::size_t rows, std::size_t buckets) : Dealt(part_starts(rows), buckets) {}
    // `starts` is where each part begins, none of them longer than part_rows, and at the end the number of rows.
    Dealt(std::vector<std::size_t>&& starts, std::size_t buckets)
        : buckets_(buckets),
          starts_(std::move(starts)),
          items_(starts_.back()),
          begin_((starts_.size() - 1) * (buckets + 1)) {}

    [[nodiscard]] std::size_t parts() const { return starts_.size() - 1; }
    [[nodiscard]] std::size_t start(std::size_t part) const { return starts_[part]; }

    // Deals the rows of a part: place(row) is its bucket, or `buckets` for a row that is none; item(row) what is kept.
    template <class Place, class Make>
    void deal(std::size_t part, const Place& place, const Make& item) {
        const std::size_t first = starts_[part], size = starts_[part + 1] - first;
        thread_local std::vector<std::uint16_t> places_here;
        thread_local std::vector<std::uint32_t> ends_here;
        places_here.resize(size);
        ends_here.assign(buckets_ + 2, 0);
        std::uint16_t* const places = places_here.data();
        std::uint32_t* const ends = ends_here.data();
        for (std::size_t i = 0; i < size; ++i) {
            const std::size_t bucket = place(first + i);
            places[i] = static_cast<std::uint16_t>(bucket);
            ++ends[bucket + 1];
        }
        for (std::size_t bucket = 0; bucket < buckets_; ++bucket) ends[bucket + 1] += ends[bucket];
        std::copy_n(ends, buckets_ + 1, begin_.data() + part * (buckets_ + 1));
        Item* const out = items_.data() + first;
        for (std::size_t i = 0; i < size; ++i) {
            if (places[i] < buckets_) out[ends[places[i]]++] = item(first + i);
        }
    }

    // Calls action with each stretch of a bucket.
    template <class Action>
    void for_each_stretch(std::size_t bucket, const Action& action) {
        for (std::size_t part = 0; part < parts(); ++part) {
            const std::uint32_t* begin = begin_.data() + part * (buckets_ + 1) + bucket;
            action(std::span<const Item>(items_.data() + starts_[part] + begin[0], begin[1] - begin[0]));
        }
    }

    // Where the buckets of a part begin, and the last one ends.
    [[nodiscard]] std::span<const std::uint32_t> borders(std::size_t part) const {
        return {begin_.data() + part * (buckets_ + 1), buckets_ + 1};
    }

    [[nodiscard]] std::size_t size(std::size_t bucket) {
        std::size_t sum = 0;
        for_each_stretch(bucket, [&](std::span<const Item> items) { sum += items.size(); });
        return sum;
    }

    void copy(std::size_t bucket, Item* to) {
        for_each_stretch(bucket, [&](std::span<const Item> items) { to = std::copy(items.begin(), items.end(), to); });
    }

    // Puts as many items as a bucket has in the place of its own.
    void replace(std::size_t bucket, const Item* from) {
        for (std::size_t part = 0; part < parts(); ++part) {
            const std::uint32_t* begin = begin_.data() + part * (buckets_ + 1) + bucket;
            std::copy_n(from, begin[1] - begin[0], items_.data() + starts_[part] + begin[0]);
            from += begin[1] - begin[0];
        }
    }

 private:
    std::size_t buckets_;
    std::vector<std::size_t> starts_;
    Buffer<Item> items_;
    std::vector<std::uint32_t> begin_;
};

// Rows dealt by ranges of their keys: each range, and where it begins among all.
template <class Item>
struct Ranges {
    Dealt<Item> dealt;
    std::vector<std::size_t> begin;

    [[nodiscard]] std::size_t count() const { return begin.size() - 1; }
    [[nodiscard]] std::size_t size(std::size_t range) const { return begin[range + 1] - begin[range]; }
};

template <class Item, class KeyOfRow, class Make>
Ranges<Item> deal_by_keys(std::size_t rows, const KeyOfRow& key_of_row, const Make& item, std::size_t threads,
                          const Poll& poll) {
    using Key = decltype(key_of_row(std::size_t{0}));
    const std::size_t count = ranges_of(rows);
    const Borders<Key> borders(sample_keys<Key>(rows, count, key_of_row), count);
    Ranges<Item> out{Dealt<Item>(rows, count), std::vector<std::size_t>(count + 1, 0)};
    borders.with_ranges([&](const auto& range_of) {
        const auto place = [&](std::size_t row) { return range_of(key_of_row(row)); };
        run_parallel(parts_of(rows), threads, [&](std::size_t part) { out.dealt.deal(part, place, item); }, poll);
    });
    for (std::size_t range = 0; range < count; ++range) out.begin[range + 1] = out.begin[range] + out.dealt.size(range);
    return out;
}

}  // namespace pingce
