// Runs fused by the points of their ranks.
#include <mutex>
#include <utility>

#include "list_parts.h"
#include "list_work.h"
#include "ordered_lists.h"

namespace pingce {
namespace {

// A run of neighbouring queries.
struct Part {
    std::size_t first_query = 0, end_query = 0, first_item = 0;
    std::vector<std::size_t> sizes;  // items of each query
    ScoredItems scored;
    std::vector<ListFaults> faults;  // of each run
};

// The items of a query by their points: the highest first.
template <class Ids>
class Summer {
 public:
    void add(const ListWork<Ids>& work, TieOrder ties, std::span<const std::span<const double>> points,
             ScoredItems& out) {
        total_.assign(work.items().size(), 0.0);
        for (std::size_t run = 0; run < points.size(); ++run) {
            const double* point = points[run].data();
            for (const auto& row : work.list(run)) total_[row.number] += *point++;
        }
        ranked_.resize(total_.size());
        for (std::uint32_t number = 0; number < total_.size(); ++number)
            ranked_[number] = {falling(order_key(total_[number], NotANumber::last)), number, number};
        sort_listed(std::span(ranked_), ties, [&](const Listed& at) { return work.items().id(at.number); });
        out.reserve(ranked_.size());
        for (const Listed& at : ranked_) out.add(static_cast<std::size_t>(work.member()[at.number]), total_[at.number]);
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

// What every part looks at.
template <class Ids>
struct Fusing {
    const MatchedLists& matched;
    const ListColumns<Ids>& columns;
    const ListPolicies& policies;
    std::span<const std::span<const double>> points;
    bool falling = OrderedLists<Ids>::takes(points, matched.longest());

    void fuse(Part& part) const {
        auto& ordered = of_thread<OrderedLists<Ids>>();
        part.faults.resize(points.size());
        for (std::size_t q = part.first_query; q < part.end_query; ++q) {
            const std::size_t before = part.scored.size;
            if (!falling || !ordered.fuse(matched, q, columns, points, policies.ties, part.scored)) fuse_any(q, part);
            part.sizes.push_back(part.scored.size - before);
        }
    }

 private:
    // A query whose lists are in any order, with rows that a policy has to decide on.
    void fuse_any(std::size_t q, Part& part) const {
        auto& work = of_thread<ListWork<Ids>>();
        auto& summer = of_thread<Summer<Ids>>();
        work.examine(matched, q, columns, policies, part.faults);
        summer.add(work, policies.ties, points, part.scored);
    }
};

}  // namespace

template <class Ids>
FusedLists fuse_lists(const MatchedLists& matched, const ListColumns<Ids>& columns, const ListPolicies& policies,
                      std::span<const std::span<const double>> points, std::size_t threads, const Poll& poll) {
    const Fusing<Ids> fusing{matched, columns, policies, points};
    FusedLists out;
    const std::size_t rows = matched.rows();  // there are no more items
    refuse_beyond_32_bits(rows);
    out.member = Buffer<std::uint32_t>(rows);
    out.score = Buffer<double>(rows);
    std::vector<Part> parts = split_queries<Part>(matched.queries(), 8 * threads);  // that a cache holds
    FusedParts fused(parts, out);
    const auto work = [&](std::size_t p) {
        fused.start(parts[p]);
        fusing.fuse(parts[p]);
        fused.finish(p);
    };
    run_parallel(parts.size(), threads, work, poll);
    out.begin = offsets(parts, matched.queries(), [](const Part& part) -> const auto& { return part.sizes; });
    out.member.shrink(fused.items());
    out.score.shrink(fused.items());
    out.faults = faults_of(parts, points.size());
    return out;
}

template FusedLists fuse_lists(const MatchedLists&, const ListColumns<StringIds>&, const ListPolicies&,
                               std::span<const std::span<const double>>, std::size_t, const Poll&);
template FusedLists fuse_lists(const MatchedLists&, const ListColumns<IntIds>&, const ListPolicies&,
                               std::span<const std::span<const double>>, std::size_t, const Poll&);

}  // namespace pingce
