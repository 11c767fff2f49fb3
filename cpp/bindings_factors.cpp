// Ranks from vectors, as Python calls for them: matrices come in as views of their bytes.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "factor_kernels.h"
#include "factors.h"
#include "python_calls.h"
#include "python_columns.h"
#include "python_ids.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pingce::python {

namespace {

using Matrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
using Places = Input<std::int64_t>;

// NumPy lacks brain floats: they come as their bits.
FactorType type_of(const Matrix& matrix) {
    const nb::dlpack::dtype type = matrix.dtype();
    if (type == nb::dtype<std::uint16_t>()) return FactorType::brain;
    if (type == nb::dtype<float>()) return FactorType::single;
    if (type == nb::dtype<double>()) return FactorType::wide;
    if (type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Float) && type.bits == 16)
        return FactorType::half;
    throw std::invalid_argument("vectors of an unknown type");
}

Vectors vectors(const Matrix& matrix) {
    const auto size = static_cast<std::ptrdiff_t>(matrix.itemsize());
    return {static_cast<const std::byte*>(matrix.data()),
            type_of(matrix),
            matrix.shape(0),
            matrix.shape(1),
            static_cast<std::ptrdiff_t>(matrix.stride(0)) * size,
            static_cast<std::ptrdiff_t>(matrix.stride(1)) * size};
}

void check_within(std::span<const std::int64_t> rows, std::size_t count) {
    for (const std::int64_t row : rows)
        if (row < 0 || static_cast<std::size_t>(row) >= count) throw std::out_of_range("no such row");
}

PairLists checked_lists(const Places& users, const Places& begin, const Places& items, const Panel& most) {
    const PairLists pairs{view(users), view(begin), view(items)};
    if (pairs.begin.size() != pairs.users.size() + 1) throw std::invalid_argument("columns differ in length");
    check_within(pairs.users, most.users);
    check_within(pairs.items, most.items);
    std::int64_t last = 0;
    for (const std::int64_t each : pairs.begin) {
        if (each < last || static_cast<std::size_t>(each) > pairs.items.size()) throw std::out_of_range("no such pair");
        last = each;
    }
    return pairs;
}

// Everything that decides a score, with the arrays that it points to.
class Factors {
 public:
    // Columns are norms of users and of items, biases of both, candidates and the order of ids; None for what is not
    // there.
    Factors(Matrix users, Matrix items, const nb::typed<nb::list, nb::any>& columns, bool is_wide, bool apart,
            bool rounds)
        : users_(std::move(users)),
          items_(std::move(items)),
          is_wide_(is_wide),
          rounds_(rounds),
          similarity_(apart ? Similarity::distance : Similarity::product) {
        if (users_.shape(1) != items_.shape(1)) throw std::invalid_argument("vectors differ in length");
        if (is_wide_) {
            fill(doubles_, columns);
        } else {
            fill(floats_, columns);
        }
    }

    template <class Action>
    auto with_scoring(int level, const Action& action) const {
        const std::size_t chosen = level < 0 ? usual_factor_level() : static_cast<std::size_t>(level);
        if (chosen >= factor_levels()) throw std::out_of_range("no such instruction set");
        if (is_wide_) {
            Scoring<double> scoring = doubles_;
            scoring.level = chosen;
            return action(scoring);
        }
        Scoring<float> scoring = floats_;
        scoring.level = chosen;
        return action(scoring);
    }
    [[nodiscard]] PairLists lists(const Places& users, const Places& begin, const Places& items) const {
        return checked_lists(users, begin, items, {users_.shape(0), items_.shape(0)});
    }

 private:
    template <class Real>
    void fill(Scoring<Real>& scoring, const nb::typed<nb::list, nb::any>& columns) {
        scoring.users = vectors(users_);
        scoring.items = vectors(items_);
        scoring.similarity = similarity_;
        scoring.rounds = rounds_;
        std::span<const Real>* const numbers[] = {&scoring.user_norms, &scoring.item_norms, &scoring.user_bias,
                                                  &scoring.item_bias};
        if (columns.size() != std::size(numbers) + 2) throw std::invalid_argument("six columns are needed");
        for (std::size_t at = 0; at < std::size(numbers); ++at) {
            *numbers[at] = column<Real>(columns[at]);
            if (!columns[at].is_none()) check_length(numbers[at]->size(), rows(at));
        }
        scoring.all = columns[4].is_none();
        scoring.candidates = column<std::int64_t>(columns[4]);
        scoring.order = column<std::int64_t>(columns[5]);
        check_within(scoring.candidates, items_.shape(0));
        if (!columns[5].is_none()) check_length(scoring.order.size(), items_.shape(0));
    }
    [[nodiscard]] std::size_t rows(std::size_t column) const { return (column % 2 == 0 ? users_ : items_).shape(0); }
    // A column as it lies in the memory of an array, which is kept.
    template <class T>
    std::span<const T> column(const nb::object& values) {
        if (values.is_none()) return {};
        kept_.push_back(values);
        return view(nb::cast<Input<T>>(values, false));
    }

    Matrix users_, items_;
    bool is_wide_, rounds_;
    Similarity similarity_;
    std::vector<nb::object> kept_;
    Scoring<float> floats_{};
    Scoring<double> doubles_{};
};

std::size_t worth(std::size_t work, std::size_t threads) {
    constexpr std::size_t small = std::size_t{1} << 20;
    return work < small ? 0 : threads;
}

template <class Real>
Fields columns_of(PairCounts<Real>&& counted) {
    Fields out;
    out["score"] = hand_over(std::move(counted.score));
    out["above"] = hand_over(std::move(counted.above));
    out["block"] = hand_over(std::move(counted.block));
    out["by_id"] = hand_over(std::move(counted.by_id));
    out["by_order"] = hand_over(std::move(counted.by_order));
    return out;
}

nb::object scores(const Factors& factors, const Places& users, const Places& begin, const Places& items,
                  std::size_t threads, int level) {
    const PairLists pairs = factors.lists(users, begin, items);
    return factors.with_scoring(level, [&](const auto& scoring) {
        const std::size_t used = worth(pairs.items.size() * scoring.items.width, threads);
        return nb::cast(hand_over(without_gil([&] { return pair_scores(scoring, pairs, used, check_signals); })));
    });
}

Fields counts(const Factors& factors, const Places& users, const Places& begin, const Places& items,
              std::size_t threads, int level) {
    const PairLists pairs = factors.lists(users, begin, items);
    return factors.with_scoring(level, [&](const auto& scoring) {
        const std::size_t used = worth(pairs.users.size() * scoring.items.rows * scoring.items.width, threads);
        return columns_of(without_gil([&] { return pair_counts(scoring, pairs, used, check_signals); }));
    });
}

template <class Real>
Fields counted_rows(const Matrix& scores, const PairLists& pairs, std::span<const std::int64_t> order,
                    std::size_t threads) {
    const ScoreRows<Real> rows{static_cast<const Real*>(scores.data()), scores.shape(0), scores.shape(1),
                               static_cast<std::size_t>(scores.stride(0))};
    const std::size_t used = worth(rows.rows * rows.columns, threads);
    return columns_of(without_gil([&] { return pingce::row_counts(rows, pairs, order, used, check_signals); }));
}

// Rows of scores lie one after another, each in one piece; an empty order stands for the columns' own.
Fields row_counts(const Matrix& scores, const Places& users, const Places& begin, const Places& items,
                  const Places& order, std::size_t threads) {
    const PairLists pairs = checked_lists(users, begin, items, {scores.shape(0), scores.shape(1)});
    if (scores.stride(1) != 1 || scores.stride(0) < 0) throw std::invalid_argument("rows must lie in one piece");
    if (order.shape(0) > 0) check_length(order.shape(0), scores.shape(1));
    if (scores.dtype() == nb::dtype<float>()) return counted_rows<float>(scores, pairs, view(order), threads);
    if (scores.dtype() == nb::dtype<double>()) return counted_rows<double>(scores, pairs, view(order), threads);
    throw std::invalid_argument("scores must be float32 or float64");
}

Fields heads(const Factors& factors, const Places& users, const Places& begin, const Places& excluded,
             std::size_t depth, std::size_t threads, int level) {
    const PairLists pairs = factors.lists(users, begin, excluded);
    return factors.with_scoring(level, [&](const auto& scoring) {
        const std::size_t used = worth(pairs.users.size() * scoring.items.rows * scoring.items.width, threads);
        auto best = without_gil([&] { return best_items(scoring, pairs, depth, used, check_signals); });
        Fields out;
        out["begin"] = hand_over(std::move(best.begin));
        out["item"] = hand_over(std::move(best.item));
        out["score"] = hand_over(std::move(best.score));
        return out;
    });
}

std::vector<std::string> level_names() {
    std::vector<std::string> names;
    for (std::size_t level = 0; level < factor_levels(); ++level) names.emplace_back(factor_kernels<float>(level).name);
    return names;
}

}  // namespace

void define_factors(nb::module_& module) {
    nb::class_<Factors>(module, "Factors")
        .def(nb::init<Matrix, Matrix, const nb::typed<nb::list, nb::any>&, bool, bool, bool>(), "users"_a, "items"_a,
             "columns"_a, "is_wide"_a, "apart"_a, "rounds"_a)
        .def("scores", &scores, "users"_a, "begin"_a, "items"_a, "threads"_a, "level"_a)
        .def("counts", &counts, "users"_a, "begin"_a, "items"_a, "threads"_a, "level"_a)
        .def("heads", &heads, "users"_a, "begin"_a, "excluded"_a, "depth"_a, "threads"_a, "level"_a);
    module.def("row_counts", &row_counts, "scores"_a, "users"_a, "begin"_a, "items"_a, "order"_a, "threads"_a);
    module.def("factor_levels", &level_names);
}

}  // namespace pingce::python
