// Integers in a narrow range, numbered in their order: a table has the number of each.
#pragma once

#include <cstdint>
#include <span>

#include "buffer.h"
#include "parallel.h"

namespace pingce {

// The number of each integer from `low` on among those that occur, -1 for one that does not; all lie in the table.
Buffer<std::int32_t> number_table(std::span<const std::int64_t> values, std::int64_t low, std::size_t size,
                                  const Poll& poll);

// The number of each integer, -1 where it is not in the table.
Buffer<std::int64_t> look_up(std::span<const std::int64_t> values, std::int64_t low,
                             std::span<const std::int32_t> table, const Poll& poll);

}  // namespace pingce
