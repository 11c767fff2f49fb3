#include "lists.h"

#include <mutex>
#include <utility>

#include "list_work.h"

namespace pingce {
namespace {

// What a part (a run of neighbouring queries) holds of one run.
struct RunPart {
    std::vector<std::size_t> sizes;  // of the list of each query
    std::vector<std::uint32_t> row, number;
};

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
};

struct Part {
    std::size_t first_query = 0, end_query = 0, first_item = 0;
    std::vector<std::size_t> sizes;  // items of each query
    std::vector<std::int64_t> member;
    std::vector<RunPart> runs;
    ScoredItems scored;
    std::vector<ListFaults> faults;
};

void add(ListFaults& to, const ListFaults& faults) {
    add(to.first, faults.first);
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

// What every call looks at.
template <class Ids>
struct Examination {
    const MatchedLists& matched;
    const ListColumns<Ids>& columns;
    const ListPolicies& policies;

    // Looks at every query of a part; `keep(part, work)` takes what it wants of it.
    template <class Keep>
    void examine(Part& part, const Keep& keep) const {
        thread_local ListWork<Ids> storage;
        ListWork<Ids>& work = storage;
        part.faults.resize(matched.runs.size());
        part.runs.resize(matched.runs.size());
        for (std::size_t q = part.first_query; q < part.end_query; ++q) {
            work.examine(matched, q, columns, policies, part.faults);
            part.sizes.push_back(work.items().size());
            keep(part, work);
        }
    }
};

// The items of a query by their points: the highest first.
template <class Ids>
class Summer {
 public:
    void add(const ListWork<Ids>& work, TieOrder ties, std::span<const std::span<const double>> points, Part& part) {
        total_.assign(work.items().size(), 0.0);
        for (std::size_t run = 0; run < points.size(); ++run) {
            const double* point = points[run].data();
            for (const auto& row : work.list(run)) total_[row.number] += *point++;
        }
        ranked_.resize(total_.size());
        for (std::uint32_t number = 0; number < total_.size(); ++number)
            ranked_[number] = {falling(order_key(total_[number], NotANumber::last)), number, number};
        sort_listed(std::span(ranked_), ties, [&](const Listed& at) { return work.items().id(at.number); });
        ScoredItems& out = part.scored;
        out.reserve(ranked_.size());
        for (const Listed& at : ranked_) {
            out.member[out.size] = static_cast<std::uint32_t>(work.member()[at.number]);
            out.score[out.size++] = total_[at.number];
        }
    }

 private:
    std::vector<double> total_;
    std::vector<Listed> ranked_;
};

// Puts parts, finished in any order, one behind another in theirs. A part goes out while it lies in the cache, and its
// memory serves the next: fresh memory costs more than the work on it.
class FusedParts {
 public:
    FusedParts(std::vector<Part>& parts, FusedLists& out) : parts_(parts), out_(out), finished_(parts.size()) {}

    // Gives a part the memory of one that went out.
    void start(Part& part) {
        const std::lock_guard lock(mutex_);
        if (spare_.empty()) return;
        part.scored = std::move(spare_.back());
        spare_.pop_back();
    }

    // Writes a part as soon as all before it are finished, and those that waited for it.
    void finish(std::size_t p) {
        std::unique_lock lock(mutex_);
        finished_[p] = true;
        const std::size_t first = next_;
        for (; next_ < parts_.size() && finished_[next_]; ++next_) {
            parts_[next_].first_item = items_;
            items_ += parts_[next_].scored.size;
        }
        const std::size_t end = next_;
        lock.unlock();
        for (Part& part : std::span(parts_).subspan(first, end - first)) write(part);
    }

    // Items of all parts.
    [[nodiscard]] std::size_t items() const { return items_; }

 private:
    void write(Part& part) {
        ScoredItems& scored = part.scored;
        std::copy_n(scored.member.begin(), scored.size, out_.member.data() + part.first_item);
        std::copy_n(scored.score.begin(), scored.size, out_.score.data() + part.first_item);
        scored.size = 0;
        const std::lock_guard lock(mutex_);
        spare_.push_back(std::move(scored));
    }

    std::vector<Part>& parts_;
    FusedLists& out_;
    std::mutex mutex_;
    std::vector<bool> finished_;
    std::size_t next_ = 0, items_ = 0;
    std::vector<ScoredItems> spare_;
};

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
    const auto keep = [&](Part& part, const ListWork<Ids>& work) {
        part.member.insert(part.member.end(), work.member().begin(), work.member().end());
        for (std::size_t run = 0; run < runs; ++run) {
            part.runs[run].sizes.push_back(work.list(run).size());
            for (const auto& row : work.list(run)) {
                part.runs[run].row.push_back(row.row);
                part.runs[run].number.push_back(row.number);
            }
        }
    };
    const Examination<Ids> examination{matched, columns, policies};
    std::vector<Part> parts = split_queries<Part>(queries, threads);
    run_parallel(parts.size(), threads, [&](std::size_t p) { examination.examine(parts[p], keep); }, poll);
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
    const Examination<Ids> examination{matched, columns, policies};
    const auto keep = [&](Part& part, const ListWork<Ids>& work) {
        thread_local Summer<Ids> summer;
        summer.add(work, policies.ties, points, part);
    };
    FusedLists out;
    const std::size_t rows = matched.rows();  // there are no more items
    refuse_beyond_32_bits(rows);
    out.member = Buffer<std::uint32_t>(rows);
    out.score = Buffer<double>(rows);
    std::vector<Part> parts = split_queries<Part>(matched.queries(), 8 * threads);  // that a cache holds
    FusedParts fused(parts, out);
    const auto work = [&](std::size_t p) {
        fused.start(parts[p]);
        examination.examine(parts[p], keep);
        fused.finish(p);
    };
    run_parallel(parts.size(), threads, work, poll);
    out.begin = offsets(parts, matched.queries(), items_of);
    out.member.shrink(fused.items());
    out.score.shrink(fused.items());
    out.faults = faults_of(parts, points.size());
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
