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

constexpr std::chrono::milliseconds between_questions{50};

struct Job {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stop{false};
    std::mutex mutex;
    std::condition_variable finished;
    std::size_t running = 0;
    std::exception_ptr failure;
};

void work_through(Job& job, std::size_t parts, const std::function<void(std::size_t)>& work) {
    std::exception_ptr failure;
    try {
        for (std::size_t part; !job.stop.load(std::memory_order_relaxed) && (part = job.next.fetch_add(1)) < parts;) {
            work(part);
        }
    } catch (...) {
        failure = std::current_exception();
        job.stop = true;
    }
    const std::lock_guard lock(job.mutex);
    if (failure && !job.failure) job.failure = failure;
    if (--job.running == 0) job.finished.notify_all();
}

// As many workers as the machine grants; if it grants none, the calling thread does the work.
template <class Work>
void start_workers(Job& job, std::vector<std::jthread>& workers, const Work& work) {
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

bool run_here(std::size_t parts, const std::function<void(std::size_t)>& work, const KeepGoing& keep_going) {
    auto asked = std::chrono::steady_clock::now();
    for (std::size_t part = 0; part < parts; ++part) {
        work(part);
        const auto now = std::chrono::steady_clock::now();
        if (now - asked < between_questions) continue;
        asked = now;
        if (!keep_going()) return false;
    }
    return true;
}

}  // namespace

bool run_parallel(std::size_t parts, std::size_t threads, const std::function<void(std::size_t)>& work,
                  const KeepGoing& keep_going) {
    if (threads == 0) return run_here(parts, work, keep_going);
    if (parts == 0) return true;
    Job job;
    job.running = std::clamp<std::size_t>(threads, 1, parts);
    std::vector<std::jthread> workers;
    start_workers(job, workers, [&] { work_through(job, parts, work); });
    bool stopped = false;
    {
        std::unique_lock lock(job.mutex);
        while (!job.finished.wait_for(lock, between_questions, [&] { return job.running == 0; })) {
            lock.unlock();
            if (!stopped && !keep_going()) stopped = job.stop = true;
            lock.lock();
        }
    }
    workers.clear();
    if (job.failure) std::rethrow_exception(job.failure);
    return !stopped;
}

}  // namespace pingce
