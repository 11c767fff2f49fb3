// What Python asks of text: its columns, at once or while Python does something else.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <variant>

#include "files.h"
#include "python_calls.h"
#include "python_ids.h"
#include "separators.h"
#include "text.h"

namespace pingce::python {

using namespace nb::literals;

namespace {

using Columns = std::variant<TextColumns<std::int32_t>, TextColumns<std::int64_t>>;

std::string_view text_of(const std::uint8_t* bytes, std::size_t size) {
    return {reinterpret_cast<const char*>(bytes), size};
}

const LineShape& checked(const LineShape& shape) {
    if (shape.query >= shape.fields || shape.item >= shape.fields || shape.value > shape.fields ||
        shape.fields > max_fields)
        throw std::invalid_argument("no such field");
    return shape;
}

Columns parse(std::string_view text, const LineShape& shape, std::size_t threads, const Poll& poll) {
    if (text.size() < std::size_t{1} << 31) return pingce::parse_text<std::int32_t>(text, shape, threads, poll);
    return pingce::parse_text<std::int64_t>(text, shape, threads, poll);
}

Fields columns_dict(Columns&& parsed) {
    return std::visit(
        [](auto&& columns) {
            Fields out;
            out["fault"] = columns.fault;
            out["fault_at"] = columns.fault_at;
            if (columns.fault != TextFault::none) return out;
            out["query_start"] = hand_over(std::move(columns.query_start));
            out["query_end"] = hand_over(std::move(columns.query_end));
            out["item_start"] = hand_over(std::move(columns.item_start));
            out["item_end"] = hand_over(std::move(columns.item_end));
            out["value"] = hand_over(std::move(columns.value));
            out["comments"] = columns.comments;
            return out;
        },
        std::move(parsed));
}

Fields parse_text(const Input<std::uint8_t>& bytes, std::size_t query, std::size_t item, std::size_t value,
                  std::size_t fields, bool exact, std::size_t threads, bool within) {
    const LineShape shape = checked({query, item, value, fields, exact, within});
    return columns_dict(
        without_gil([&] { return parse(text_of(bytes.data(), bytes.shape(0)), shape, threads, check_signals); }));
}

using Bytes = Buffer<std::uint8_t>;

struct FileBytes {
    std::shared_ptr<const Bytes> bytes;  // none where the file is shorter than it said, or cannot be read
    bool ascii = false;                  // looked at while they were in the cache
};

FileBytes read_file(int handle, std::size_t size, std::size_t threads, const Poll& poll) {
    constexpr std::size_t part = std::size_t{1} << 19;
    const auto bytes = std::make_shared<Bytes>(size);
    std::atomic<bool> whole{true}, ascii{true};
    const auto read = [&](std::size_t i) {
        const std::size_t begin = i * part, end = std::min(size, begin + part);
        for (std::size_t at = begin; at < end;) {
            const std::size_t count = read_at(handle, bytes->data() + at, end - at, at);
            if (count == 0) whole = false;
            if (!whole) return;
            at += count;
        }
        if (!is_ascii(text_of(bytes->data() + begin, end - begin))) ascii = false;
    };
    run_parallel((size + part - 1) / part, threads, read, poll);
    return whole ? FileBytes{bytes, ascii} : FileBytes();
}

// An open file that threads read, and parse where it has fields, until somebody wants it. Python's lock is not needed
// for that, nor is NumPy.
class EarlyText {
 public:
    EarlyText(int handle, std::size_t size, std::size_t query, std::size_t item, std::size_t value, std::size_t fields,
              bool exact, std::size_t threads)
        : handle_(duplicate(handle)), shape_{query, item, value, fields, exact, false} {
        if (fields > 0) checked(shape_);
        const Poll poll = [this] {
            if (stop_) throw Interruption();
        };
        file_ = std::async(std::launch::async, [=, this] { return read_file(handle_, size, threads, poll); }).share();
        parsed_ = std::async(std::launch::async, [=, this, file = file_]() -> Columns {
            const std::shared_ptr<const Bytes> bytes = file.get().bytes;
            if (bytes == nullptr || shape_.fields == 0) return {};
            return parse(text_of(bytes->data(), bytes->size()), shape_, threads, poll);
        });
    }
    EarlyText(const EarlyText&) = delete;
    EarlyText& operator=(const EarlyText&) = delete;
    ~EarlyText() {
        stop_ = true;
        parsed_ = {};  // waits for its threads
        close_file(handle_);
    }

    // Nothing where the file could not be read whole.
    std::optional<Output<const std::uint8_t>> bytes() {
        const std::shared_ptr<const Bytes> bytes = awaited(file_).get().bytes;
        if (bytes == nullptr) return std::nullopt;
        auto owner = std::make_unique<std::shared_ptr<const Bytes>>(bytes);
        const nb::capsule keep(owner.release(),
                               [](void* p) noexcept { delete static_cast<std::shared_ptr<const Bytes>*>(p); });
        return Output<const std::uint8_t>(bytes->data(), {bytes->size()}, keep);
    }

    // Whether its columns are what parsing such bytes would give: all of its own, cut alike.
    bool is_of(const Input<std::uint8_t>& bytes, std::size_t query, std::size_t item, std::size_t value,
               std::size_t fields, bool exact) {
        return owns(bytes) && query == shape_.query && item == shape_.item && value == shape_.value &&
               fields == shape_.fields && exact == shape_.exact;
    }

    // Whether such bytes are all of its own, and ASCII alone.
    bool is_ascii(const Input<std::uint8_t>& bytes) { return owns(bytes) && awaited(file_).get().ascii; }

    // Once.
    Fields columns() {
        if (!parsed_.valid()) throw std::logic_error("its columns were taken before");
        awaited(parsed_);
        return columns_dict(parsed_.get());
    }

 private:
    template <class Future>
    static Future& awaited(Future& future) {
        without_gil([&] {
            while (future.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) check_signals();
            return true;
        });
        return future;
    }

    bool owns(const Input<std::uint8_t>& bytes) {
        const std::shared_ptr<const Bytes> own = awaited(file_).get().bytes;
        return own != nullptr && bytes.data() == own->data() && bytes.shape(0) == own->size();
    }

    int handle_;
    LineShape shape_;
    std::atomic<bool> stop_{false};
    std::shared_future<FileBytes> file_;
    std::future<Columns> parsed_;
};

}  // namespace

void define_text(nb::module_& module) {
    nb::enum_<pingce::TextFault>(module, "TextFault", nb::is_arithmetic())
        .value("none", pingce::TextFault::none)
        .value("few_fields", pingce::TextFault::few_fields)
        .value("many_fields", pingce::TextFault::many_fields)
        .value("not_a_number", pingce::TextFault::not_a_number)
        .value("carriage_return", pingce::TextFault::carriage_return)
        .value("row_or_comment", pingce::TextFault::row_or_comment);
    module.def("parse_text", &parse_text, "bytes"_a, "query"_a, "item"_a, "value"_a, "fields"_a, "exact"_a, "threads"_a,
               "within"_a = false);
    nb::class_<EarlyText>(module, "EarlyText")
        .def(nb::init<int, std::size_t, std::size_t, std::size_t, std::size_t, std::size_t, bool, std::size_t>(),
             "handle"_a, "size"_a, "query"_a, "item"_a, "value"_a, "fields"_a, "exact"_a, "threads"_a)
        .def("bytes", &EarlyText::bytes)
        .def("is_ascii", &EarlyText::is_ascii, "bytes"_a)
        .def("is_of", &EarlyText::is_of, "bytes"_a, "query"_a, "item"_a, "value"_a, "fields"_a, "exact"_a)
        .def("columns", &EarlyText::columns);
}

}  // namespace pingce::python
