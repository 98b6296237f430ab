// Preloaded into pipit by Tests/next. It notes when each block is given to the sound card and how often the block's
// wave crosses zero, and makes a disk slow: calls on files in SLOW_FOLDER take longer, a sync 10 to 500 ms and a read or
// a write 1 to 20 ms. The calls that the main thread makes are counted apart from those of other threads.
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { BLOCKS = 1 << 20 };

typedef struct {
  int64_t time; // CLOCK_MONOTONIC, when the block was given to the card
  float peak;
  int32_t crossings;
} block;

// The file that Tests/next reads.
typedef struct {
  _Atomic uint64_t count, main_calls, other_calls, slept;
  block blocks[BLOCKS];
} notes;

static notes *shared;
static const char *folder;
static _Thread_local unsigned seed;

__attribute__((constructor)) static void begin(void) {
  folder = getenv("SLOW_FOLDER");
  const char *path = getenv("BLOCK_NOTES");
  int file = path ? open(path, O_RDWR) : -1;
  if (file < 0) return;
  void *memory = mmap(NULL, sizeof(notes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
  if (memory != MAP_FAILED) shared = memory;
  close(file);
}

// The next function of a name.
#define NEXT(name) static __typeof__(&name) next; if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

// Sleeps for a time between the two, each decade equally likely.
static void slow(double least, double most) {
  if (!seed) seed = (unsigned)gettid();
  double seconds = 1e-3 * least * pow(most / least, rand_r(&seed) / (double)RAND_MAX);
  if (shared) {
    atomic_fetch_add(gettid() == getpid() ? &shared->main_calls : &shared->other_calls, 1);
    atomic_fetch_add(&shared->slept, (uint64_t)(seconds * 1e9));
  }
  nanosleep(&(struct timespec){(time_t)seconds, (long)((seconds - (time_t)seconds) * 1e9)}, NULL);
}

static int is_slow(int file) {
  if (!folder) return 0;
  char link[32], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return strncmp(path, folder, strlen(folder)) == 0;
}

#define SYNC(name) int name(int file) { NEXT(name); if (is_slow(file)) slow(10, 500); return next(file); }
SYNC(fsync)
SYNC(fdatasync)

#define READ(name, pointer, offset, ...) \
  ssize_t name(int file, pointer bytes, size_t count offset) { NEXT(name); if (is_slow(file)) slow(1, 20); return next(file, bytes, count __VA_ARGS__); }
#define AT , off_t at
READ(read, void *, )
READ(write, const void *, )
READ(pread, void *, AT, , at)
READ(pread64, void *, AT, , at)
READ(pwrite, const void *, AT, , at)
READ(pwrite64, const void *, AT, , at)

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    NEXT(name); \
    va_list list; \
    va_start(list, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
    va_end(list); \
    if (folder && strncmp(path, folder, strlen(folder)) == 0) slow(1, 20); \
    return next(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

snd_pcm_sframes_t snd_pcm_writei(snd_pcm_t *pcm, const void *buffer, snd_pcm_uframes_t frames) {
  NEXT(snd_pcm_writei);
  uint64_t number = shared ? atomic_load(&shared->count) : BLOCKS;
  snd_pcm_hw_params_t *params;
  snd_pcm_hw_params_alloca(&params);
  snd_pcm_format_t format;
  unsigned channels;
  if (number < BLOCKS && !snd_pcm_hw_params_current(pcm, params) &&
      !snd_pcm_hw_params_get_format(params, &format) && !snd_pcm_hw_params_get_channels(params, &channels) &&
      format == SND_PCM_FORMAT_FLOAT_LE) {
    block *b = &shared->blocks[number];
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    *b = (block){.time = now.tv_sec * 1000000000LL + now.tv_nsec};
    const float *sample = buffer;
    float last = 0;
    for (snd_pcm_uframes_t i = 0; i < frames; i++, sample += channels) {
      if (fabsf(*sample) > b->peak) b->peak = fabsf(*sample);
      if (*sample * last < 0) b->crossings++;
      if (*sample) last = *sample;
    }
    atomic_store(&shared->count, number + 1);
  }
  return next(pcm, buffer, frames);
}
