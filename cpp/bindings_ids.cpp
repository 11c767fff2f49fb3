// What Python asks of id columns in any layout: hashes, order, and rows by their id.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "identity.h"
#include "python_calls.h"
#include "python_ids.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using pingce::IntPiece;
using pingce::StringPiece;
using pingce::python::check_signals;
using pingce::python::hand_over;
using pingce::python::Output;
using pingce::python::Pieces;
using pingce::python::Read;
using pingce::python::with_column;
using pingce::python::without_gil;

Output<std::uint64_t> hashes(const Pieces& pieces, std::uint64_t seed, std::size_t threads) {
    return with_column(pieces, [&](const auto& ids) {
        const auto hash = [&](const auto& id) { return pingce::lasting_hash(id, seed); };
        return hand_over(
            without_gil([&] { return pingce::each_id<std::uint64_t>(ids, threads, check_signals, hash); }));
    });
}

Output<std::int32_t> deal(const Pieces& pieces, std::uint32_t parts, std::uint64_t seed, std::size_t threads) {
    return with_column(pieces, [&](const auto& ids) {
        const auto part = [&](const auto& id) {
            return static_cast<std::int32_t>((pingce::lasting_hash(id, seed) >> 32) * parts >> 32);
        };
        return hand_over(without_gil([&] { return pingce::each_id<std::int32_t>(ids, threads, check_signals, part); }));
    });
}

Output<std::int64_t> changes(const Pieces& pieces, std::size_t threads) {
    return with_column(pieces, [&](const auto& ids) {
        return hand_over(without_gil([&] {
            const auto starts = pingce::detail::segment_starts(ids, threads, check_signals);
            return std::vector<std::int64_t>(starts.begin(), starts.end() - 1);
        }));
    });
}

Output<std::int64_t> sort_rows(const Pieces& pieces) {
    return with_column(
        pieces, [&](const auto& ids) { return hand_over(without_gil([&] { return pingce::sorted_rows(ids); })); });
}

// It keeps the pieces alive, since its ids are theirs.
class Index {
 public:
    Index(Pieces pieces, std::size_t threads) : pieces_(std::move(pieces)) {
        if (pingce::python::holds_integers(pieces_)) {
            integers_ = std::make_unique<Held<IntPiece>>(pieces_, threads);
        } else {
            strings_ = std::make_unique<Held<StringPiece>>(pieces_, threads);
        }
    }

    // Where each group begins, and the rows; no rows where they lie in order already.
    [[nodiscard]] nb::typed<nb::tuple, Output<std::int64_t>, Output<std::int64_t>> groups() const {
        const pingce::Groups& found = integers_ ? integers_->index->groups() : strings_->index->groups();
        std::vector<std::int64_t> begin(found.begin.begin(), found.begin.end());
        std::vector<std::int64_t> order(found.order.begin(), found.order.end());
        return nb::make_tuple(hand_over(std::move(begin)), hand_over(std::move(order)));
    }

    [[nodiscard]] Output<std::int64_t> find(const Pieces& pieces, std::size_t threads) const {
        if (pingce::python::holds_integers(pieces) != (integers_ != nullptr))
            throw std::invalid_argument("integer and string ids cannot be compared");
        return integers_ ? find_in(*integers_, pieces, threads) : find_in(*strings_, pieces, threads);
    }

 private:
    template <class Plain>
    struct Held {
        using Ids = pingce::Column<Plain>;

        Held(const Pieces& pieces, std::size_t threads) : read(pieces) {
            without_gil([&] { index.emplace(read.column, threads, check_signals); });
        }
        Read<Plain> read;
        std::optional<pingce::IdIndex<Ids>> index;
    };

    template <class Plain>
    static Output<std::int64_t> find_in(const Held<Plain>& held, const Pieces& pieces, std::size_t threads) {
        const Read<Plain> wanted(pieces);
        const auto find = [&](const auto& id) { return held.index->find(id); };
        return hand_over(
            without_gil([&] { return pingce::each_id<std::int64_t>(wanted.column, threads, check_signals, find); }));
    }

    Pieces pieces_;
    std::unique_ptr<Held<IntPiece>> integers_;
    std::unique_ptr<Held<StringPiece>> strings_;
};

}  // namespace

namespace pingce::python {

void define_ids(nb::module_& module) {
    module.def("hashes", &hashes, "pieces"_a, "seed"_a, "threads"_a);
    module.def("deal", &deal, "pieces"_a, "parts"_a, "seed"_a, "threads"_a);
    module.def("changes", &changes, "pieces"_a, "threads"_a);
    module.def("check_count", [](std::size_t count) { without_gil([&] { refuse_beyond_32_bits(count); }); }, "count"_a);
    module.def("sorted_rows", &sort_rows, "pieces"_a);
    nb::class_<Index>(module, "IdIndex")
        .def(nb::init<Pieces, std::size_t>(), "pieces"_a, "threads"_a)
        .def("groups", &Index::groups)
        .def("find", &Index::find, "pieces"_a, "threads"_a);
}

}  // namespace pingce::python
