// Dictionaries and lists of Python, one a query, written out as columns: read once, with the GIL held.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <vector>

#include "buffer.h"
#include "stop.h"

namespace pingce::python {

namespace nb = nanobind;

// Ids are either all strings (`data` and `ends`) or all integers (`integers`).
struct Flat {
    bool strings = false;
    std::vector<std::uint8_t> data;
    Buffer<std::int64_t> ends, integers;
    Buffer<double> values;
};

class Unusual : public Stop {};

// Reads {item: number} or [item, …] of every query. What it does not know at sight (ids of mixed types or empty,
// numbers that a double cannot hold, …) it throws as Unusual: the caller then reads slowly and explains.
class Flattener {
 public:
    [[nodiscard]] Flat read(const nb::list& lists) {
        Flat out;
        std::size_t rows = 0, numbers = 0;
        for (const nb::handle list : lists) {
            rows += nb::len(list);
            if (PyDict_CheckExact(list.ptr())) numbers += nb::len(list);
        }
        out.values = Buffer<double>(numbers);
        capacity_ = rows;
        for (const nb::handle list : lists) {
            poll();
            PyDict_CheckExact(list.ptr()) ? read_dict(list.ptr(), out) : read_sequence(list.ptr(), out);
        }
        demand(read_ == capacity_ && numbers_ == numbers);
        return out;
    }

 private:
    static constexpr std::size_t ids_between_polls = std::size_t{1} << 18;
    static constexpr long long largest_exact = 1LL << 53;  // larger integers may share a double
    static constexpr Py_ssize_t usual_length = 32;

    static void demand(bool usual) {
        if (!usual) throw Unusual();
    }

    // Between lists, where nothing of Python is borrowed.
    void poll() {
        if (read_ < next_poll_) return;
        next_poll_ = read_ + ids_between_polls;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }

    void read_dict(PyObject* dict, Flat& out) {
        PyObject *key = nullptr, *value = nullptr;
        for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &key, &value);) {
            add_id(key, out);
            add_value(value, out);
        }
    }

    void read_sequence(PyObject* list, Flat& out) {
        const bool is_list = PyList_CheckExact(list);
        demand(is_list || PyTuple_CheckExact(list));
        const Py_ssize_t size = is_list ? PyList_Size(list) : PyTuple_Size(list);
        for (Py_ssize_t i = 0; i < size; ++i) {
            add_id(is_list ? PyList_GetItem(list, i) : PyTuple_GetItem(list, i), out);
        }
    }

    void add_id(PyObject* id, Flat& out) {
        demand(read_ < capacity_);
        const bool is_string = PyUnicode_Check(id) != 0;
        if (read_ == 0) {
            out.strings = is_string;
            (is_string ? out.ends : out.integers) = Buffer<std::int64_t>(capacity_);
        }
        demand(is_string == out.strings);
        is_string ? add_string(id, out) : add_integer(id, out);
        ++read_;
    }

    void add_integer(PyObject* id, Flat& out) const {
        demand(PyLong_CheckExact(id));
        int overflow = 0;
        out.integers[read_] = PyLong_AsLongLongAndOverflow(id, &overflow);
        demand(overflow == 0);
    }

    void add_string(PyObject* id, Flat& out) const {
        Py_ssize_t size = 0;
        const char* text = PyUnicode_AsUTF8AndSize(id, &size);
        if (text == nullptr) PyErr_Clear();  // half a character
        demand(text != nullptr && size != 0);
        if (read_ == 0 && size <= usual_length) out.data.reserve(capacity_ * (static_cast<std::size_t>(size) + 1));
        out.data.insert(out.data.end(), text, text + size);
        out.ends[read_] = static_cast<std::int64_t>(out.data.size());
    }

    void add_value(PyObject* value, Flat& out) {
        demand(numbers_ < out.values.size());
        double& number = out.values[numbers_++];
        if (PyFloat_Check(value)) {
            number = PyFloat_AsDouble(value);
            return;
        }
        demand(PyLong_Check(value));
        int overflow = 0;
        const long long whole = PyLong_AsLongLongAndOverflow(value, &overflow);
        number = static_cast<double>(whole);
        demand(overflow == 0 && whole <= largest_exact && whole >= -largest_exact);
    }

    std::size_t capacity_ = 0, read_ = 0, numbers_ = 0, next_poll_ = ids_between_polls;
};

}  // namespace pingce::python
