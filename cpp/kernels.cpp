#include "kernels.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "portable.h"

namespace pingce {
namespace {

#if defined(PINGCE_AVX2)

// Whether the C library computes logarithms as our loops do: those of others, and of other builds, differ in some of a
// hundred numbers.
bool knows_logarithms(const Kernels& tried) {
    constexpr std::size_t blocks = 8;
    struct Line {
        double slope, start;
    };
    constexpr Line lines[] = {{16.0, -0.75}, {0x1p54, 1.0}, {0x1p-3, -1.0 + 0x1p-53}};  // few, large, near -1
    const auto memory = std::make_unique<std::array<double[block_rows], 4>>();
    auto& [shares, x, results, expected] = *memory;
    std::uint8_t positive[block_rows];
    std::uint64_t state = 1;
    for (std::size_t block = 0; block < blocks; ++block) {
        for (std::size_t i = 0; i < block_rows; ++i) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            const double share = static_cast<double>(state >> 11) * 0x1p-53;
            shares[i] = block % 2 == 0 ? share : share * share * share * share;
            positive[i] = static_cast<std::uint8_t>(i % 2);
        }
        tried.losses(shares, positive, block_rows, 0x1p-52, results);
        baseline_kernels.losses(shares, positive, block_rows, 0x1p-52, expected);
        if (std::memcmp(results, expected, sizeof results) != 0) return false;
        for (const Line& line : lines) {
            for (std::size_t i = 0; i < block_rows; ++i) x[i] = shares[i] * line.slope + line.start;
            tried.logs1p(x, block_rows, results);
            baseline_kernels.logs1p(x, block_rows, expected);
            if (std::memcmp(results, expected, sizeof results) != 0) return false;
        }
    }
    return true;
}

#endif

Kernels fastest() {
#if defined(PINGCE_AVX2)
    if (has_avx2() && has_fma()) {
        Kernels best = avx2_kernels;
        if (!knows_logarithms(best)) {
            best.name = "avx2, logarithms by the C library";
            best.losses = baseline_kernels.losses;
            best.logs1p = baseline_kernels.logs1p;
        }
        return best;
    }
#endif
    return baseline_kernels;
}

bool is_wanted() {
    const char* const word = std::getenv("PINGCE_VECTORS");
    return word == nullptr || std::string_view(word) != "0";
}

std::atomic<bool>& switch_of_vectors() {
    static std::atomic<bool> on{is_wanted()};
    return on;
}

}  // namespace

const Kernels& kernels() {
    static const Kernels best = fastest();
    return vectors_are_on() ? best : baseline_kernels;
}

bool vectors_are_on() { return switch_of_vectors().load(std::memory_order_relaxed); }

bool use_vectors(bool wanted) { return switch_of_vectors().exchange(wanted); }

}  // namespace pingce
