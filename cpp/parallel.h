// Threads that live for one call: no pool survives it, so a process may fork afterwards.
#pragma once

#include <cstddef>
#include <functional>

namespace pingce {

// Thrown by work on the calling thread when keep_going says no.
struct Stopped {};

// Asked now and then by the calling thread; false means: stop (the user pressed Ctrl-C).
using KeepGoing = std::function<bool()>;

// Runs work(part) for every part in [0, parts) on `threads` threads; parts are handed out in order. With 0 threads the
// calling thread does it all: for work that is shorter than the start of a thread.
// Returns false if it was stopped; rethrows the first exception a worker threw.
[[nodiscard]] bool run_parallel(std::size_t parts, std::size_t threads, const std::function<void(std::size_t)>& work,
                                const KeepGoing& keep_going);

}  // namespace pingce
