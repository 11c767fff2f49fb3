// Rows that chance draws or keeps, as Python calls for them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <stdexcept>
#include <utility>

#include "python_calls.h"
#include "python_ids.h"
#include "repeats.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pingce::python {

namespace {

using Words = Input<std::uint64_t>;

RandomWords random_words(const Words& words, std::size_t each) {
    if (each == 0 ? words.shape(0) > 0 : words.shape(0) % each != 0)
        throw std::invalid_argument("words do not fill the repeats");
    return {{words.data(), words.shape(0)}, each};
}

Output<double> count_draws(const Words& words, std::size_t rows, std::size_t threads) {
    if (rows == 0 || rows >> 32 != 0) throw std::invalid_argument("rows must fit into half a word");
    const RandomWords random = random_words(words, (rows + 1) / 2);
    return hand_over(without_gil([&] { return pingce::count_draws(random, rows, threads, check_signals); }));
}

Output<std::int64_t> sum_kept(const Words& words, const Input<std::int64_t>& values, std::size_t columns,
                              std::size_t threads) {
    if (columns == 0 || values.shape(0) % columns != 0) throw std::invalid_argument("values do not fill the columns");
    const WholeTable table{{values.data(), values.shape(0)}, columns};
    const RandomWords random = random_words(words, (table.rows() + 63) / 64);
    return hand_over(without_gil([&] { return pingce::sum_kept(random, table, threads, check_signals); }));
}

}  // namespace

void define_repeats(nb::module_& module) {
    module.def("count_draws", &count_draws, "words"_a, "rows"_a, "threads"_a);
    module.def("sum_kept", &sum_kept, "words"_a, "values"_a, "columns"_a, "threads"_a);
}

}  // namespace pingce::python
