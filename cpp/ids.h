// Id columns as the core sees them: pieces of memory that Python owns, laid out as Arrow or a text file has them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "hashes.h"

namespace pingce {

// Integers of any width; unsigned 64-bit ones must fit in 63 bits.
struct IntPiece {
    using Value = std::int64_t;
    enum class Type { i64, i32, i16, i8, u64, u32, u16, u8 };

    const void* values = nullptr;
    Type type = Type::i64;

    [[nodiscard]] Value at(std::size_t i) const {
        Value value = 0;
        read(i, 1, &value);
        return value;
    }

    // The ids [first, first + count), the layout looked at once for all.
    void read(std::size_t first, std::size_t count, Value* out) const {
        switch (type) {
            case Type::i64:
                return copy<std::int64_t>(first, count, out);
            case Type::i32:
                return copy<std::int32_t>(first, count, out);
            case Type::i16:
                return copy<std::int16_t>(first, count, out);
            case Type::i8:
                return copy<std::int8_t>(first, count, out);
            case Type::u64:
                return copy<std::uint64_t>(first, count, out);
            case Type::u32:
                return copy<std::uint32_t>(first, count, out);
            case Type::u16:
                return copy<std::uint16_t>(first, count, out);
            case Type::u8:
                return copy<std::uint8_t>(first, count, out);
        }
    }

 private:
    template <class T>
    void copy(std::size_t first, std::size_t count, Value* out) const {
        const T* from = static_cast<const T*>(values) + first;
        for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<Value>(from[i]);
    }
};

// UTF-8 strings; byte order equals code-point order. Either slices of one buffer, data[starts[i], ends[i]), which is
// how text files and Arrow's string and large_string have them, or Arrow's views: 16 bytes a string, which hold its
// length and either the string itself or its first letters, the number of a buffer and an offset.
struct StringPiece {
    using Value = std::string_view;
    enum class Form { slices32, slices64, views };

    Form form = Form::slices32;
    const char* data = nullptr;    // of slices: the letters; of views: the views
    const void* starts = nullptr;  // of slices
    const void* ends = nullptr;
    const std::vector<const char*>* buffers = nullptr;  // of views

    [[nodiscard]] Value at(std::size_t i) const {
        Value value;
        read(i, 1, &value);
        return value;
    }

    // The ids [first, first + count), the layout looked at once for all.
    void read(std::size_t first, std::size_t count, Value* out) const {
        switch (form) {
            case Form::slices32:
                for (std::size_t i = 0; i < count; ++i) out[i] = slice<std::int32_t>(first + i);
                break;
            case Form::slices64:
                for (std::size_t i = 0; i < count; ++i) out[i] = slice<std::int64_t>(first + i);
                break;
            case Form::views:
                for (std::size_t i = 0; i < count; ++i) out[i] = view(first + i);
                break;
        }
    }

 private:
    static constexpr std::int32_t longest_within = 12;

    template <class Offset>
    [[nodiscard]] Value slice(std::size_t i) const {
        const Offset from = static_cast<const Offset*>(starts)[i], to = static_cast<const Offset*>(ends)[i];
        return {data + from, static_cast<std::size_t>(to - from)};
    }

    [[nodiscard]] Value view(std::size_t i) const {
        std::int32_t words[4];  // length, first letters, buffer, offset
        const char* at = data + i * sizeof words;
        std::memcpy(words, at, sizeof words);
        const auto length = static_cast<std::size_t>(words[0]);
        if (words[0] <= longest_within) return {at + sizeof(std::int32_t), length};
        return {(*buffers)[static_cast<std::size_t>(words[2])] + words[3], length};
    }
};

// A whole column: one piece or several (Arrow's chunks, the files of a folder), plain or by codes into a dictionary.
template <class Plain>
class Column {
 public:
    using Value = typename Plain::Value;

    void add(const Plain& values, std::size_t rows) { add({.values = values, .codes = {}, .coded = false}, rows); }
    void add_coded(const Plain& dictionary, const IntPiece& codes, std::size_t rows) {
        add({.values = dictionary, .codes = codes, .coded = true}, rows);
    }

    [[nodiscard]] std::size_t size() const { return begin_.back(); }
    [[nodiscard]] Value operator[](std::size_t row) const {
        if (pieces_.size() == 1) return pieces_.front().at(row);
        const std::size_t piece = piece_of(row);
        return pieces_[piece].at(row - begin_[piece]);
    }

    // The ids of the rows [first, first + count).
    void read(std::size_t first, std::size_t count, Value* out) const {
        for (std::size_t piece = count == 0 ? 0 : piece_of(first); count > 0; ++piece) {
            const std::size_t here = std::min(count, begin_[piece + 1] - first);
            pieces_[piece].read(first - begin_[piece], here, out);
            first += here;
            out += here;
            count -= here;
        }
    }

 private:
    struct Piece {
        Plain values;
        IntPiece codes;
        bool coded = false;

        [[nodiscard]] Value at(std::size_t i) const {
            return values.at(coded ? static_cast<std::size_t>(codes.at(i)) : i);
        }
        void read(std::size_t first, std::size_t count, Value* out) const {
            if (!coded) return values.read(first, count, out);
            for (std::size_t i = 0; i < count; ++i) out[i] = at(first + i);
        }
    };
    static constexpr std::size_t rows_a_block = std::size_t{1} << 12;

    void add(const Piece& piece, std::size_t rows) {
        if (rows == 0) return;
        const std::size_t first = size();
        for (std::size_t b = piece_of_block_.size(); b * rows_a_block < first + rows; ++b) {
            piece_of_block_.push_back(pieces_.size());
        }
        pieces_.push_back(piece);
        begin_.push_back(first + rows);
    }

    // Looked for only among the pieces that share a block with the row: seldom more than two.
    [[nodiscard]] std::size_t piece_of(std::size_t row) const {
        const std::size_t block = row / rows_a_block;
        std::size_t low = piece_of_block_[block];
        const std::size_t high = block + 1 < piece_of_block_.size() ? piece_of_block_[block + 1] : pieces_.size() - 1;
        if (row < begin_[low + 1]) return low;
        const auto from = begin_.begin() + static_cast<std::ptrdiff_t>(low) + 1;
        const auto to = begin_.begin() + static_cast<std::ptrdiff_t>(high) + 1;
        return static_cast<std::size_t>(std::upper_bound(from, to, row) - begin_.begin()) - 1;
    }

    std::vector<Piece> pieces_;
    std::vector<std::size_t> begin_{0};        // first row of each piece, and at the end the number of rows
    std::vector<std::size_t> piece_of_block_;  // the piece that holds the first row of each block
};

using IntIds = Column<IntPiece>;
using StringIds = Column<StringPiece>;

}  // namespace pingce
