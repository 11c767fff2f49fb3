// Id columns as Python hands them over: a list of pieces, each a tuple that begins with the name of its layout.
//   ("int", values)   ("slices", data, starts, ends)   ("views", views, [buffer, …])   ("coded", codes, piece)
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <list>
#include <stdexcept>
#include <string>
#include <vector>

#include "ids.h"

namespace pingce::python {

namespace nb = nanobind;

template <class T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using AnyInput = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using Pieces = nb::typed<nb::list, nb::typed<nb::tuple, nb::any, nb::ellipsis>>;

inline std::string layout_of(const nb::tuple& piece) { return nb::cast<std::string>(piece[0]); }

inline IntPiece int_piece(const AnyInput& values) {
    using Type = IntPiece::Type;
    const bool is_signed = values.dtype().code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Int);
    if (!is_signed && values.dtype().code != static_cast<std::uint8_t>(nb::dlpack::dtype_code::UInt))
        throw std::invalid_argument("ids and codes must be integers");
    switch (values.dtype().bits) {
        case 64:
            return {.values = values.data(), .type = is_signed ? Type::i64 : Type::u64};
        case 32:
            return {.values = values.data(), .type = is_signed ? Type::i32 : Type::u32};
        case 16:
            return {.values = values.data(), .type = is_signed ? Type::i16 : Type::u16};
        case 8:
            return {.values = values.data(), .type = is_signed ? Type::i8 : Type::u8};
        default:
            throw std::invalid_argument("integers of an unknown width");
    }
}

// A column together with what its pieces point to besides Python's arrays. The list of pieces must outlive it, and its
// arrays are taken as they are: one that had to be converted first would be gone before it is read.
template <class Plain>
class Read {
 public:
    explicit Read(const Pieces& pieces) {
        for (const nb::handle piece : pieces) add(nb::cast<nb::tuple>(piece));
    }
    Read(const Read&) = delete;
    Read& operator=(const Read&) = delete;

    Column<Plain> column;

 private:
    struct Sized {
        Plain values;
        std::size_t rows;
    };

    void add(const nb::tuple& piece) {
        if (layout_of(piece) == "coded") {
            const auto codes = nb::cast<AnyInput>(piece[1], false);
            column.add_coded(plain(nb::cast<nb::tuple>(piece[2])).values, int_piece(codes), codes.shape(0));
        } else {
            const Sized found = plain(piece);
            column.add(found.values, found.rows);
        }
    }

    Sized plain(const nb::tuple& piece) {
        const std::string layout = layout_of(piece);
        if constexpr (std::is_same_v<Plain, IntPiece>) {
            if (layout != "int") throw std::invalid_argument("integer and string ids in one column");
            const auto values = nb::cast<AnyInput>(piece[1], false);
            return {int_piece(values), values.shape(0)};
        } else {
            if (layout == "slices") return slices(piece);
            if (layout == "views") return views(piece);
            throw std::invalid_argument("integer and string ids in one column");
        }
    }

    static Sized slices(const nb::tuple& piece) {
        const auto data = nb::cast<Input<std::uint8_t>>(piece[1], false);
        const auto starts = nb::cast<AnyInput>(piece[2], false), ends = nb::cast<AnyInput>(piece[3], false);
        const bool wide = starts.dtype() == nb::dtype<std::int64_t>();
        if (starts.dtype() != ends.dtype() || (!wide && starts.dtype() != nb::dtype<std::int32_t>()))
            throw std::invalid_argument("starts and ends must be both 32-bit or both 64-bit");
        if (starts.shape(0) != ends.shape(0)) throw std::invalid_argument("starts and ends differ in length");
        return {{.form = wide ? StringPiece::Form::slices64 : StringPiece::Form::slices32,
                 .data = reinterpret_cast<const char*>(data.data()),
                 .starts = starts.data(),
                 .ends = ends.data()},
                starts.shape(0)};
    }

    Sized views(const nb::tuple& piece) {
        const auto views = nb::cast<Input<std::uint8_t>>(piece[1], false);
        std::vector<const char*>& buffers = buffers_.emplace_back();
        for (const nb::handle buffer : nb::cast<nb::list>(piece[2])) {
            buffers.push_back(reinterpret_cast<const char*>(nb::cast<Input<std::uint8_t>>(buffer, false).data()));
        }
        return {{.form = StringPiece::Form::views,
                 .data = reinterpret_cast<const char*>(views.data()),
                 .buffers = &buffers},
                views.shape(0) / 16};
    }

    std::list<std::vector<const char*>> buffers_;
};

inline bool holds_integers(const Pieces& pieces) {
    if (pieces.size() == 0) throw std::invalid_argument("a column without pieces");
    auto piece = nb::cast<nb::tuple>(pieces[0]);
    if (layout_of(piece) == "coded") piece = nb::cast<nb::tuple>(piece[2]);
    return layout_of(piece) == "int";
}

// What an action makes of the column that pieces form.
template <class Action>
auto with_column(const Pieces& pieces, const Action& action) {
    if (holds_integers(pieces)) return action(Read<IntPiece>(pieces).column);
    return action(Read<StringPiece>(pieces).column);
}

}  // namespace pingce::python
