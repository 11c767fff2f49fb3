// Groups as columns.
#pragma once

#include <cstdint>

#include "buffer.h"
#include "group_counter.h"

namespace pingce {

// What is counted of groups, a column each: one row a group, sorted by id. What was not asked for is empty.
struct GroupPairs {
    Buffer<std::int64_t> first_row, rows, positives, twice_concordant;
    Buffer<double> loss, positive_weight, negative_weight, concordant, column;

    GroupPairs() = default;
    GroupPairs(std::size_t groups, bool with_loss, bool with_weights, bool with_column)
        : first_row(groups),
          rows(groups),
          positives(groups),
          twice_concordant(groups),
          loss(with_loss ? groups : 0),
          positive_weight(with_weights ? groups : 0),
          negative_weight(with_weights ? groups : 0),
          concordant(with_weights ? groups : 0),
          column(with_column ? groups : 0) {}

    void set(std::size_t at, const Group& group) {
        first_row[at] = group.first_row;
        rows[at] = group.rows;
        positives[at] = group.positives;
        twice_concordant[at] = group.twice_concordant;
        if (loss.size() > 0) loss[at] = group.loss;
        if (positive_weight.size() > 0) {
            positive_weight[at] = group.positive_weight;
            negative_weight[at] = group.negative_weight;
            concordant[at] = group.concordant;
        }
        if (column.size() > 0) column[at] = group.column;
    }
};

}  // namespace pingce
