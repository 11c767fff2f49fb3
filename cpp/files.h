// Open files as the system has them, read by several threads at once, each at its own place.
#pragma once

#include <cstddef>

namespace pingce {

int duplicate(int handle);
void close_file(int handle);

// How many bytes came; 0 at the end, and where it cannot be read.
std::size_t read_at(int handle, void* into, std::size_t bytes, std::size_t offset);

}  // namespace pingce
