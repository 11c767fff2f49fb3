// Loops over a block of rows that are compiled once for every processor and once for those with wider registers: each
// row's result has the same bits in both, and integers add up in any order.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pingce {

constexpr std::size_t block_rows = 1024;

// Digits of values below 2^e, at three places: multiples of 2^(e - 51), of 2^(e - 103) and of 2^(e - 155).
struct Digits {
    std::int64_t at[3];
};

// A value as a multiple of two units, which a probability mostly is.
struct BinPlaces {
    std::uint32_t* bin;
    std::int64_t* high;
    std::int64_t* low;
    double* rest;
};

// Sums are of at most block_rows rows.
struct Kernels {
    const char* name;

    // max |x|.
    double (*largest)(const double* x, std::size_t rows);
    // Σ x with |x| < 2^e, less Σ rest; says whether any rest is not 0. `big` are 1.5 · 2^52 times the three units.
    bool (*sum)(const double* x, std::size_t rows, const double* big, Digits& digits, double* rest);
    // a · b = product + rest; both are 0, and true is returned, where a product is too small for that.
    bool (*multiply)(const double* a, const double* b, std::size_t rows, double* product, double* rest);

    void (*widen)(const float* x, std::size_t rows, double* out);
    // p - y.
    void (*label_errors)(const double* p, const std::uint8_t* positive, std::size_t rows, double* out);
    // -ln p of a positive row, -ln(1 - p) of a negative one, p kept within [epsilon, 1 - epsilon]: see labels.h.
    void (*losses)(const double* p, const std::uint8_t* positive, std::size_t rows, double epsilon, double* out);
    // ln(1 + x), x > -1.
    void (*logs1p)(const double* x, std::size_t rows, double* out);
    // How many p lie outside [low, high].
    std::size_t (*count_outside)(const double* p, std::size_t rows, double low, double high);
    // The bin ⌊p · bins⌋ of each p, the last one closed, and p in multiples of 2^-40 and 2^-87.
    bool (*place)(const double* p, std::size_t rows, std::uint32_t bins, const BinPlaces& out);

    // 2 where the score reaches the threshold (or exceeds it), plus 1 for a positive row.
    void (*decide_float)(const float* scores, const std::uint8_t* positive, std::size_t rows, float threshold,
                         bool reach, std::uint8_t* code);
    void (*decide_double)(const double* scores, const std::uint8_t* positive, std::size_t rows, double threshold,
                          bool reach, std::uint8_t* code);
    // The value where the code is this one, else 0.
    void (*pick)(const double* x, const std::uint8_t* codes, std::size_t rows, std::uint8_t code, double* out);

    // predicted - truth and its size.
    void (*number_errors)(const double* truth, const double* predicted, std::size_t rows, double* error, double* size);
    // max |predicted - truth|; false where a number, or a difference, is not finite.
    bool (*largest_error)(const double* truth, const double* predicted, std::size_t rows, double& most);
    // Keeps those within [low, high] and counts those below; says how many were kept. `out` has room for all.
    std::size_t (*sift)(const double* x, std::size_t rows, double low, double high, double* out, std::size_t& below);

    // Lowest and highest; false where one is not finite.
    bool (*ends_float)(const float* x, std::size_t rows, float& low, float& high);
    bool (*ends_double)(const double* x, std::size_t rows, double& low, double& high);

    // 1 where the value is `high`, else 0; how many are 1, or rows + 1 where a value is neither `low` nor `high`.
    std::size_t (*match_8)(const std::uint8_t* x, std::size_t rows, std::uint8_t low, std::uint8_t high,
                           std::uint8_t* out);
    std::size_t (*match_16)(const std::uint16_t* x, std::size_t rows, std::uint16_t low, std::uint16_t high,
                            std::uint8_t* out);
    std::size_t (*match_32)(const std::uint32_t* x, std::size_t rows, std::uint32_t low, std::uint32_t high,
                            std::uint8_t* out);
    std::size_t (*match_64)(const std::uint64_t* x, std::size_t rows, std::uint64_t low, std::uint64_t high,
                            std::uint8_t* out);
    std::size_t (*match_float)(const float* x, std::size_t rows, float low, float high, std::uint8_t* out);
    std::size_t (*match_double)(const double* x, std::size_t rows, double low, double high, std::uint8_t* out);
};

extern const Kernels baseline_kernels;
#if defined(PINGCE_AVX2)
extern const Kernels avx2_kernels;
#endif

// Those that this processor runs fastest, unless vector paths are turned off.
const Kernels& kernels();

// Whether vector paths are on.
bool vectors_are_on();

// Turns the vector paths on or off, for all calls to come; says whether they were on.
bool use_vectors(bool wanted);

}  // namespace pingce
