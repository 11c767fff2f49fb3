#include "factor_kernels.h"

#include "kernels.h"
#include "portable.h"

namespace pingce {
namespace {

const FactorLoops& loops_at([[maybe_unused]] std::size_t level) {
#if defined(PINGCE_AVX2)
    if (level == 1) return avx2_factors;
#endif
    return baseline_factors;
}

}  // namespace

std::size_t factor_levels() {
#if defined(PINGCE_AVX2)
    return has_avx2() ? 2 : 1;
#else
    return 1;
#endif
}

std::size_t usual_factor_level() { return vectors_are_on() ? factor_levels() - 1 : 0; }

template <>
const FactorKernels<float>& factor_kernels(std::size_t level) {
    return loops_at(level).floats;
}
template <>
const FactorKernels<double>& factor_kernels(std::size_t level) {
    return loops_at(level).doubles;
}

}  // namespace pingce
