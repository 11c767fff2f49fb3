// White-space separated text (TREC qrels and runs, MS MARCO) to columns, in parallel, split at line ends.
#pragma once

#include <cstdint>
#include <string_view>

#include "buffer.h"
#include "parallel.h"

namespace pingce {

// Which fields of a line matter, counted from 0; `fields` is how many a line must have. A `value` beyond them means
// that there is no number: every value is then 1.
//
// A line that begins with # is a comment. It is passed over before the first row, and where it cannot be a row; one
// that could be a row among others is a fault, for nobody but its writer knows which of the two it is.
struct LineShape {
    std::size_t query = 0;
    std::size_t item = 0;
    std::size_t value = 0;
    std::size_t fields = 0;
    bool exact = false;   // more fields than `fields` are an error too
    bool within = false;  // the text goes on after rows that came before it
};

constexpr std::size_t max_fields = 64;

enum class TextFault : int {
    none = 0,
    few_fields = 1,
    many_fields = 2,
    not_a_number = 3,
    carriage_return = 4,
    row_or_comment = 5
};

// Offsets into the text: 32-bit where it is shorter than 2 GiB.
template <class Offset>
struct TextColumns {
    Buffer<Offset> query_start, query_end, item_start, item_end;
    Buffer<double> value;
    TextFault fault = TextFault::none;
    std::size_t fault_at = 0;  // where the faulty line starts
    std::size_t comments = 0;  // lines passed over
};

template <class Offset>
TextColumns<Offset> parse_text(std::string_view text, const LineShape& shape, std::size_t threads, const Poll& poll);

}  // namespace pingce
