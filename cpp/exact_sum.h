// The sum of doubles, exact until one last rounding: it does not depend on their order.
#pragma once

#include <cmath>
#include <span>
#include <vector>

namespace pingce {

// Shewchuk's expansion: the sum so far is held as doubles that do not overlap, smallest first.
class ExactSum {
 public:
    void add(double value) {
        std::size_t kept = 0;
        for (double part : parts_) {
            if (std::abs(value) < std::abs(part)) std::swap(value, part);
            const double high = value + part;
            const double low = part - (high - value);
            if (low != 0.0) parts_[kept++] = low;
            value = high;
        }
        parts_.resize(kept);
        if (value != 0.0) parts_.push_back(value);
    }

    // Rounded once, half to even.
    [[nodiscard]] double rounded() const {
        std::size_t left = parts_.size();
        if (left == 0) return 0.0;
        double high = parts_[--left], low = 0.0;
        while (left > 0) {
            const double before = high, part = parts_[--left];
            high = before + part;
            low = part - (high - before);
            if (low != 0.0) break;
        }
        // Exactly half way, and what is left points the same way: the half rounds away.
        if (left > 0 && ((low < 0.0) == (parts_[left - 1] < 0.0))) {
            const double twice = low * 2.0, away = high + twice;
            if (twice == away - high) high = away;
        }
        return high;
    }

 private:
    std::vector<double> parts_;
};

inline double exact_sum(std::span<const double> values) {
    ExactSum sum;
    for (const double value : values) sum.add(value);
    return sum.rounded();
}

}  // namespace pingce
