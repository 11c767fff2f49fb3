// Vectors as the loops of factor_kernels.h read them: packed, dimension by dimension, some users or items at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "factor_kernels.h"
#include "factors.h"

namespace pingce {

inline float from_half(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16, rest = bits & 0x7fffU;
    if (rest >= 0x7c00U) return std::bit_cast<float>(sign | 0x7f800000U | ((rest & 0x3ffU) << 13));
    if (rest >= 0x400U) return std::bit_cast<float>(sign | ((rest << 13) + 0x38000000U));
    const float small = static_cast<float>(rest) * 0x1p-24F;
    return sign != 0 ? -small : small;
}

template <class Real>
Real number_at(const std::byte* place, FactorType type) {
    const auto read = [&]<class Stored>(Stored stored) {
        std::memcpy(&stored, place, sizeof stored);
        return stored;
    };
    switch (type) {
        case FactorType::half:
            return static_cast<Real>(from_half(read(std::uint16_t{})));
        case FactorType::brain:
            return static_cast<Real>(std::bit_cast<float>(static_cast<std::uint32_t>(read(std::uint16_t{})) << 16));
        case FactorType::single:
            return static_cast<Real>(read(float{}));
        default:
            return static_cast<Real>(read(double{}));
    }
}

// Writes a row of a matrix, each number divided by the norm where there is one, `step` numbers apart.
template <class Real>
void spread_row(const Vectors& vectors, std::size_t row, std::span<const Real> norms, Real* out, std::size_t step) {
    const std::byte* place = vectors.data + static_cast<std::ptrdiff_t>(row) * vectors.row_step;
    for (std::size_t d = 0; d < vectors.width; ++d, place += vectors.column_step)
        out[d * step] = number_at<Real>(place, vectors.type);
    if (norms.empty()) return;
    for (std::size_t d = 0; d < vectors.width; ++d) out[d * step] /= norms[row];
}

template <class Real>
class UserPack {
 public:
    UserPack(const Scoring<Real>& scoring, const Panel& panel) : scoring_(scoring), group_(panel.users) {}

    // Packs these users, in groups of which the last may be filled up with zeros.
    void pack(std::span<const std::int64_t> users) {
        const std::size_t width = scoring_.users.width, groups = (users.size() + group_ - 1) / group_;
        packed_.assign(groups * group_ * width, Real{});
        for (std::size_t i = 0; i < users.size(); ++i) {
            Real* const out = packed_.data() + i / group_ * group_ * width + i % group_;
            spread_row(scoring_.users, static_cast<std::size_t>(users[i]), scoring_.user_norms, out, group_);
        }
    }
    [[nodiscard]] const Real* group(std::size_t number) const {
        return packed_.data() + number * group_ * scoring_.users.width;
    }

 private:
    const Scoring<Real>& scoring_;
    std::size_t group_;
    std::vector<Real> packed_;
};

// Some items, side by side; which rows of their matrix they are is asked of a function.
template <class Real>
class ItemTile {
 public:
    ItemTile(const Scoring<Real>& scoring, const Panel& panel) : scoring_(scoring), panel_(panel.items) {}

    template <class Row>
    void pack(std::size_t count, const Row& row) {
        count_ = count;
        const std::size_t width = scoring_.items.width;
        packed_.assign(padded() * width, Real{});
        bias_.clear();
        for (std::size_t i = 0; i < count; ++i) {
            Real* const out = packed_.data() + i / panel_ * panel_ * width + i % panel_;
            spread_row(scoring_.items, row(i), scoring_.item_norms, out, panel_);
            if (!scoring_.item_bias.empty()) bias_.push_back(scoring_.item_bias[row(i)]);
        }
    }
    [[nodiscard]] std::size_t padded() const { return (count_ + panel_ - 1) / panel_ * panel_; }
    [[nodiscard]] std::size_t panels() const { return padded() / panel_; }
    [[nodiscard]] const Real* data() const { return packed_.data(); }

    // What is left to do of the scores of one user: biases, rounding, and no number where there is no item.
    void finish(std::int64_t user, Real* scores) const {
        for (std::size_t i = 0; i < bias_.size(); ++i) scores[i] += bias_[i];
        if (!scoring_.user_bias.empty()) {
            const Real bias = scoring_.user_bias[static_cast<std::size_t>(user)];
            for (std::size_t i = 0; i < count_; ++i) scores[i] += bias;
        }
        if (scoring_.rounds)
            for (std::size_t i = 0; i < count_; ++i) scores[i] = static_cast<Real>(static_cast<float>(scores[i]));
        std::fill(scores + count_, scores + padded(), std::numeric_limits<Real>::quiet_NaN());
    }

 private:
    const Scoring<Real>& scoring_;
    std::size_t panel_, count_ = 0;
    std::vector<Real> packed_, bias_;
};

}  // namespace pingce
