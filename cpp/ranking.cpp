#include "ranking.h"

#include "queries.h"
#include "query.h"

namespace pingce {
namespace {

// What one part (a run of neighbouring queries) found.
struct Part {
    std::size_t first_query = 0, end_query = 0, first_hit = 0, first_judged = 0;
    std::vector<std::size_t> hits, judged, returned;  // sizes, one a query
    std::vector<Odd> odd;                             // one a query
    std::vector<Hit> hit;
    std::vector<double> judged_grade;
    HeadPart heads;
    Faults faults;
};

// Room for what all parts found, and where in it each part begins.
void reserve(RankingEvidence& out, std::vector<Part>& parts, std::size_t queries) {
    std::size_t hits = 0, judged = 0;
    for (Part& part : parts) {
        part.first_hit = hits;
        part.first_judged = judged;
        hits += part.hit.size();
        judged += part.judged_grade.size();
        add(out.faults, part.faults);
    }
    for (auto* column : {&out.hit_begin, &out.judged_begin}) {
        *column = Buffer<std::int64_t>(queries + 1);
        (*column)[0] = 0;
    }
    for (auto* column : {&out.returned, &out.given, &out.truth_repeats, &out.run_repeats, &out.nan_rows, &out.excluded})
        *column = Buffer<std::int64_t>(queries);
    for (auto* column : {&out.above, &out.block, &out.by_id, &out.by_order}) *column = Buffer<std::int32_t>(hits);
    out.answered = Buffer<std::uint8_t>(queries);
    out.grade = Buffer<double>(hits);
    out.judged = Buffer<double>(judged);
}

void store(RankingEvidence& out, const Part& part, const Answers& run) {
    auto hit = static_cast<std::int64_t>(part.first_hit), judged = static_cast<std::int64_t>(part.first_judged);
    for (std::size_t q = part.first_query; q < part.end_query; ++q) {
        const std::size_t i = q - part.first_query;
        hit += static_cast<std::int64_t>(part.hits[i]);
        judged += static_cast<std::int64_t>(part.judged[i]);
        out.hit_begin[q + 1] = hit;
        out.judged_begin[q + 1] = judged;
        out.returned[q] = static_cast<std::int64_t>(part.returned[i]);
        out.truth_repeats[q] = part.odd[i].truth_repeats;
        out.run_repeats[q] = part.odd[i].run_repeats;
        out.nan_rows[q] = part.odd[i].nan_rows;
        out.excluded[q] = part.odd[i].excluded;
        const bool answered = run.of[q] >= 0;
        out.answered[q] = answered ? 1 : 0;
        out.given[q] =
            answered ? static_cast<std::int64_t>(run.groups.rows_of(static_cast<std::size_t>(run.of[q]))) : 0;
    }
    for (std::size_t i = 0; i < part.hit.size(); ++i) {
        const std::size_t at = part.first_hit + i;
        out.above[at] = part.hit[i].above;
        out.block[at] = part.hit[i].block;
        out.by_id[at] = part.hit[i].by_id;
        out.by_order[at] = part.hit[i].by_order;
        out.grade[at] = part.hit[i].grade;
    }
    std::copy(part.judged_grade.begin(), part.judged_grade.end(), out.judged.data() + part.first_judged);
}

}  // namespace

template <class Ids>
Matched match_queries(const Ids& truth, const Ids& run, const Ids* excluded, const EntryReaders& read,
                      std::size_t threads, const Poll& poll) {
    Matched out;
    NamedGroups<Ids> judged = group_rows(truth, read.truth, threads, poll);
    Queries<Ids> queries(judged);
    out.truth = std::move(judged.groups);
    out.query_group = queries.order();
    out.run = queries.answered_by(group_rows(run, read.run, threads, poll));
    if (excluded != nullptr) out.excluded = queries.answered_by(group_rows(*excluded, read.excluded, threads, poll));
    return out;
}

template <class Ids>
RankingEvidence ranking_evidence(const Matched& matched, const RankingColumns<Ids>& columns,
                                 const RankingPolicies& policies, std::size_t depth, std::size_t threads,
                                 const Poll& poll) {
    const std::size_t queries = matched.query_group.size();
    std::vector<Part> parts = split_queries<Part>(queries, threads);
    RankingEvidence out;
    if (depth > 0 && matched.run.extra_rows.empty()) out.heads.emplace(queries);
    const auto work = [&](std::size_t p) {
        auto& query_work = of_thread<QueryWork<Ids>>();
        auto& ranker = of_thread<Ranker>();
        Part& part = parts[p];
        for (std::size_t q = part.first_query; q < part.end_query; ++q) {
            query_work.examine(matched, q, columns, policies, part.faults);
            if (out.heads) out.heads->begin[q + 1] = query_work.add_head(part.heads, depth, ranker, columns);
            part.hits.push_back(query_work.hits().size());
            part.judged.push_back(query_work.judged().size());
            part.returned.push_back(query_work.returned());
            part.odd.push_back(query_work.odd());
            part.hit.insert(part.hit.end(), query_work.hits().begin(), query_work.hits().end());
            part.judged_grade.insert(part.judged_grade.end(), query_work.judged().begin(), query_work.judged().end());
        }
    };
    run_parallel(parts.size(), threads, work, poll);
    reserve(out, parts, queries);
    if (out.heads) reserve_heads(*out.heads, parts);
    const auto hand_in = [&](std::size_t p) {
        store(out, parts[p], matched.run);
        if (out.heads) store_heads(*out.heads, parts[p].heads);
    };
    run_parallel(parts.size(), threads, hand_in, poll);
    return out;
}

template Matched match_queries(const StringIds&, const StringIds&, const StringIds*, const EntryReaders&, std::size_t,
                               const Poll&);
template Matched match_queries(const IntIds&, const IntIds&, const IntIds*, const EntryReaders&, std::size_t,
                               const Poll&);
template RankingEvidence ranking_evidence(const Matched&, const RankingColumns<StringIds>&, const RankingPolicies&,
                                          std::size_t, std::size_t, const Poll&);
template RankingEvidence ranking_evidence(const Matched&, const RankingColumns<IntIds>&, const RankingPolicies&,
                                          std::size_t, std::size_t, const Poll&);

}  // namespace pingce
