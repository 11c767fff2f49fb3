// Threads that live for one call: no pool survives it, so a process may fork afterwards.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "portable.h"
#include "stop.h"

namespace pingce {

// Called now and then by the calling thread; throws Interruption where the work should stop.
using Poll = std::function<void()>;

// For work whose parts are long: looked at between stretches of it, on any thread.
class Watch {
 public:
    explicit Watch(const Poll& poll)
        : poll_([this, &poll] {
              try {
                  poll();
              } catch (...) {
                  stopped_ = true;
                  throw;
              }
          }) {}
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    [[nodiscard]] const Poll& poll() const { return poll_; }
    void check() const {
        if (stopped_.load(std::memory_order_relaxed)) throw Interruption();
    }

 private:
    std::atomic<bool> stopped_{false};
    Poll poll_;
};

// Runs work(part) for every part in [0, parts) on `threads` threads; parts are handed out in order. With 0 threads the
// calling thread does it all: for work that should be shorter than the start of a thread; it polls, too, once it is
// not. Throws what the poll or a worker threw first, once no worker runs any more.
void run_parallel(std::size_t parts, std::size_t threads, const std::function<void(std::size_t)>& work,
                  const Poll& poll);

// The calling thread's object of a type, for one use of it at a time. A call finds it once: in loops a compiler would
// look up a variable of the thread at each use.
template <class T>
PINGCE_NEVER_INLINE T& of_thread() {
    thread_local T object;
    return object;
}

}  // namespace pingce
