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
using pingce::python::hand_over;
using pingce::python::no_signal;
using pingce::python::Read;
using pingce::python::without_gil;

template <class Action>
nb::object with_column(const nb::list& pieces, const Action& action) {
    if (pingce::python::holds_integers(pieces)) return action(Read<IntPiece>(pieces).column);
    return action(Read<StringPiece>(pieces).column);
}

nb::object hashes(const nb::list& pieces, std::uint64_t seed, std::size_t threads) {
    return with_column(pieces, [&](const auto& ids) {
        pingce::Buffer<std::uint64_t> out;
        const auto hash = [&](const auto& id) { return pingce::lasting_hash(id, seed); };
        without_gil([&] { return out = pingce::each_id<std::uint64_t>(ids, threads, no_signal, hash), true; });
        return nb::cast(hand_over(std::move(out)));
    });
}

nb::object deal(const nb::list& pieces, std::uint32_t parts, std::uint64_t seed, std::size_t threads) {
    return with_column(pieces, [&](const auto& ids) {
        pingce::Buffer<std::int32_t> out;
        const auto part = [&](const auto& id) {
            return static_cast<std::int32_t>((pingce::lasting_hash(id, seed) >> 32) * parts >> 32);
        };
        without_gil([&] { return out = pingce::each_id<std::int32_t>(ids, threads, no_signal, part), true; });
        return nb::cast(hand_over(std::move(out)));
    });
}

nb::object changes(const nb::list& pieces, std::size_t threads) {
    return with_column(pieces, [&](const auto& ids) {
        std::vector<std::int64_t> out;
        without_gil([&] {
            const auto starts = pingce::detail::segment_starts(ids, threads, no_signal);
            out.assign(starts.begin(), starts.end() - 1);
            return true;
        });
        return nb::cast(hand_over(std::move(out)));
    });
}

nb::object sort_rows(const nb::list& pieces) {
    return with_column(pieces, [&](const auto& ids) {
        std::vector<std::int64_t> out;
        without_gil([&] { return out = pingce::sorted_rows(ids), true; });
        return nb::cast(hand_over(std::move(out)));
    });
}

// It keeps the pieces alive, since its ids are theirs.
class Index {
 public:
    Index(nb::list pieces, std::size_t threads) : pieces_(std::move(pieces)) {
        if (pingce::python::holds_integers(pieces_)) {
            integers_ = std::make_unique<Held<IntPiece>>(pieces_, threads);
        } else {
            strings_ = std::make_unique<Held<StringPiece>>(pieces_, threads);
        }
    }

    // Where each group begins, and the rows; no rows where they lie in order already.
    [[nodiscard]] nb::tuple groups() const {
        const pingce::Groups& found = integers_ ? integers_->index->groups() : strings_->index->groups();
        std::vector<std::int64_t> begin(found.begin.begin(), found.begin.end());
        std::vector<std::int64_t> order(found.order.begin(), found.order.end());
        return nb::make_tuple(hand_over(std::move(begin)), hand_over(std::move(order)));
    }

    [[nodiscard]] nb::object find(const nb::list& pieces, std::size_t threads) const {
        if (pingce::python::holds_integers(pieces) != (integers_ != nullptr))
            throw std::invalid_argument("integer and string ids cannot be compared");
        return integers_ ? find_in(*integers_, pieces, threads) : find_in(*strings_, pieces, threads);
    }

 private:
    template <class Plain>
    struct Held {
        using Ids = pingce::Column<Plain>;

        Held(const nb::list& pieces, std::size_t threads) : read(pieces) {
            without_gil([&] { return index.emplace(read.column, threads, no_signal), true; });
        }
        Read<Plain> read;
        std::optional<pingce::IdIndex<Ids>> index;
    };

    template <class Plain>
    static nb::object find_in(const Held<Plain>& held, const nb::list& pieces, std::size_t threads) {
        const Read<Plain> wanted(pieces);
        pingce::Buffer<std::int64_t> out;
        const auto find = [&](const auto& id) { return held.index->find(id); };
        without_gil([&] { return out = pingce::each_id<std::int64_t>(wanted.column, threads, no_signal, find), true; });
        return nb::cast(hand_over(std::move(out)));
    }

    nb::list pieces_;
    std::unique_ptr<Held<IntPiece>> integers_;
    std::unique_ptr<Held<StringPiece>> strings_;
};

}  // namespace

namespace pingce::python {

void define_ids(nb::module_& module) {
    module.def("hashes", &hashes, "pieces"_a, "seed"_a, "threads"_a);
    module.def("deal", &deal, "pieces"_a, "parts"_a, "seed"_a, "threads"_a);
    module.def("changes", &changes, "pieces"_a, "threads"_a);
    module.def(
        "check_count", [](std::size_t count) { without_gil([&] { return refuse_beyond_32_bits(count), true; }); },
        "count"_a);
    module.def("sorted_rows", &sort_rows, "pieces"_a);
    nb::class_<Index>(module, "IdIndex")
        .def(nb::init<nb::list, std::size_t>(), "pieces"_a, "threads"_a)
        .def("groups", &Index::groups)
        .def("find", &Index::find, "pieces"_a, "threads"_a);
}

}  // namespace pingce::python
