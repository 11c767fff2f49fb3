// Loops over vectors of users and items that are compiled once for each instruction set. A pair's sum runs over its
// dimensions in their order, with every product and every sum rounded on its own: pairs stand side by side in a
// register, never the parts of one sum, so that each has the same bits whatever the width of the registers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pingce {

// Users and items that are multiplied together; packed numbers of both lie dimension by dimension.
struct Panel {
    std::size_t users, items;
};

template <class Real>
struct FactorKernels {
    const char* name;
    Panel panel;
    // Scores of panel.users users with `panels` panels of items, a row of `stride` scores a user: Σ a · b, or, of
    // distances, -Σ (a - b)².
    void (*products)(const Real* users, const Real* items, std::size_t width, std::size_t panels, Real* scores,
                     std::size_t stride);
    void (*distances)(const Real* users, const Real* items, std::size_t width, std::size_t panels, Real* scores,
                      std::size_t stride);
    // Adds to `above` and `equal` how many scores exceed and equal each threshold; `rows` is a multiple of panel.items.
    void (*count)(const Real* scores, std::size_t rows, const Real* thresholds, std::size_t many, std::uint32_t* above,
                  std::uint32_t* equal);
};

// Those of every instruction set that this processor has, the widest last.
std::size_t factor_levels();
template <class Real>
const FactorKernels<Real>& factor_kernels(std::size_t level);

// The level of calls that do not name one: the widest, unless vector paths are turned off.
std::size_t usual_factor_level();

struct FactorLoops {
    FactorKernels<float> floats;
    FactorKernels<double> doubles;
};

extern const FactorLoops baseline_factors;
#if defined(PINGCE_AVX2)
extern const FactorLoops avx2_factors;
#endif

}  // namespace pingce
