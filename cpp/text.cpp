#include "text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>

namespace pingce {
namespace {

constexpr std::size_t max_fields = 8;
constexpr std::size_t chunk_bytes = std::size_t{4} << 20;

struct Chunk {
    std::size_t begin = 0, end = 0;       // bytes of the text, whole lines
    std::size_t first_row = 0, rows = 0;  // rows reserved before, rows found after parsing
    TextFault fault = TextFault::none;
    std::size_t fault_at = 0;
};

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The chunk ends after the first line end at or beyond `wanted`.
std::size_t line_end_from(std::string_view text, std::size_t wanted) {
    if (wanted >= text.size()) return text.size();
    const std::size_t at = text.find('\n', wanted);
    return at == std::string_view::npos ? text.size() : at + 1;
}

std::vector<Chunk> split_at_lines(std::string_view text) {
    std::vector<Chunk> chunks;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = line_end_from(text, begin + chunk_bytes);
        chunks.push_back({.begin = begin, .end = end});
        begin = end;
    }
    return chunks;
}

std::size_t count_lines(std::string_view text) {
    std::size_t lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    return lines + (text.empty() || text.back() == '\n' ? 0 : 1);
}

struct Field {
    const char* begin;
    const char* end;
};

// Splits at white space; returns how many fields there are, keeping at most max_fields of them.
std::size_t split_fields(const char* at, const char* end, std::array<Field, max_fields>& fields) {
    std::size_t found = 0;
    while (true) {
        while (at != end && is_space(*at)) ++at;
        if (at == end) return found;
        const char* begin = at;
        while (at != end && !is_space(*at)) ++at;
        if (found < max_fields) fields[found] = {begin, at};
        ++found;
    }
}

bool to_number(Field field, double& out) {
    const bool plus = field.begin != field.end && *field.begin == '+';
    if (plus) ++field.begin;
    if (field.begin == field.end || (plus && *field.begin == '-') || field.end[-1] == ')') return false;  // no nan(…)
    const auto [stop, error] = std::from_chars(field.begin, field.end, out);
    if (stop != field.end) return false;
    if (error == std::errc::result_out_of_range) {
        // from_chars leaves the value alone here; a huge number is infinite and a tiny one zero, as strtod has it.
        const std::string copy(field.begin, field.end);
        out = std::strtod(copy.c_str(), nullptr);
        return true;
    }
    return error == std::errc{};
}

template <class Offset>
class Parser {
 public:
    Parser(std::string_view text, const LineShape& shape, TextColumns<Offset>& out)
        : text_(text), shape_(shape), out_(out) {}

    void parse(Chunk& chunk) const {
        std::size_t row = chunk.first_row;
        for (std::size_t begin = chunk.begin; begin < chunk.end;) {
            const char* line = text_.data() + begin;
            const void* newline = std::memchr(line, '\n', chunk.end - begin);
            const char* end = newline ? static_cast<const char*>(newline) : text_.data() + chunk.end;
            const TextFault fault = parse_line(line, end, row);
            if (fault != TextFault::none) {
                chunk.fault = fault;
                chunk.fault_at = begin;
                return;
            }
            begin = static_cast<std::size_t>(end - text_.data()) + 1;
        }
        chunk.rows = row - chunk.first_row;
    }

 private:
    TextFault parse_line(const char* line, const char* end, std::size_t& row) const {
        std::array<Field, max_fields> fields;
        const std::size_t found = split_fields(line, end, fields);
        if (found == 0) return TextFault::none;
        if (found < shape_.fields) return TextFault::few_fields;
        if (shape_.exact && found > shape_.fields) return TextFault::many_fields;
        if (!to_number(fields[shape_.value], out_.value[row])) return TextFault::not_a_number;
        store(fields[shape_.query], out_.query_start[row], out_.query_end[row]);
        store(fields[shape_.item], out_.item_start[row], out_.item_end[row]);
        ++row;
        return TextFault::none;
    }

    void store(Field field, Offset& start, Offset& end) const {
        start = static_cast<Offset>(field.begin - text_.data());
        end = static_cast<Offset>(field.end - text_.data());
    }

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
            const auto from = column.begin() + static_cast<std::ptrdiff_t>(chunk.first_row);
            if (filled != chunk.first_row) {
                std::copy(from, from + static_cast<std::ptrdiff_t>(chunk.rows),
                          column.begin() + static_cast<std::ptrdiff_t>(filled));
            }
            filled += chunk.rows;
        }
        column.resize(filled);
    });
}

}  // namespace

template <class Offset>
bool parse_text(std::string_view text, const LineShape& shape, std::size_t threads, const KeepGoing& keep_going,
                TextColumns<Offset>& out) {
    std::vector<Chunk> chunks = split_at_lines(text);
    const auto count = [&](std::size_t i) {
        chunks[i].rows = count_lines(text.substr(chunks[i].begin, chunks[i].end - chunks[i].begin));
    };
    if (!run_parallel(chunks.size(), threads, count, keep_going)) return false;
    std::size_t lines = 0;
    for (Chunk& chunk : chunks) {
        chunk.first_row = lines;
        lines += chunk.rows;
    }
    for_each_column(out, [&](auto& column) { column.resize(lines); });
    const Parser<Offset> parser(text, shape, out);
    if (!run_parallel(chunks.size(), threads, [&](std::size_t i) { parser.parse(chunks[i]); }, keep_going))
        return false;
    const auto faulty =
        std::find_if(chunks.begin(), chunks.end(), [](const Chunk& c) { return c.fault != TextFault::none; });
    if (faulty != chunks.end()) {
        out.fault = faulty->fault;
        out.fault_at = faulty->fault_at;
        return true;
    }
    close_holes(chunks, out);
    return true;
}

template bool parse_text(std::string_view, const LineShape&, std::size_t, const KeepGoing&, TextColumns<std::int32_t>&);
template bool parse_text(std::string_view, const LineShape&, std::size_t, const KeepGoing&, TextColumns<std::int64_t>&);

}  // namespace pingce
