#include "lists.h"

#include <utility>

#include "list_parts.h"
#include "list_work.h"

namespace pingce {
namespace {

// What a part (a run of neighbouring queries) holds of one run.
struct RunPart {
    std::vector<std::size_t> sizes;  // of the list of each query
    std::vector<std::uint32_t> row, number;
};

struct Part {
    std::size_t first_query = 0, end_query = 0;
    std::vector<std::size_t> sizes;  // items of each query
    std::vector<std::int64_t> member;
    std::vector<RunPart> runs;
    std::vector<ListFaults> faults;
};

// Takes what a query has.
template <class Ids>
void keep(Part& part, const ListWork<Ids>& work) {
    part.sizes.push_back(work.items().size());
    part.member.insert(part.member.end(), work.member().begin(), work.member().end());
    for (std::size_t run = 0; run < part.runs.size(); ++run) {
        part.runs[run].sizes.push_back(work.list(run).size());
        for (const auto& row : work.list(run)) {
            part.runs[run].row.push_back(row.row);
            part.runs[run].number.push_back(row.number);
        }
    }
}

void store(AlignedRun& out, const Part& part, std::size_t run, const Buffer<std::int64_t>& items) {
    const RunPart& lists = part.runs[run];
    for (std::size_t q = part.first_query, from = 0; q < part.end_query; ++q) {
        const auto to = static_cast<std::size_t>(out.begin[q]);
        const std::size_t rows = lists.sizes[q - part.first_query];
        for (std::size_t i = 0; i < rows; ++i) {
            out.row[to + i] = lists.row[from + i];
            out.place[to + i] = items[q] + lists.number[from + i];
        }
        from += rows;
    }
}

}  // namespace

std::size_t MatchedLists::rows_of(std::size_t query) const {
    std::size_t rows = 0;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        if (of[run][query] >= 0) rows += runs[run].rows_of(static_cast<std::size_t>(of[run][query]));
    }
    return rows;
}

std::size_t MatchedLists::rows() const {
    std::size_t rows = 0;
    for (const Groups& groups : runs) rows += groups.begin.back();
    return rows;
}

std::size_t MatchedLists::longest() const {
    std::size_t most = 0;
    for (const Groups& groups : runs) {
        for (std::size_t g = 0; g < groups.size(); ++g) most = std::max(most, groups.rows_of(g));
    }
    return most;
}

template <class Ids>
MatchedLists match_lists(std::span<const Ids* const> queries, std::span<const ReadEntries> read, std::size_t threads,
                         const Poll& poll) {
    struct Named {
        PackedId<Ids> name;
        std::size_t run, group;
    };
    const auto before = [](const Named& a, const Named& b) { return a.name < b.name; };
    MatchedLists out;
    std::vector<Named> names;
    for (std::size_t run = 0; run < queries.size(); ++run) {
        NamedGroups<Ids> groups = group_rows(*queries[run], read[run], threads, poll);
        const auto first = static_cast<std::ptrdiff_t>(names.size());
        for (std::size_t g = 0; g < groups.names.size(); ++g) names.push_back({groups.names[g], run, g});
        if (!groups.ascending) std::sort(names.begin() + first, names.end(), before);
        std::inplace_merge(names.begin(), names.begin() + first, names.end(), before);  // the earlier run stays first
        out.runs.push_back(std::move(groups.groups));
    }
    std::vector<std::size_t> query_of;
    std::vector<std::int64_t> offset(queries.size(), 0);
    for (std::size_t run = 1; run < queries.size(); ++run)
        offset[run] = offset[run - 1] + static_cast<std::int64_t>(queries[run - 1]->size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto row = static_cast<std::int64_t>(out.runs[names[i].run].row(names[i].group, 0));
        if (i == 0 || !same(names[i].name, names[i - 1].name)) out.query_rows.push_back(offset[names[i].run] + row);
        query_of.push_back(out.query_rows.size() - 1);
    }
    out.of.assign(queries.size(), std::vector<std::int64_t>(out.queries(), -1));
    for (std::size_t i = 0; i < names.size(); ++i)
        out.of[names[i].run][query_of[i]] = static_cast<std::int64_t>(names[i].group);
    return out;
}

template <class Ids>
AlignedLists align_lists(const MatchedLists& matched, const ListColumns<Ids>& columns, const ListPolicies& policies,
                         std::size_t threads, const Poll& poll) {
    const std::size_t runs = matched.runs.size(), queries = matched.queries();
    std::vector<Part> parts = split_queries<Part>(queries, threads);
    const auto examine = [&](std::size_t p) {
        auto& work = of_thread<ListWork<Ids>>();
        Part& part = parts[p];
        part.faults.resize(runs);
        part.runs.resize(runs);
        for (std::size_t q = part.first_query; q < part.end_query; ++q) {
            work.examine(matched, q, columns, policies, part.faults);
            keep(part, work);
        }
    };
    run_parallel(parts.size(), threads, examine, poll);
    const std::vector<ListFaults> faults = faults_of(parts, runs);
    AlignedLists out{.begin = offsets(parts, queries, [](const Part& part) -> const auto& { return part.sizes; }),
                     .member = {},
                     .runs = {}};
    out.member = Buffer<std::int64_t>(static_cast<std::size_t>(out.begin[queries]));
    for (std::size_t run = 0; run < runs; ++run) {
        const auto sizes = [run](const Part& part) -> const auto& { return part.runs[run].sizes; };
        AlignedRun lists{.begin = offsets(parts, queries, sizes), .row = {}, .place = {}, .faults = faults[run]};
        lists.row = Buffer<std::int64_t>(static_cast<std::size_t>(lists.begin[queries]));
        lists.place = Buffer<std::int64_t>(lists.row.size());
        out.runs.push_back(std::move(lists));
    }
    const auto write = [&](std::size_t p) {
        const Part& part = parts[p];
        std::copy(part.member.begin(), part.member.end(), out.member.data() + out.begin[part.first_query]);
        for (std::size_t run = 0; run < runs; ++run) store(out.runs[run], part, run, out.begin);
    };
    run_parallel(parts.size(), threads, write, poll);
    return out;
}

template MatchedLists match_lists(std::span<const StringIds* const>, std::span<const ReadEntries>, std::size_t,
                                  const Poll&);
template MatchedLists match_lists(std::span<const IntIds* const>, std::span<const ReadEntries>, std::size_t,
                                  const Poll&);
template AlignedLists align_lists(const MatchedLists&, const ListColumns<StringIds>&, const ListPolicies&, std::size_t,
                                  const Poll&);
template AlignedLists align_lists(const MatchedLists&, const ListColumns<IntIds>&, const ListPolicies&, std::size_t,
                                  const Poll&);
}  // namespace pingce
