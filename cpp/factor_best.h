// The best items of a user, in memory that is bounded unless very many are equal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace pingce {

// The best items of one user so far, and all that equal the last of them.
template <class Real>
class Best {
 public:
    explicit Best(std::size_t depth) : depth_(depth), room_(std::max<std::size_t>(2 * std::min(depth, most), 64)) {}

    [[nodiscard]] Real bound() const { return bound_; }
    void add(Real score, std::int64_t item) {
        if (!(score >= bound_)) return;
        items_.emplace_back(score, item);
        if (items_.size() >= room_) cut();
    }
    const std::vector<std::pair<Real, std::int64_t>>& finished() {
        cut();
        return items_;
    }

 private:
    static constexpr std::size_t most = std::size_t{1} << 40;
    void cut() {
        if (items_.size() <= depth_) return;
        const auto last = items_.begin() + static_cast<std::ptrdiff_t>(depth_) - 1;
        std::nth_element(items_.begin(), last, items_.end(), std::greater<>());
        bound_ = last->first;
        std::erase_if(items_, [&](const auto& item) { return item.first < bound_; });
        room_ = std::max(room_, 2 * items_.size());
    }

    std::size_t depth_, room_;
    Real bound_ = -std::numeric_limits<Real>::infinity();
    std::vector<std::pair<Real, std::int64_t>> items_;
};

}  // namespace pingce
