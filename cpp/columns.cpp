#include "columns.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "parts.h"

namespace pingce {
namespace {

bool ends_of_block(const float* x, std::size_t rows, float& low, float& high) {
    return kernels().ends_float(x, rows, low, high);
}

bool ends_of_block(const double* x, std::size_t rows, double& low, double& high) {
    return kernels().ends_double(x, rows, low, high);
}

template <class Score>
struct Bounds {
    Score low = std::numeric_limits<Score>::infinity(), high = -low;
    bool finite = true;

    void add(const Bounds& other) {
        low = std::min(low, other.low);
        high = std::max(high, other.high);
        finite = finite && other.finite;
    }
};

// Whole numbers are equal where their bits are: a loop for each width will do.
template <class T>
std::size_t match(const T* x, std::size_t rows, T low, T high, std::uint8_t* out) {
    const Kernels& loops = kernels();
    if constexpr (std::is_same_v<T, float>) {
        return loops.match_float(x, rows, low, high, out);
    } else if constexpr (std::is_same_v<T, double>) {
        return loops.match_double(x, rows, low, high, out);
    } else {
        using Bits = std::make_unsigned_t<T>;
        const auto* const bits = reinterpret_cast<const Bits*>(x);
        const auto first = static_cast<Bits>(low), second = static_cast<Bits>(high);
        if constexpr (sizeof(T) == 1) return loops.match_8(bits, rows, first, second, out);
        if constexpr (sizeof(T) == 2) return loops.match_16(bits, rows, first, second, out);
        if constexpr (sizeof(T) == 4) return loops.match_32(bits, rows, first, second, out);
        if constexpr (sizeof(T) == 8) return loops.match_64(bits, rows, first, second, out);
    }
}

template <class T>
bool is_finite(T value) {
    if constexpr (std::is_floating_point_v<T>) return std::isfinite(value);
    return true;
}

}  // namespace

template <class Score>
Ends<Score> ends_of(std::span<const Score> values, std::size_t threads, const Poll& poll) {
    const Bounds<Score> bounds = sum_rows(values.size(), threads, poll, [&](const Strand& strand) {
        Bounds<Score> all;
        strand.for_each_block([&](std::size_t first, std::size_t rows) {
            Bounds<Score> block;
            block.finite = ends_of_block(values.data() + first, rows, block.low, block.high);
            all.add(block);
        });
        return all;
    });
    return {bounds.low + Score{0}, bounds.high + Score{0}, bounds.finite};
}

template <class T>
std::optional<TwoLabels> two_labels(std::span<const T> values, std::size_t threads, const Poll& poll) {
    const T first = values[0];
    const auto other = std::find_if(values.begin(), values.end(), [&](T value) { return value != first; });
    const std::size_t row = other == values.end() ? 0 : static_cast<std::size_t>(other - values.begin());
    if (!is_finite(first) || !is_finite(values[row])) return std::nullopt;
    const bool rises = first < values[row];
    TwoLabels out{rises ? 0 : row, rises ? row : 0, 0, Buffer<std::uint8_t>(values.size())};
    std::atomic<std::size_t> count{0};
    std::atomic<bool> has_others{false};
    run_parallel(
        parts_of(values.size()), threads,
        [&](std::size_t part) {
            const std::size_t begin = part * part_rows, rows = std::min(part_rows, values.size() - begin);
            const std::size_t high =
                match(values.data() + begin, rows, values[out.low_row], values[out.high_row], &out.is_high[begin]);
            high > rows ? has_others.store(true) : static_cast<void>(count += high);
        },
        poll);
    if (has_others) return std::nullopt;
    out.count = count;
    return out;
}

template Ends<float> ends_of(std::span<const float>, std::size_t, const Poll&);
template Ends<double> ends_of(std::span<const double>, std::size_t, const Poll&);
template std::optional<TwoLabels> two_labels(std::span<const std::int8_t>, std::size_t, const Poll&);
template std::optional<TwoLabels> two_labels(std::span<const std::uint8_t>, std::size_t, const Poll&);
template std::optional<TwoLabels> two_labels(std::span<const std::int16_t>, std::size_t, const Poll&);
template std::optional<TwoLabels> two_labels(std::span<const std::uint16_t>, std::size_t, const Poll&);
template std::optional<TwoLabels> two_labels(std::span<const std::int32_t>, std::size_t, const Poll&);
template std::optional<TwoLabels> two_labels(std::span<const std::uint32_t>, std::size_t, const Poll&);
template std::optional<TwoLabels> two_labels(std::span<const std::int64_t>, std::size_t, const Poll&);
template std::optional<TwoLabels> two_labels(std::span<const std::uint64_t>, std::size_t, const Poll&);
template std::optional<TwoLabels> two_labels(std::span<const float>, std::size_t, const Poll&);
template std::optional<TwoLabels> two_labels(std::span<const double>, std::size_t, const Poll&);

}  // namespace pingce
