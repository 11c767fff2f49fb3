#include "hashes.h"

#include <chrono>
#include <exception>
#include <random>

namespace pingce::detail {

Key random_key() {
    std::uint64_t first = 0, second = 0;
    try {
        std::random_device device;
        const auto word = [&] { return static_cast<std::uint64_t>(device()) << 32 | device(); };
        first = word();
        second = word();
    } catch (const std::exception&) {  // no such device: the clock and where the program lies are better than nothing
        first = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
        second = reinterpret_cast<std::uintptr_t>(&first);
    }
    return {.begin = k0 ^ first, .last = (k0 ^ second) | 1};  // even factors would lose bits
}

}  // namespace pingce::detail
