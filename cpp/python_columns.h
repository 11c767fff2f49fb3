// Columns of labels, scores and weights as Python hands them over, and what comes back of them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>

#include "gather.h"
#include "labels.h"
#include "python_calls.h"
#include "python_ids.h"

namespace pingce::python {

// No threads for what is shorter than the start of one.
inline std::size_t worth_threads(std::size_t rows, std::size_t threads) {
    constexpr std::size_t small = std::size_t{1} << 14;
    return rows < small ? 0 : threads;
}

template <class T>
std::span<const T> view(const Input<T>& values) {
    return {values.data(), values.shape(0)};
}

template <class T>
std::span<const T> typed(const AnyInput& values) {
    return {static_cast<const T*>(values.data()), values.shape(0)};
}

inline void check_length(std::size_t rows, std::size_t expected) {
    if (rows != expected) throw std::invalid_argument("columns differ in length");
}

template <class Action>
auto for_type_of(const AnyInput& scores, const Action& action) {
    if (scores.dtype() == nb::dtype<float>()) return action(typed<float>(scores));
    if (scores.dtype() == nb::dtype<double>()) return action(typed<double>(scores));
    throw std::invalid_argument("scores must be float32 or float64");
}

template <class Score>
Labelled<Score> labelled(const Input<std::uint8_t>& positive, std::span<const Score> scores,
                         std::span<const double> weights) {
    check_length(positive.shape(0), scores.size());
    if (!weights.empty()) check_length(weights.size(), scores.size());
    return {view(positive), scores, weights};
}

// Ids as `take` gives them.
inline nb::object ids_of(Buffer<std::int64_t>&& ids, std::size_t) { return nb::cast(hand_over(std::move(ids))); }
inline nb::object ids_of(Buffer<PackedString>&& ids, std::size_t threads) {
    Strings strings = without_gil([&] { return unpack({ids.data(), ids.size()}, threads, check_signals); });
    return nb::make_tuple(hand_over(std::move(strings.data)), hand_over(std::move(strings.ends)));
}

}  // namespace pingce::python
