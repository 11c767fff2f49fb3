// What Python asks of text: its columns, at once or while Python does something else.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <variant>

#include "python_calls.h"
#include "python_ids.h"
#include "text.h"

namespace pingce::python {

using namespace nb::literals;

namespace {

using Columns = std::variant<TextColumns<std::int32_t>, TextColumns<std::int64_t>>;

std::string_view text_of(const Input<std::uint8_t>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.shape(0)};
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
    return columns_dict(without_gil([&] { return parse(text_of(bytes), shape, threads, check_signals); }));
}

// A text that threads parse until its columns are wanted. It keeps the text alive, and needs no NumPy before that.
class EarlyText {
 public:
    EarlyText(Input<std::uint8_t> bytes, std::size_t query, std::size_t item, std::size_t value, std::size_t fields,
              bool exact, std::size_t threads)
        : bytes_(std::move(bytes)), shape_(checked({query, item, value, fields, exact, false})) {
        const Poll poll = [this] {
            if (stop_) throw Interruption();
        };
        parsed_ = std::async(std::launch::async, [=, this] { return parse(text_of(bytes_), shape_, threads, poll); });
    }
    EarlyText(const EarlyText&) = delete;
    EarlyText& operator=(const EarlyText&) = delete;
    ~EarlyText() { stop_ = true; }  // what was parsed waits for its threads

    // Whether this is what parsing such bytes would give: the same ones in memory, cut alike.
    [[nodiscard]] bool is_of(const Input<std::uint8_t>& bytes, std::size_t query, std::size_t item, std::size_t value,
                             std::size_t fields, bool exact) const {
        return bytes.data() == bytes_.data() && bytes.shape(0) == bytes_.shape(0) && query == shape_.query &&
               item == shape_.item && value == shape_.value && fields == shape_.fields && exact == shape_.exact;
    }

    // Once.
    Fields columns() {
        if (!parsed_.valid()) throw std::logic_error("its columns were taken before");
        return columns_dict(without_gil([&] {
            while (parsed_.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) check_signals();
            return parsed_.get();
        }));
    }

 private:
    Input<std::uint8_t> bytes_;
    LineShape shape_;
    std::atomic<bool> stop_{false};
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
        .def(nb::init<Input<std::uint8_t>, std::size_t, std::size_t, std::size_t, std::size_t, bool, std::size_t>(),
             "bytes"_a, "query"_a, "item"_a, "value"_a, "fields"_a, "exact"_a, "threads"_a)
        .def("is_of", &EarlyText::is_of, "bytes"_a, "query"_a, "item"_a, "value"_a, "fields"_a, "exact"_a)
        .def("columns", &EarlyText::columns);
}

}  // namespace pingce::python
