// What every call from Python shares: arrays that go out, the GIL, and Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "buffer.h"
#include "parallel.h"
#include "table.h"

namespace pingce::python {

namespace nb = nanobind;

template <class T>
using Output = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

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
inline bool no_signal() {
    const nb::gil_scoped_acquire hold;
    return PyErr_CheckSignals() == 0;
}

// What the core cannot count, as a sentence of pingce's own.
[[noreturn]] inline void raise_too_many(std::size_t count) {
    const nb::object problem = nb::module_::import_("pingce.base.errors").attr("beyond_32_bits")(count);
    PyErr_SetObject(problem.type().ptr(), problem.ptr());
    throw nb::python_error();
}

// The one place where the GIL is released.
template <class Work>
void without_gil(const Work& work) {
    bool finished = false;
    std::optional<TooMany> too_many;
    {
        const nb::gil_scoped_release release;
        try {
            finished = work();
        } catch (const Stopped&) {
        } catch (const TooMany& problem) {
            too_many = problem;
        }
    }
    if (too_many) raise_too_many(too_many->count);
    if (!finished) throw nb::python_error();
}

// The functions of labels and scores, in bindings_labels.cpp.
void define_labels(nb::module_& module);

// The services for id columns, in bindings_ids.cpp.
void define_ids(nb::module_& module);

}  // namespace pingce::python
