// What every call from Python shares: arrays that go out, the GIL, and Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "buffer.h"
#include "parallel.h"
#include "portable.h"
#include "stop.h"

namespace pingce::python {

namespace nb = nanobind;

template <class T>
using Output = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

// What Python sees of results that hold several things.
using Fields = nb::typed<nb::dict, nb::str, nb::any>;

template <class T>
Output<T> hand_over(std::vector<T>&& values) {
    auto owner = std::make_unique<std::vector<T>>(std::move(values));
    T* data = owner->data();
    const std::size_t size = owner->size();
    nb::capsule keep(owner.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Output<T>(data, {size}, keep);
}

template <class T>
Output<T> hand_over(Buffer<T>&& values) {
    const std::size_t size = values.size();
    T* data = values.release().release();
    nb::capsule keep(data, [](void* p) noexcept { std::free(p); });
    return Output<T>(data, {size}, keep);
}

// The calling thread takes the GIL back for a moment to see whether Ctrl-C was pressed.
inline void check_signals() {
    const nb::gil_scoped_acquire hold;
    if (PyErr_CheckSignals() != 0) throw Interruption();
}

// What the core cannot count, as a sentence of pingce's own.
[[noreturn]] inline void raise_excess(const Excess& excess) {
    const nb::object problem = nb::module_::import_("pingce.base.errors").attr("beyond_32_bits")(excess.count());
    PyErr_SetObject(problem.type().ptr(), problem.ptr());
    throw nb::python_error();
}

// The one place where the GIL is released, and where a Stop of the core becomes an exception of Python.
template <class Work>
auto without_gil(const Work& work) {
    try {
        const nb::gil_scoped_release release;
        return work();
    } catch (const Interruption&) {
        throw nb::python_error();
    } catch (const Excess& excess) {
        raise_excess(excess);
    }
}

using Halves = nb::typed<nb::tuple, std::uint64_t, std::uint64_t>;

// A number beyond 64 bits, as (high, low).
inline Halves halves(UInt128 number) {
    return nb::make_tuple(static_cast<std::uint64_t>(number >> 64), static_cast<std::uint64_t>(number));
}

// Text to columns, in bindings_text.cpp.
void define_text(nb::module_& module);

// The functions of labels and scores, in bindings_labels.cpp.
void define_groups(nb::module_& module);
void define_labels(nb::module_& module);

// The heads of lists, in bindings_places.cpp.
void define_places(nb::module_& module);

// Draws of units, in bindings_draws.cpp.
void define_draws(nb::module_& module);

// Ranks from vectors, in bindings_factors.cpp.
void define_factors(nb::module_& module);

// Pairs of true and predicted numbers, in bindings_numbers.cpp.
void define_numbers(nb::module_& module);

// Rows that chance draws or keeps, in bindings_repeats.cpp.
void define_repeats(nb::module_& module);

// Exact sums, in bindings_sums.cpp.
void define_sums(nb::module_& module);

// Lines that are fitted to counts, in bindings_lines.cpp.
void define_lines(nb::module_& module);

// Lists of several runs, in bindings_lists.cpp.
void define_lists(nb::module_& module);

// The services for id columns, in bindings_ids.cpp.
void define_ids(nb::module_& module);

}  // namespace pingce::python
