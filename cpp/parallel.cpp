#include "parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace pingce {
namespace {

constexpr std::chrono::milliseconds between_polls{50};

struct Job {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stop{false};
    std::mutex mutex;
    std::condition_variable finished;
    std::size_t running = 0;
    std::exception_ptr failure;

    // Called while an exception is handled: the first one is kept for the caller.
    void fail() {
        stop = true;
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
    }
};

void work_through(Job& job, std::size_t parts, const std::function<void(std::size_t)>& work) {
    try {
        for (std::size_t part; !job.stop.load(std::memory_order_relaxed) && (part = job.next.fetch_add(1)) < parts;) {
            work(part);
        }
    } catch (...) {
        job.fail();
    }
    const std::lock_guard lock(job.mutex);
    if (--job.running == 0) job.finished.notify_all();
}

// Threads that are waited for, whatever happens.
class Workers {
 public:
    Workers() = default;
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    ~Workers() { join(); }

    void join() {
        for (std::thread& each : threads) each.join();
        threads.clear();
    }

    std::vector<std::thread> threads;
};

// As many workers as the machine grants; if it grants none, the calling thread does the work.
template <class Work>
void start_workers(Job& job, std::vector<std::thread>& workers, const Work& work) {
    const std::size_t wanted = job.running;
    workers.reserve(wanted);
    try {
        while (workers.size() < wanted) workers.emplace_back(work);
        return;
    } catch (const std::system_error&) {
        const std::lock_guard lock(job.mutex);
        job.running -= wanted - std::max<std::size_t>(workers.size(), 1);
    }
    if (workers.empty()) work();
}

void run_here(std::size_t parts, const std::function<void(std::size_t)>& work, const Poll& poll) {
    auto last_poll = std::chrono::steady_clock::now();
    for (std::size_t part = 0; part < parts; ++part) {
        work(part);
        const auto now = std::chrono::steady_clock::now();
        if (now - last_poll < between_polls) continue;
        last_poll = now;
        poll();
    }
}

// Polls until no worker runs any more, or one of them failed.
void wait_for(Job& job, const Poll& poll) {
    std::unique_lock lock(job.mutex);
    while (!job.finished.wait_for(lock, between_polls, [&] { return job.running == 0; })) {
        if (job.stop) continue;
        lock.unlock();
        try {
            poll();
        } catch (...) {
            job.fail();
        }
        lock.lock();
    }
}

}  // namespace

void run_parallel(std::size_t parts, std::size_t threads, const std::function<void(std::size_t)>& work,
                  const Poll& poll) {
    if (threads == 0) return run_here(parts, work, poll);
    if (parts == 0) return;
    Job job;
    job.running = std::clamp<std::size_t>(threads, 1, parts);
    Workers workers;
    start_workers(job, workers.threads, [&] { work_through(job, parts, work); });
    wait_for(job, poll);
    workers.join();
    if (job.failure) std::rethrow_exception(job.failure);
}

}  // namespace pingce
