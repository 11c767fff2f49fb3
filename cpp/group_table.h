// Groups as columns.
#pragma once

#include <cstdint>
#include <vector>

#include "buffer.h"
#include "group_counter.h"

namespace pingce {

// What is counted of groups, a column each: one row a group, sorted by id. What was not asked for is empty.
template <class Id>
struct GroupPairs {
    Buffer<Id> ids;
    Buffer<std::int64_t> rows, positives, twice_concordant;
    Buffer<std::uint8_t> constant;
    Buffer<double> loss, positive_weight, negative_weight, concordant, column;

    GroupPairs(std::size_t groups, bool with_loss, bool with_weights, bool with_column)
        : ids(groups),
          rows(groups),
          positives(groups),
          twice_concordant(groups),
          constant(groups),
          loss(with_loss ? groups : 0),
          positive_weight(with_weights ? groups : 0),
          negative_weight(with_weights ? groups : 0),
          concordant(with_weights ? groups : 0),
          column(with_column ? groups : 0) {}

    void set(std::size_t at, const Id& id, const GroupCounts& counts) {
        ids[at] = id;
        rows[at] = counts.rows;
        positives[at] = counts.positives;
        twice_concordant[at] = counts.twice_concordant;
        constant[at] = counts.constant;
    }

    void set(std::size_t at, const GroupSums& sums) {
        if (loss.size() > 0) loss[at] = sums.loss;
        if (positive_weight.size() > 0) {
            positive_weight[at] = sums.positive_weight;
            negative_weight[at] = sums.negative_weight;
            concordant[at] = sums.concordant;
        }
        if (column.size() > 0) column[at] = sums.column;
    }
};

// Groups that were counted one after another; no sums where none are asked for.
template <class Id>
struct GroupList {
    std::vector<Id> ids;
    std::vector<GroupCounts> counts;
    std::vector<GroupSums> sums;

    void reserve(std::size_t groups) {
        ids.reserve(groups);
        counts.reserve(groups);
    }
};

}  // namespace pingce
