// Lines that are fitted to counts, as Python calls for them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <stdexcept>

#include "logistic.h"
#include "python_calls.h"
#include "python_ids.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pingce::python {

namespace {

using Column = Input<double>;
using Five = nb::typed<nb::tuple, double, double, double, double, double>;

OddsView odds_view(const Column& odds, const Column& positives, const Column& negatives) {
    if (positives.shape(0) != odds.shape(0) || negatives.shape(0) != odds.shape(0))
        throw std::invalid_argument("columns differ in length");
    const std::size_t rows = odds.shape(0);
    return {{odds.data(), rows}, {positives.data(), rows}, {negatives.data(), rows}};
}

Five newton_sums(const Column& odds, const Column& positives, const Column& negatives, double intercept, double slope,
                 std::size_t threads) {
    const OddsView view = odds_view(odds, positives, negatives);
    const Line line{intercept, slope};
    const auto sums = without_gil([&] { return pingce::newton_sums(view, line, threads, check_signals); });
    return nb::make_tuple(sums[0], sums[1], sums[2], sums[3], sums[4]);
}

double line_loss(const Column& odds, const Column& positives, const Column& negatives, double intercept, double slope,
                 std::size_t threads) {
    const OddsView view = odds_view(odds, positives, negatives);
    const Line line{intercept, slope};
    return without_gil([&] { return pingce::line_loss(view, line, threads, check_signals); });
}

}  // namespace

void define_lines(nb::module_& module) {
    module.def("newton_sums", &newton_sums, "odds"_a, "positives"_a, "negatives"_a, "intercept"_a, "slope"_a,
               "threads"_a);
    module.def("line_loss", &line_loss, "odds"_a, "positives"_a, "negatives"_a, "intercept"_a, "slope"_a, "threads"_a);
}

}  // namespace pingce::python
