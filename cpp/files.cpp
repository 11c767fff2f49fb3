// The headers of a system stay in this file: those of Windows make macros of words such as near and far.
#include "files.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <cstdint>
#else
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#endif

namespace pingce {

#if defined(_WIN32)

int duplicate(int handle) { return _dup(handle); }
void close_file(int handle) { _close(handle); }

std::size_t read_at(int handle, void* into, std::size_t bytes, std::size_t offset) {
    OVERLAPPED place = {};
    place.Offset = static_cast<DWORD>(offset);
    place.OffsetHigh = static_cast<DWORD>(static_cast<std::uint64_t>(offset) >> 32);
    DWORD count = 0;
    const auto most = static_cast<DWORD>(std::min<std::size_t>(bytes, 1U << 30));
    const auto file = reinterpret_cast<HANDLE>(_get_osfhandle(handle));
    return ReadFile(file, into, most, &count, &place) != 0 ? count : 0;
}

#else

int duplicate(int handle) { return dup(handle); }
void close_file(int handle) { close(handle); }

std::size_t read_at(int handle, void* into, std::size_t bytes, std::size_t offset) {
    ssize_t count = 0;
    do {
        count = pread(handle, into, bytes, static_cast<off_t>(offset));
    } while (count < 0 && errno == EINTR);
    return count > 0 ? static_cast<std::size_t>(count) : 0;
}

#endif

}  // namespace pingce
