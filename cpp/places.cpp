#include "places.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "list.h"
#include "queries.h"

namespace pingce {
namespace {

struct Ranked {
    std::uint32_t place = 0;  // in the list, as given
    std::int32_t above = 0, block = 1, by_id = 0, by_order = 0;
};

// Ranks the head of a list.
class Ranker {
 public:
    template <class IdAt>
    std::span<const Ranked> rank(const std::vector<std::int64_t>& keys, std::size_t depth, const IdAt& id_at) {
        choose(keys, depth);
        const auto before = [&](const Ranked& a, const Ranked& b) {
            return keys[a.place] != keys[b.place] ? keys[a.place] > keys[b.place] : a.place < b.place;
        };
        if (!std::is_sorted(head_.begin(), head_.end(), before)) std::sort(head_.begin(), head_.end(), before);
        for (std::size_t begin = 0, end = 0; begin < head_.size(); begin = end) {
            for (end = begin + 1; end < head_.size() && keys[head_[end].place] == keys[head_[begin].place];) ++end;
            place_in_block(std::span(head_).subspan(begin, end - begin), static_cast<std::int32_t>(begin), id_at);
        }
        return head_;
    }

 private:
    // All rows that reach the key of the last place.
    void choose(const std::vector<std::int64_t>& keys, std::size_t depth) {
        head_.clear();
        std::int64_t least = std::numeric_limits<std::int64_t>::min();
        if (depth < keys.size()) {
            sorted_ = keys;
            const auto last = sorted_.begin() + static_cast<std::ptrdiff_t>(depth) - 1;
            std::nth_element(sorted_.begin(), last, sorted_.end(), std::greater<>());
            least = *last;
        }
        for (std::uint32_t place = 0; place < keys.size(); ++place) {
            if (keys[place] >= least) head_.push_back({.place = place});
        }
    }

    template <class IdAt>
    static void place_in_block(std::span<Ranked> block, std::int32_t above, const IdAt& id_at) {
        for (std::int32_t i = 0; Ranked& row : block) {
            row.above = above;
            row.block = static_cast<std::int32_t>(block.size());
            row.by_order = i++;
        }
        if (block.size() < 2) return;
        std::sort(block.begin(), block.end(),
                  [&](const Ranked& a, const Ranked& b) { return id_at(b.place) < id_at(a.place); });
        for (std::int32_t i = 0; Ranked& row : block) row.by_id = i++;
    }

    std::vector<Ranked> head_;
    std::vector<std::int64_t> sorted_;
};

// What neighbouring lists have at their places.
struct Part {
    std::size_t first_query = 0, end_query = 0, first_place = 0;
    std::vector<Ranked> places;
    std::vector<std::size_t> rows;  // of the run
    Faults faults;
};

Places room_for(std::size_t lists) {
    Places out;
    out.begin = Buffer<std::int64_t>(lists + 1);
    out.begin[0] = 0;
    for (auto* column : {&out.first_row, &out.returned, &out.given, &out.run_repeats, &out.nan_rows, &out.excluded})
        *column = Buffer<std::int64_t>(lists);
    return out;
}

// Where each part's places begin; room for all.
void reserve_places(Places& out, std::vector<Part>& parts) {
    std::size_t places = 0;
    for (Part& part : parts) {
        part.first_place = places;
        places += part.places.size();
        add(out.faults, part.faults);
        for (std::size_t l = part.first_query; l < part.end_query; ++l)
            out.begin[l + 1] += static_cast<std::int64_t>(part.first_place);
    }
    out.row = Buffer<std::int64_t>(places);
    for (auto* column : {&out.above, &out.block, &out.by_id, &out.by_order}) *column = Buffer<std::int32_t>(places);
}

void store(Places& out, const Part& part) {
    for (std::size_t i = 0; i < part.places.size(); ++i) {
        const std::size_t at = part.first_place + i;
        out.row[at] = static_cast<std::int64_t>(part.rows[i]);
        out.above[at] = part.places[i].above;
        out.block[at] = part.places[i].block;
        out.by_id[at] = part.places[i].by_id;
        out.by_order[at] = part.places[i].by_order;
    }
}

}  // namespace

template <class Ids>
Lists match_lists(const Ids& run, const Ids* excluded, const EntryReaders& read, std::size_t threads,
                  const Poll& poll) {
    Lists out;
    NamedGroups<Ids> given = group_rows(run, read.run, threads, poll);
    Queries<Ids> queries(given);
    out.groups = std::move(given.groups);
    out.order = queries.order();
    if (excluded != nullptr) out.excluded = queries.answered_by(group_rows(*excluded, read.excluded, threads, poll));
    return out;
}

template <class Ids>
Places list_places(const Lists& lists, const RankingColumns<Ids>& columns, const RankingPolicies& policies,
                   std::size_t depth, std::size_t threads, const Poll& poll) {
    Places out = room_for(lists.order.size());
    std::vector<Part> parts = split_queries<Part>(lists.order.size(), threads);
    const auto work = [&](std::size_t p) {
        thread_local List<Ids> list;
        thread_local Ranker ranker;
        Part& part = parts[p];
        for (std::size_t l = part.first_query; l < part.end_query; ++l) {
            const std::size_t group = lists.order[l];
            list.read(lists.groups, group, lists.excluded, l, columns, policies, part.faults);
            const auto id_at = [&](std::uint32_t place) { return columns.run_items[list.rows[place].row]; };
            for (const Ranked& place : ranker.rank(list.keys, depth, id_at)) {
                part.places.push_back(place);
                part.rows.push_back(list.rows[place.place].row);
            }
            out.begin[l + 1] = static_cast<std::int64_t>(part.places.size());
            out.first_row[l] = static_cast<std::int64_t>(lists.groups.row(group, 0));
            out.returned[l] = static_cast<std::int64_t>(list.rows.size());
            out.given[l] = static_cast<std::int64_t>(lists.groups.rows_of(group));
            out.run_repeats[l] = list.odd.run_repeats;
            out.nan_rows[l] = list.odd.nan_rows;
            out.excluded[l] = list.odd.excluded;
        }
    };
    run_parallel(parts.size(), threads, work, poll);
    reserve_places(out, parts);
    run_parallel(parts.size(), threads, [&](std::size_t p) { store(out, parts[p]); }, poll);
    return out;
}

template Lists match_lists(const StringIds&, const StringIds*, const EntryReaders&, std::size_t, const Poll&);
template Lists match_lists(const IntIds&, const IntIds*, const EntryReaders&, std::size_t, const Poll&);
template Places list_places(const Lists&, const RankingColumns<StringIds>&, const RankingPolicies&, std::size_t,
                            std::size_t, const Poll&);
template Places list_places(const Lists&, const RankingColumns<IntIds>&, const RankingPolicies&, std::size_t,
                            std::size_t, const Poll&);

}  // namespace pingce
