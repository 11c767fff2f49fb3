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
        out.excluded.push_back(part.odd[i].excluded);
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
    std::vector<typename Ids::Value> names;
    names.reserve(groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g) names.push_back(ids[groups.row(g, 0)]);
    if (!std::is_sorted(names.begin(), names.end())) {
        std::sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
    }
    return sorted;
}

// Which group of `ids` belongs to which judged query; `query_of` finds a query by its id.
template <class Ids, class QueryOf>
Answers answers(const Ids& ids, std::size_t queries, const QueryOf& query_of, std::size_t threads,
                const KeepGoing& keep_going) {
    Answers out{.groups = group_rows(ids, threads, keep_going), .of = {}, .extra_rows = {}};
    out.of.assign(queries, -1);
    for (std::size_t g = 0; g < out.groups.size(); ++g) {
        const std::size_t row = out.groups.row(g, 0);
        const std::uint32_t q = query_of(ids[row]);
        if (q == PositionTable::none) {
            out.extra_rows.push_back(row);
        } else {
            out.of[q] = static_cast<std::int64_t>(g);
        }
    }
    return out;
}

}  // namespace

template <class Ids>
Matched match_queries(const Ids& truth, const Ids& run, const Ids* excluded, std::size_t threads,
                      const KeepGoing& keep_going) {
    Matched out{.truth = group_rows(truth, threads, keep_going), .query_group = {}, .run = {}, .excluded = {}};
    out.query_group = sorted_groups(truth, out.truth);
    const std::size_t queries = out.query_group.size();
    std::vector<typename Ids::Value> names(queries);
    PositionTable table;
    table.reset(queries);
    for (std::uint32_t q = 0; q < queries; ++q) {
        names[q] = truth[out.truth.row(out.query_group[q], 0)];
        table.insert(hash_of(names[q]), q, [](std::uint32_t) { return false; });
    }
    const auto query_of = [&](const typename Ids::Value& id) {
        return table.find(hash_of(id), [&](std::uint32_t q) { return names[q] == id; });
    };
    out.run = answers(run, queries, query_of, threads, keep_going);
    if (excluded != nullptr) out.excluded = answers(*excluded, queries, query_of, threads, keep_going);
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
    const Groups& lists = matched.run.groups;
    for (const std::int64_t group : matched.run.of) {
        out.answered.push_back(group >= 0 ? 1 : 0);
        out.given.push_back(group >= 0 ? static_cast<std::int64_t>(lists.rows_of(static_cast<std::size_t>(group))) : 0);
    }
    return true;
}

template Matched match_queries(const StringIds&, const StringIds&, const StringIds*, std::size_t, const KeepGoing&);
template Matched match_queries(const IntIds&, const IntIds&, const IntIds*, std::size_t, const KeepGoing&);
template bool ranking_evidence(const Matched&, const RankingColumns<StringIds>&, const RankingPolicies&, std::size_t,
                               const KeepGoing&, RankingEvidence&);
template bool ranking_evidence(const Matched&, const RankingColumns<IntIds>&, const RankingPolicies&, std::size_t,
                               const KeepGoing&, RankingEvidence&);

}  // namespace pingce
