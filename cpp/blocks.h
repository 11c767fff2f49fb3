// Columns of a block of rows, added to exact totals: mostly in registers, the same integers as one by one.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "kernels.h"
#include "total.h"

namespace pingce {

// Too large for the stack of a thread.
class Blocks {
 public:
    // Σ x.
    void add(Total& to, const double* x, std::size_t rows) { add_within(to, x, rows, kernels_.largest(x, rows)); }

    // Σ x, where no |x| is more than `most`.
    void add_within(Total& to, const double* x, std::size_t rows, double most) {
        if (most == 0.0) return;
        const std::uint64_t exponent = std::bit_cast<std::uint64_t>(most) >> 52;
        if (exponent < lowest || exponent > highest) {
            for (std::size_t i = 0; i < rows; ++i) to.add(x[i]);
            return;
        }
        double big[3];
        for (std::size_t place = 0; place < 3; ++place) big[place] = scaled(exponent + 2 - 52 * place);
        Digits digits;
        const bool rest = kernels_.sum(x, rows, big, digits, rest_);
        for (std::size_t place = 0; place < 3; ++place) {
            if (digits.at[place] != 0) to.put(digits.at[place], exponent + 1077 - 52 * place);
        }
        for (std::size_t i = 0; rest && i < rows; ++i) {
            if (rest_[i] != 0.0) to.add(rest_[i]);
        }
    }

    // Σ a · b.
    void add(Total& to, const double* a, const double* b, std::size_t rows) {
        const double most = kernels_.largest(a, rows);
        add_within(to, a, b, rows, most, a == b ? most : kernels_.largest(b, rows));
    }

    // Σ a · b, where no |a| and no |b| is more than that.
    void add_within(Total& to, const double* a, const double* b, std::size_t rows, double most_a, double most_b) {
        if (most_a >= beyond || most_b >= beyond) {
            for (std::size_t i = 0; i < rows; ++i) to.add(a[i], b[i]);
            return;
        }
        const bool lost = kernels_.multiply(a, b, rows, product_, low_);
        for (std::size_t i = 0; lost && i < rows; ++i) {
            if (product_[i] == 0.0) to.add(a[i], b[i]);
        }
        add_within(to, product_, rows, most_a * most_b);
        add_within(to, low_, rows, most_a * most_b * 0x1p-53);
    }

    // Σ a · b · weight, where no a · b overflows or vanishes.
    void add(Total& to, const double* a, const double* b, const double* weight, std::size_t rows) {
        if (kernels_.largest(a, rows) >= beyond || kernels_.largest(b, rows) >= beyond ||
            kernels_.multiply(a, b, rows, high_, left_)) {
            for (std::size_t i = 0; i < rows; ++i) to.add(a[i], b[i], weight[i]);
            return;
        }
        add(to, high_, weight, rows);
        add(to, left_, weight, rows);
    }

 private:
    static constexpr std::uint64_t lowest = 500, highest = 1500;  // of exponents: 2^-523 to 2^477
    static constexpr double beyond = 0x1p400;  // products of what is below do not overflow, nor do halves of factors

    // 1.5 · 2^(exponent - 1023).
    static double scaled(std::uint64_t exponent) {
        return std::bit_cast<double>((exponent << 52) | (std::uint64_t{1} << 51));
    }

    const Kernels& kernels_ = kernels();
    double rest_[block_rows], product_[block_rows], low_[block_rows], high_[block_rows], left_[block_rows];
};

}  // namespace pingce
