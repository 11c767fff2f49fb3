#include "lists.h"

#include <numeric>

#include "list_work.h"

namespace pingce {
namespace {

// What a part (a run of neighbouring queries) holds of one run.
struct RunPart {
    std::vector<std::size_t> sizes;  // of the list of each query
    std::vector<std::uint32_t> row, slot;
};

struct Part {
    std::size_t first_query = 0, end_query = 0;
    std::vector<std::size_t> sizes;  // items of each query
    std::vector<std::int64_t> member;
    std::vector<double> score;
    std::vector<RunPart> runs;
    std::vector<ListFaults> faults;
};

void add(ListFaults& to, const ListFaults& faults) {
    keep_earlier(to.duplicate, faults.duplicate);
    keep_earlier(to.nan_row, faults.nan_row);
    keep_earlier(to.long_query, faults.long_query);
    to.repeats += faults.repeats;
    to.nan_rows += faults.nan_rows;
}

std::vector<ListFaults> faults_of(const std::vector<Part>& parts, std::size_t runs) {
    std::vector<ListFaults> out(runs);
    for (const Part& part : parts) {
        for (std::size_t run = 0; run < runs; ++run) add(out[run], part.faults[run]);
    }
    return out;
}

// Where the list of each query begins, in the order of parts.
template <class SizesOf>
Buffer<std::int64_t> offsets(const std::vector<Part>& parts, std::size_t queries, const SizesOf& sizes_of) {
    Buffer<std::int64_t> begin(queries + 1);
    std::int64_t at = 0;
    begin[0] = 0;
    for (const Part& part : parts) {
        for (std::size_t i = 0; i < sizes_of(part).size(); ++i) {
            at += static_cast<std::int64_t>(sizes_of(part)[i]);
            begin[part.first_query + i + 1] = at;
        }
    }
    return begin;
}

const std::vector<std::size_t>& items_of(const Part& part) { return part.sizes; }

// Rows of all runs that a part looks at: it has no more items.
std::size_t rows_of(const MatchedLists& matched, const Part& part) {
    std::size_t rows = 0;
    for (std::size_t run = 0; run < matched.runs.size(); ++run) {
        for (std::size_t q = part.first_query; q < part.end_query; ++q) {
            const std::int64_t group = matched.of[run][q];
            if (group >= 0) rows += matched.runs[run].rows_of(static_cast<std::size_t>(group));
        }
    }
    return rows;
}

// Looks at every query; `keep(part, work)` takes what it wants of it.
template <class Ids, class Keep>
std::vector<Part> examine(const MatchedLists& matched, const ListColumns<Ids>& columns, const ListPolicies& policies,
                          std::size_t threads, const Poll& poll, const Keep& keep) {
    std::vector<Part> parts = split_queries<Part>(matched.queries(), threads);
    const auto work = [&](std::size_t p) {
        thread_local ListWork<Ids> list_work;
        Part& part = parts[p];
        part.faults.resize(matched.runs.size());
        part.runs.resize(matched.runs.size());
        part.member.reserve(rows_of(matched, part));
        for (std::size_t q = part.first_query; q < part.end_query; ++q) {
            list_work.examine(matched, q, columns, policies, part.faults);
            part.sizes.push_back(list_work.member().size());
            keep(part, list_work);
        }
    };
    run_parallel(parts.size(), threads, work, poll);
    return parts;
}

// The items of a query by their points: the highest first.
template <class Ids>
class Summer {
 public:
    void add(const ListWork<Ids>& work, const ListColumns<Ids>& columns, TieOrder ties,
             std::span<const std::span<const double>> points, Part& part) {
        total_.assign(work.member().size(), 0.0);
        for (std::size_t run = 0; run < points.size(); ++run) {
            const double* point = points[run].data();
            for (const Listed& listed : work.list(run)) total_[listed.slot] += *point++;
        }
        ranked_.resize(total_.size());
        for (std::uint32_t slot = 0; slot < total_.size(); ++slot)
            ranked_[slot] = {falling_key(total_[slot], NotANumber::last), slot, slot};
        sort_listed(std::span(ranked_), ties, [&](const Listed& at) { return id_of(work.member()[at.slot], columns); });
        for (const Listed& at : ranked_) {
            part.member.push_back(work.member()[at.slot]);
            part.score.push_back(total_[at.slot]);
        }
    }

 private:
    static typename Ids::Value id_of(std::int64_t member, const ListColumns<Ids>& columns) {
        std::size_t run = columns.offset.size() - 1;
        while (member < columns.offset[run]) --run;
        return (*columns.items[run])[static_cast<std::size_t>(member - columns.offset[run])];
    }

    std::vector<double> total_;
    std::vector<Listed> ranked_;
};

void store(AlignedRun& out, const Part& part, std::size_t run, const Buffer<std::int64_t>& items) {
    const RunPart& lists = part.runs[run];
    for (std::size_t q = part.first_query, from = 0; q < part.end_query; ++q) {
        const auto to = static_cast<std::size_t>(out.begin[q]);
        const std::size_t rows = lists.sizes[q - part.first_query];
        for (std::size_t i = 0; i < rows; ++i) {
            out.row[to + i] = lists.row[from + i];
            out.place[to + i] = items[q] + lists.slot[from + i];
        }
        from += rows;
    }
}

}  // namespace

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
    const auto keep = [&](Part& part, const ListWork<Ids>& work) {
        part.member.insert(part.member.end(), work.member().begin(), work.member().end());
        for (std::size_t run = 0; run < runs; ++run) {
            part.runs[run].sizes.push_back(work.list(run).size());
            for (const Listed& listed : work.list(run)) {
                part.runs[run].row.push_back(listed.row);
                part.runs[run].slot.push_back(listed.slot);
            }
        }
    };
    const std::vector<Part> parts = examine(matched, columns, policies, threads, poll, keep);
    const std::vector<ListFaults> faults = faults_of(parts, runs);
    AlignedLists out{.begin = offsets(parts, queries, items_of), .member = {}, .runs = {}};
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

template <class Ids>
FusedLists fuse_lists(const MatchedLists& matched, const ListColumns<Ids>& columns, const ListPolicies& policies,
                      std::span<const std::span<const double>> points, std::size_t threads, const Poll& poll) {
    const auto keep = [&](Part& part, const ListWork<Ids>& work) {
        thread_local Summer<Ids> summer;
        part.score.reserve(part.member.capacity());
        summer.add(work, columns, policies.ties, points, part);
    };
    const std::vector<Part> parts = examine(matched, columns, policies, threads, poll, keep);
    FusedLists out{.begin = offsets(parts, matched.queries(), items_of),
                   .member = {},
                   .score = {},
                   .faults = faults_of(parts, points.size())};
    out.member = Buffer<std::int64_t>(static_cast<std::size_t>(out.begin[matched.queries()]));
    out.score = Buffer<double>(out.member.size());
    const auto write = [&](std::size_t p) {
        const auto first = out.begin[parts[p].first_query];
        std::copy(parts[p].member.begin(), parts[p].member.end(), out.member.data() + first);
        std::copy(parts[p].score.begin(), parts[p].score.end(), out.score.data() + first);
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
template FusedLists fuse_lists(const MatchedLists&, const ListColumns<StringIds>&, const ListPolicies&,
                               std::span<const std::span<const double>>, std::size_t, const Poll&);
template FusedLists fuse_lists(const MatchedLists&, const ListColumns<IntIds>&, const ListPolicies&,
                               std::span<const std::span<const double>>, std::size_t, const Poll&);

}  // namespace pingce
