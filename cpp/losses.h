// The loss of each row, where sums of losses are not enough.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "buffer.h"
#include "kernels.h"
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
            double p[block_rows];
            for (std::size_t row = part * part_rows; row < end; row += block_rows) {
                const std::size_t rows = std::min(block_rows, end - row);
                for (std::size_t i = 0; i < rows; ++i) p[i] = static_cast<double>(scores[row + i]);
                kernels().losses(p, positive.data() + row, rows, epsilon, &losses[row]);
            }
        },
        poll);
    return losses;
}

}  // namespace pingce
