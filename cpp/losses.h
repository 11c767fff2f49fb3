// The loss of each row, where sums of losses are not enough.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "buffer.h"
#include "labels.h"
#include "parallel.h"
#include "parts.h"

namespace pingce {

template <class Score>
Buffer<double> row_losses(std::span<const std::uint8_t> positive, std::span<const Score> scores, double epsilon,
                          std::size_t threads, const Poll& poll) {
    Buffer<double> losses(scores.size());
    run_parallel(
        parts_of(scores.size()), threads,
        [&](std::size_t part) {
            const std::size_t end = std::min(scores.size(), (part + 1) * part_rows);
            for (std::size_t i = part * part_rows; i < end; ++i)
                losses[i] = loss_of(static_cast<double>(scores[i]), positive[i] != 0, epsilon);
        },
        poll);
    return losses;
}

}  // namespace pingce
