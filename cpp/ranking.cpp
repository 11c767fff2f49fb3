#include "ranking.h"

#include "query.h"

namespace pingce {
namespace {

constexpr std::size_t queries_per_part = 16;

// What one part (a run of neighbouring queries) found.
struct Part {
    std::vector<std::size_t> hits, judged, returned;  // sizes, one a query
    std::vector<Odd> odd;                             // one a query
    std::vector<Hit> hit;
    std::vector<double> judged_grade;
    Faults faults;
};

// Parts are merged in any order: the offender kept is the one that comes first in the data.
void keep_earlier(std::optional<RowPair>& kept, const std::optional<RowPair>& other) {
    if (other && (!kept || other->second < kept->second)) kept = other;
}

void keep_earlier(std::optional<std::size_t>& kept, const std::optional<std::size_t>& other) {
    if (other && (!kept || *other < *kept)) kept = other;
}

void add(Faults& to, const Faults& faults) {
    keep_earlier(to.truth_duplicate, faults.truth_duplicate);
    keep_earlier(to.run_duplicate, faults.run_duplicate);
    keep_earlier(to.nan_row, faults.nan_row);
    keep_earlier(to.long_query, faults.long_query);
}

void append(RankingEvidence& out, const Part& part) {
    for (std::size_t i = 0; i < part.hits.size(); ++i) {
        out.hit_begin.push_back(out.hit_begin.back() + static_cast<std::int64_t>(part.hits[i]));
        out.judged_begin.push_back(out.judged_begin.back() + static_cast<std::int64_t>(part.judged[i]));
        out.returned.push_back(static_cast<std::int64_t>(part.returned[i]));
        out.truth_repeats.push_back(part.odd[i].truth_repeats);
        out.run_repeats.push_back(part.odd[i].run_repeats);
        out.nan_rows.push_back(part.odd[i].nan_rows);
    }
    for (const Hit& hit : part.hit) {
        out.above.push_back(hit.above);
        out.block.push_back(hit.block);
        out.by_id.push_back(hit.by_id);
        out.by_order.push_back(hit.by_order);
        out.grade.push_back(hit.grade);
    }
    out.judged.insert(out.judged.end(), part.judged_grade.begin(), part.judged_grade.end());
    add(out.faults, part.faults);
}

void reserve(RankingEvidence& out, const std::vector<Part>& parts, std::size_t queries) {
    std::size_t hits = 0, judged = 0;
    for (const Part& part : parts) {
        hits += part.hit.size();
        judged += part.judged_grade.size();
    }
    out.hit_begin.reserve(queries + 1);
    out.judged_begin.reserve(queries + 1);
    out.returned.reserve(queries);
    out.above.reserve(hits);
    out.block.reserve(hits);
    out.by_id.reserve(hits);
    out.by_order.reserve(hits);
    out.grade.reserve(hits);
    out.judged.reserve(judged);
}

template <class Ids>
std::vector<std::size_t> sorted_groups(const Ids& ids, const Groups& groups) {
    std::vector<std::size_t> sorted(groups.size());
    std::iota(sorted.begin(), sorted.end(), std::size_t{0});
    std::sort(sorted.begin(), sorted.end(),
              [&](std::size_t a, std::size_t b) { return ids[groups.row(a, 0)] < ids[groups.row(b, 0)]; });
    return sorted;
}

}  // namespace

template <class Ids>
Matched match_queries(const Ids& truth, const Ids& run, std::size_t threads, const KeepGoing& keep_going) {
    Matched out{.truth = group_rows(truth, threads, keep_going),
                .run = group_rows(run, threads, keep_going),
                .query_group = {},
                .run_group = {},
                .extra_rows = {}};
    out.query_group = sorted_groups(truth, out.truth);
    out.run_group.assign(out.query_group.size(), -1);
    const auto query_row = [&](std::uint32_t q) { return out.truth.row(out.query_group[q], 0); };
    PositionTable table;
    table.reset(out.query_group.size());
    for (std::uint32_t q = 0; q < out.query_group.size(); ++q) {
        table.insert(hash_of(truth[query_row(q)]), q, [](std::uint32_t) { return false; });
    }
    for (std::size_t g = 0; g < out.run.size(); ++g) {
        const std::size_t row = out.run.row(g, 0);
        const auto id = run[row];
        const auto q = table.find(hash_of(id), [&](std::uint32_t at) { return truth[query_row(at)] == id; });
        if (q == PositionTable::none) {
            out.extra_rows.push_back(row);
        } else {
            out.run_group[q] = static_cast<std::int64_t>(g);
        }
    }
    return out;
}

template <class Ids>
bool ranking_evidence(const Matched& matched, const RankingColumns<Ids>& columns, const RankingPolicies& policies,
                      std::size_t threads, const KeepGoing& keep_going, RankingEvidence& out) {
    const std::size_t queries = matched.query_group.size();
    std::vector<Part> parts((queries + queries_per_part - 1) / queries_per_part);
    const auto work = [&](std::size_t p) {
        thread_local QueryWork<Ids> query_work;
        Part& part = parts[p];
        for (std::size_t q = p * queries_per_part; q < std::min(queries, (p + 1) * queries_per_part); ++q) {
            query_work.examine(matched, q, columns, policies, part.faults);
            part.hits.push_back(query_work.hits().size());
            part.judged.push_back(query_work.judged().size());
            part.returned.push_back(query_work.returned());
            part.odd.push_back(query_work.odd());
            part.hit.insert(part.hit.end(), query_work.hits().begin(), query_work.hits().end());
            part.judged_grade.insert(part.judged_grade.end(), query_work.judged().begin(), query_work.judged().end());
        }
    };
    if (!run_parallel(parts.size(), threads, work, keep_going)) return false;
    out.hit_begin.assign(1, 0);
    out.judged_begin.assign(1, 0);
    reserve(out, parts, queries);
    for (Part& part : parts) {
        append(out, part);
        part = Part{};
    }
    out.answered.reserve(queries);
    out.given.reserve(queries);
    for (const std::int64_t group : matched.run_group) {
        const bool answered = group >= 0;
        out.answered.push_back(answered ? 1 : 0);
        out.given.push_back(answered ? static_cast<std::int64_t>(matched.run.rows_of(static_cast<std::size_t>(group)))
                                     : 0);
    }
    return true;
}

template Matched match_queries(const StringIds&, const StringIds&, std::size_t, const KeepGoing&);
template Matched match_queries(const IntIds&, const IntIds&, std::size_t, const KeepGoing&);
template bool ranking_evidence(const Matched&, const RankingColumns<StringIds>&, const RankingPolicies&, std::size_t,
                               const KeepGoing&, RankingEvidence&);
template bool ranking_evidence(const Matched&, const RankingColumns<IntIds>&, const RankingPolicies&, std::size_t,
                               const KeepGoing&, RankingEvidence&);

}  // namespace pingce
