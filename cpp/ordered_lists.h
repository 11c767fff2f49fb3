// One query of several runs that give its lists by falling score, as nearly all do: fused without a sort of all items.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "list_work.h"
#include "lists.h"

namespace pingce {

// Items with their scores. Its memory is larger than what it holds: it is used again and again.
struct ScoredItems {
    std::vector<std::uint32_t> member;
    std::vector<double> score;
    std::size_t size = 0;

    void reserve(std::size_t more) {
        if (size + more <= member.size()) return;
        member.resize(2 * (size + more));
        score.resize(2 * (size + more));
    }
    void add(std::size_t row, double points) {
        member[size] = static_cast<std::uint32_t>(row);
        score[size++] = points;
    }
};

// Items that one run alone has stand in order already, as its points fall from rank to rank; only those of several runs
// are sorted, and then all are merged.
template <class Ids>
class OrderedLists {
 public:
    using Points = std::span<const std::span<const double>>;

    // Whether the points of each run fall from rank to rank.
    static bool takes(Points points, std::size_t longest) {
        return std::all_of(points.begin(), points.end(),
                           [&](std::span<const double> table) { return falls(table.data(), longest); });
    }

    // Adds the items of a query, the highest sum of points first. False, and nothing added, where a list is not given
    // by falling score, has an item twice, or is long: then it takes more to fuse it.
    bool fuse(const MatchedLists& matched, std::size_t q, const ListColumns<Ids>& columns, Points points, TieOrder ties,
              ScoredItems& out) {
        const std::size_t rows = matched.rows_of(q);
        if (rows > most_rows) return false;
        start(rows);
        for (std::size_t run = 0; run < points.size(); ++run) {
            const std::int64_t group = matched.of[run][q];
            if (group >= 0 &&
                !add(matched.runs[run], static_cast<std::size_t>(group), run, columns, points[run].data(), ties))
                return false;
            ends_.push_back(size_);
        }
        out.reserve(size_);
        put_in_order(ties, out);
        return true;
    }

 private:
    using Id = typename Ids::Value;
    static constexpr std::size_t most_rows = 0xffff;  // a slot has 16 bits for an item and 16 of its hash
    struct Item {
        double score = 0;
        std::uint32_t member = 0;
        std::uint32_t run = 0;  // the last that has it, or above it `several`
    };
    // A list of a run.
    struct ListRows {
        const Ids& items;
        std::size_t first, rows;
        std::uint32_t offset, run;

        [[nodiscard]] Item item(std::size_t at, double points) const {
            return {points, static_cast<std::uint32_t>(offset + first + at), run};
        }
    };
    struct Scored {
        double score = 0;
        std::uint32_t number = 0;
    };
    static constexpr std::uint32_t several = 1U << 31;

    // Whether each value stands before the next; not a number stands nowhere.
    template <class Before>
    static bool in_order(const double* values, std::size_t size, const Before& before) {
        std::size_t wrong = size > 0 && std::isnan(values[0]) ? 1 : 0;
        for (std::size_t i = 1; i < size; ++i) wrong += before(values[i - 1], values[i]) ? 0U : 1U;
        return wrong == 0;
    }
    static bool falls(const double* values, std::size_t size) { return in_order(values, size, std::greater<>()); }
    static bool never_rises(const double* values, std::size_t size) {
        return in_order(values, size, std::greater_equal<>());
    }

    void start(std::size_t rows) {
        const std::size_t slots = std::bit_ceil(4 * rows + 2);
        slots_.assign(slots, 0);
        mask_ = slots - 1;
        items_.resize(std::max(items_.size(), rows));
        ids_.resize(items_.size());
        shared_.clear();
        ends_.clear();
        size_ = 0;
    }

    bool add(const Groups& groups, std::size_t group, std::size_t run, const ListColumns<Ids>& columns,
             const double* points, TieOrder ties) {
        const std::size_t first = groups.begin[group], rows = groups.rows_of(group);
        const double* scores = columns.scores[run] + first;
        if (!groups.untouched()) return false;
        const bool has_equals = !falls(scores, rows);
        if (has_equals && !never_rises(scores, rows)) return false;
        const ListRows list{*columns.items[run], first, rows, static_cast<std::uint32_t>(columns.offset[run]),
                            static_cast<std::uint32_t>(run)};
        if (!has_equals || ties == TieOrder::order) return add_as_given(list, points);
        listed_.resize(std::max(listed_.size(), rows));
        list.items.read(first, rows, listed_.data());
        order_.resize(rows);
        for (std::uint32_t at = 0; at < rows; ++at)
            order_[at] = {falling(order_key(scores[at], NotANumber::last)), at, at};
        sort_listed(std::span(order_), ties, [&](const Listed& listed) { return listed_[listed.row]; });
        for (std::size_t rank = 0; rank < rows; ++rank) {
            const std::uint32_t at = order_[rank].row;
            if (!meet(listed_[at], list.item(at, points[rank]))) return false;
        }
        return true;
    }

    bool add_as_given(const ListRows& list, const double* points) {
        constexpr std::size_t rows_a_block = 256;
        Id ids[rows_a_block];
        for (std::size_t block = 0; block < list.rows; block += rows_a_block) {
            const std::size_t here = std::min(rows_a_block, list.rows - block);
            list.items.read(list.first + block, here, ids);
            for (std::size_t i = 0; i < here; ++i) {
                if (!meet(ids[i], list.item(block + i, points[block + i]))) return false;
            }
        }
        return true;
    }

    // False where the run has the item already.
    bool meet(const Id& id, const Item& item) {
        const std::uint64_t hash = hash_of(id);
        const auto tag = static_cast<std::uint32_t>(hash >> 48) << 16;
        for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
            const std::uint32_t slot = slots_[at];
            if (slot == 0) {
                ids_[size_] = id;
                items_[size_++] = item;
                slots_[at] = tag | size_;
                return true;
            }
            const std::uint32_t number = (slot & 0xffffU) - 1;
            if ((slot ^ tag) <= 0xffffU && same(ids_[number], id)) return meet_again(number, item);
        }
    }

    bool meet_again(std::uint32_t number, const Item& item) {
        Item& held = items_[number];
        if ((held.run & ~several) == item.run) return false;
        if ((held.run & several) == 0) shared_.push_back({.key = 0, .row = number, .number = number});
        held.score += item.score;
        held.run = item.run | several;
        return true;
    }

    void put_in_order(TieOrder ties, ScoredItems& out) {
        const auto ahead = [&](std::uint32_t a, std::uint32_t b) {
            if (ties == TieOrder::order) return a < b;
            return ties == TieOrder::id ? ids_[b] < ids_[a] : ids_[a] < ids_[b];
        };
        for (auto* room : {&lone_, &list_, &spare_}) room->resize(std::max<std::size_t>(room->size(), size_));
        std::size_t lone = 0;
        for (std::uint32_t run = 0, first = 0; run < ends_.size(); first = ends_[run++]) {
            const std::span<const Scored> here(list_.data(), gather(first, ends_[run]));
            Scored* to = spare_.data();
            merge({lone_.data(), lone}, here, ahead, [&](const Scored& scored) { *to++ = scored; });
            lone += here.size();
            std::swap(lone_, spare_);
        }
        sort_shared(ties);
        for (std::size_t i = 0; i < shared_.size(); ++i)
            list_[i] = {items_[shared_[i].number].score, shared_[i].number};
        merge({lone_.data(), lone}, {list_.data(), shared_.size()}, ahead,
              [&](const Scored& scored) { out.add(items_[scored.number].member, scored.score); });
    }

    // Takes the items that a run brought and no other has; says how many.
    std::size_t gather(std::uint32_t first, std::uint32_t end) {
        std::size_t size = 0;
        for (std::uint32_t number = first; number < end; ++number) {
            list_[size] = {items_[number].score, number};
            size += (items_[number].run & several) == 0 ? 1U : 0U;
        }
        return size;
    }

    void sort_shared(TieOrder ties) {
        for (Listed& listed : shared_) listed.key = falling(order_key(items_[listed.number].score, NotANumber::last));
        sort_listed(std::span(shared_), ties, [&](const Listed& listed) { return ids_[listed.number]; });
    }

    // Without a branch that nobody could predict: which list has the higher score is random.
    template <class Ahead, class Put>
    static void merge(std::span<const Scored> left, std::span<const Scored> right, const Ahead& ahead, const Put& put) {
        const Scored *l = left.data(), *r = right.data();
        const Scored *const left_end = l + left.size(), *const right_end = r + right.size();
        while (l != left_end && r != right_end) {
            bool take_right = r->score > l->score;
            if (r->score == l->score) take_right = ahead(r->number, l->number);
            const Scored* const next = take_right ? r : l;
            put(*next);
            r += take_right ? 1 : 0;
            l += take_right ? 0 : 1;
        }
        for (; l != left_end; ++l) put(*l);
        for (; r != right_end; ++r) put(*r);
    }

    std::vector<std::uint32_t>
        slots_;  // by hash: 16 more bits of it, and 1 + the number of the item; 0 where there is none
    std::size_t mask_ = 0;
    std::vector<Item> items_;    // in the order in which lists bring them
    std::vector<Id> ids_;        // of these
    std::vector<Id> listed_;     // ids of one list, as given
    std::vector<Listed> order_;  // of its rows
    std::uint32_t size_ = 0;
    std::vector<std::uint32_t> ends_;  // of the items that each run brought
    std::vector<Listed> shared_;
    std::vector<Scored> lone_, list_, spare_;
};

}  // namespace pingce
