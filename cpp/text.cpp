#include "text.h"

#include <algorithm>
#include <array>
#include <vector>

#include "number.h"
#include "separators.h"

namespace pingce {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
constexpr std::size_t small_text = std::size_t{1} << 16;

struct Chunk {
    std::size_t begin = 0, end = 0;       // bytes of the text, whole lines
    std::size_t first_row = 0, rows = 0;  // rows reserved before, rows found after parsing
    TextFault fault = TextFault::none;
    std::size_t fault_at = 0;
    std::size_t comments = 0;
};

// The chunk ends after the first line end at or beyond `wanted`.
std::size_t line_end_from(std::string_view text, std::size_t wanted) {
    if (wanted >= text.size()) return text.size();
    const std::size_t at = text.find('\n', wanted);
    return at == std::string_view::npos ? text.size() : at + 1;
}

std::string_view without_blanks(std::string_view line) {
    while (!line.empty() && is_separator(line.front())) line.remove_prefix(1);
    while (!line.empty() && is_separator(line.back())) line.remove_suffix(1);
    return line;
}

// Where the first line begins that is neither blank nor a comment.
std::size_t first_row_from(std::string_view text, std::size_t& comments) {
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = line_end_from(text, begin);
        const std::string_view line = without_blanks(text.substr(begin, end - begin));
        if (!line.empty() && (line.front() != '#' || line.find('\r') != std::string_view::npos)) break;
        if (!line.empty()) ++comments;
        begin = end;
    }
    return begin;
}

std::vector<Chunk> split_at_lines(std::string_view text, std::size_t from) {
    std::vector<Chunk> chunks;
    for (std::size_t begin = from; begin < text.size();) {
        const std::size_t end = line_end_from(text, begin + chunk_bytes);
        chunks.push_back({.begin = begin, .end = end});
        begin = end;
    }
    return chunks;
}

std::size_t count_lines(std::string_view text) {
    return count_line_ends(text) + (text.empty() || text.back() == '\n' ? 0 : 1);
}

// The fields of one line, as far as they were read.
struct Line {
    std::array<std::string_view, max_fields> field;
    std::size_t found = 0;
    std::size_t next = 0;   // where the next line begins
    bool returned = false;  // a carriage return came after a field
    bool broken = false;    // and another field after it: line ends of another system

    void add(const char* begin, const char* end) {
        if (found < max_fields) field[found] = {begin, static_cast<std::size_t>(end - begin)};
        ++found;
        broken |= returned;
    }
    [[nodiscard]] bool is_comment() const { return field[0].front() == '#'; }
};

template <class Offset>
class Parser {
 public:
    Parser(std::string_view text, const LineShape& shape, TextColumns<Offset>& out)
        : text_(text), shape_(shape), out_(out) {}

    void parse(Chunk& chunk) const {
        const std::string_view text = text_.substr(chunk.begin, chunk.end - chunk.begin);
        Separators separators(text);
        std::size_t row = chunk.first_row;
        for (std::size_t begin = 0; begin < text.size();) {
            if (separators.has(shape_.fields) && store_plain(text, begin, separators.places(), row)) {
                begin = separators.places()[shape_.fields - 1] + 1;
                separators.pass(shape_.fields);
                ++row;
                continue;
            }
            const Line line = read_line(text, begin, separators);
            if (line.found > 0) chunk.fault = store(line, row);
            if (line.found > 0 && line.is_comment()) {
                chunk.fault = fault_of_comment(chunk.fault);
                ++chunk.comments;
            } else if (line.found > 0) {
                ++row;
            }
            if (chunk.fault != TextFault::none) {
                chunk.fault_at = chunk.begin + begin;
                return;
            }
            begin = line.next;
        }
        chunk.rows = row - chunk.first_row;
    }

 private:
    // Most lines are plain: as many fields as needed, one separator after each, a line feed after the last. False for
    // any other, and for what is no number.
    bool store_plain(std::string_view text, std::size_t begin, const std::size_t* ends, std::size_t row) const {
        const std::size_t last = shape_.fields - 1;
        bool plain = text[ends[last]] == '\n' && text[begin] != '#';
        for (std::size_t field = 0, from = begin; field <= last; from = ends[field++] + 1) {
            const auto letter = static_cast<unsigned char>(text[ends[field]]);
            plain &= ends[field] != from && (field == last || letter < '\n' || letter > '\r');
        }
        if (!plain) return false;
        const auto begin_of = [&](std::size_t field) { return field == 0 ? begin : ends[field - 1] + 1; };
        const char* const data = text.data();
        if (shape_.value > last) {
            out_.value[row] = 1.0;
        } else {
            const std::size_t from = begin_of(shape_.value);
            if (!to_number({data + from, ends[shape_.value] - from}, out_.value[row])) return false;
        }
        out_.query_start[row] = offset(data + begin_of(shape_.query));
        out_.query_end[row] = offset(data + ends[shape_.query]);
        out_.item_start[row] = offset(data + begin_of(shape_.item));
        out_.item_end[row] = offset(data + ends[shape_.item]);
        return true;
    }

    // Any line, field by field.
    static Line read_line(std::string_view text, std::size_t begin, Separators& separators) {
        Line line;
        while (true) {
            const bool is_last = !separators.has(1);
            const std::size_t end = is_last ? text.size() : *separators.places();
            if (end != begin) line.add(text.data() + begin, text.data() + end);
            line.next = begin = is_last ? end : end + 1;
            if (is_last) return line;
            separators.pass(1);
            if (text[end] == '\n') return line;
            line.returned |= text[end] == '\r' && line.found > 0;
        }
    }

    TextFault store(const Line& line, std::size_t row) const {
        if (line.broken) return TextFault::carriage_return;
        if (line.found < shape_.fields) return TextFault::few_fields;
        if (shape_.exact && line.found > shape_.fields) return TextFault::many_fields;
        out_.value[row] = 1.0;
        if (shape_.value < shape_.fields && !to_number(line.field[shape_.value], out_.value[row]))
            return TextFault::not_a_number;
        const std::string_view query = line.field[shape_.query], item = line.field[shape_.item];
        out_.query_start[row] = offset(query.data());
        out_.query_end[row] = offset(query.data() + query.size());
        out_.item_start[row] = offset(item.data());
        out_.item_end[row] = offset(item.data() + item.size());
        return TextFault::none;
    }

    // What is wrong with a comment, by what would be wrong with it as a row.
    static TextFault fault_of_comment(TextFault as_row) {
        if (as_row == TextFault::none) return TextFault::row_or_comment;
        return as_row == TextFault::carriage_return ? as_row : TextFault::none;
    }

    [[nodiscard]] Offset offset(const char* at) const { return static_cast<Offset>(at - text_.data()); }

    std::string_view text_;
    LineShape shape_;
    TextColumns<Offset>& out_;
};

template <class Offset, class Action>
void for_each_column(TextColumns<Offset>& columns, const Action& action) {
    action(columns.query_start);
    action(columns.query_end);
    action(columns.item_start);
    action(columns.item_end);
    action(columns.value);
}

// Blank lines leave holes after the rows of a chunk: close them.
template <class Offset>
void close_holes(const std::vector<Chunk>& chunks, TextColumns<Offset>& out) {
    for_each_column(out, [&](auto& column) {
        std::size_t filled = 0;
        for (const Chunk& chunk : chunks) {
            if (filled != chunk.first_row)
                std::copy_n(column.data() + chunk.first_row, chunk.rows, column.data() + filled);
            filled += chunk.rows;
        }
        column.shrink(filled);
    });
}

}  // namespace

template <class Offset>
TextColumns<Offset> parse_text(std::string_view text, const LineShape& shape, std::size_t threads, const Poll& poll) {
    if (text.size() < small_text) threads = 0;
    TextColumns<Offset> out;
    const std::size_t begin = shape.within ? 0 : first_row_from(text, out.comments);
    std::vector<Chunk> chunks = split_at_lines(text, begin);
    const auto count = [&](std::size_t i) {
        chunks[i].rows = count_lines(text.substr(chunks[i].begin, chunks[i].end - chunks[i].begin));
    };
    run_parallel(chunks.size(), threads, count, poll);
    std::size_t lines = 0;
    for (Chunk& chunk : chunks) {
        chunk.first_row = lines;
        lines += chunk.rows;
    }
    for_each_column(out, [&](auto& column) { column = std::decay_t<decltype(column)>(lines); });
    const Parser<Offset> parser(text, shape, out);
    const auto parse = [&](std::size_t i) { parser.parse(chunks[i]); };
    run_parallel(chunks.size(), threads, parse, poll);
    const auto is_faulty = [](const Chunk& chunk) { return chunk.fault != TextFault::none; };
    const auto faulty = std::find_if(chunks.begin(), chunks.end(), is_faulty);
    if (faulty != chunks.end()) {
        out.fault = faulty->fault;
        out.fault_at = faulty->fault_at;
        return out;
    }
    for (const Chunk& chunk : chunks) out.comments += chunk.comments;
    close_holes(chunks, out);
    return out;
}

template TextColumns<std::int32_t> parse_text(std::string_view, const LineShape&, std::size_t, const Poll&);
template TextColumns<std::int64_t> parse_text(std::string_view, const LineShape&, std::size_t, const Poll&);

}  // namespace pingce
