// Threads that live for one call: no pool survives it, so a process may fork afterwards.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace pingce {

// Thrown by work on the calling thread when keep_going says no.
struct Stopped {};

// Asked now and then by the calling thread; false means: stop (the user pressed Ctrl-C).
using KeepGoing = std::function<bool()>;

// For work whose parts are long: asked between stretches of it, on any thread, whether it was stopped meanwhile.
class Watch {
 public:
    explicit Watch(const KeepGoing& keep_going)
        : ask_([this, &keep_going] {
              if (!keep_going()) stopped_ = true;
              return !stopped_;
          }) {}
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    [[nodiscard]] const KeepGoing& ask() const { return ask_; }
    [[nodiscard]] bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

 private:
    std::atomic<bool> stopped_{false};
    KeepGoing ask_;
};

// Runs work(part) for every part in [0, parts) on `threads` threads; parts are handed out in order. With 0 threads the
// calling thread does it all: for work that should be shorter than the start of a thread; it asks, too, once it is not.
// Returns false if it was stopped; rethrows the first exception a worker threw.
[[nodiscard]] bool run_parallel(std::size_t parts, std::size_t threads, const std::function<void(std::size_t)>& work,
                                const KeepGoing& keep_going);

}  // namespace pingce
