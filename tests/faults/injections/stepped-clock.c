/*
 * Loaded into a process by LD_PRELOAD: its wall clock is ahead by as many milliseconds as the first eight bytes of the file
 * STEPPED_CLOCK_FILE say, at any moment. Monotonic clocks, and the clocks of all other processes, are left alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef int (*clock_function)(clockid_t, struct timespec *);

static const volatile int64_t *ahead_ms;
static clock_function true_clock;

__attribute__((constructor)) static void open_step(void) {
  const char *path = getenv("STEPPED_CLOCK_FILE");
  int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *page = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (page != MAP_FAILED) ahead_ms = page;
}

int clock_gettime(clockid_t id, struct timespec *at) {
  if (true_clock == NULL) true_clock = (clock_function)dlsym(RTLD_NEXT, "clock_gettime");
  int failed = true_clock(id, at);
  if (failed || ahead_ms == NULL || (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE)) return failed;
  int64_t nanoseconds = at->tv_nsec + *ahead_ms % 1000 * 1000000;
  at->tv_sec += *ahead_ms / 1000;
  if (nanoseconds < 0) {
    nanoseconds += 1000000000;
    at->tv_sec--;
  } else if (nanoseconds >= 1000000000) {
    nanoseconds -= 1000000000;
    at->tv_sec++;
  }
  at->tv_nsec = nanoseconds;
  return 0;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *at) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  if (at != NULL) *at = now.tv_sec;
  return now.tv_sec;
}
