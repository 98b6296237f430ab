#ifndef PIC
#define PIC
#endif
#include "testcard.h"

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

typedef struct {
  snd_pcm_ioplug_t io;
  test_card *card;
  uint64_t wake_room; // avail_min: frames of room that a waiting program is woken for
} plugin;

// Counts a call; the error that it is to fail with, 1 for a fault without an error number, or 0.
static int fault(plugin *p, int call) {
  test_card *c = p->card;
  uint64_t number = c->calls[call]++;
  if (!c->fault_count || call != c->fault_call || number < c->fault_first ||
      number - c->fault_first >= c->fault_count)
    return 0;
  c->faults++;
  if (!p->io.pcm) return c->fault_error;
  // The state goes with the error, as in the kernel.
  switch (c->fault_error) {
    case -EPIPE: snd_pcm_ioplug_set_state(&p->io, SND_PCM_STATE_XRUN); break;
    case -ESTRPIPE: snd_pcm_ioplug_set_state(&p->io, SND_PCM_STATE_SUSPENDED); break;
    case -ENODEV: snd_pcm_ioplug_set_state(&p->io, SND_PCM_STATE_DISCONNECTED); break;
  }
  return c->fault_error ? c->fault_error : 1;
}

static int64_t standing(const test_card *c) {
  int64_t from = c->stands_from > c->started ? c->stands_from : c->started;
  int64_t to = c->stands_to < *c->now ? c->stands_to : *c->now;
  return to > from ? to - from : 0;
}

static int stands(const test_card *c) { return *c->now >= c->stands_from && *c->now < c->stands_to; }

static double speed(const test_card *c) { return c->rate * (1 + c->fast * 1e-6) * 1e-9; }

// Frames that a card which never runs dry would have played since it started.
static uint64_t elapsed(const test_card *c) {
  if (!c->started) return 0;
  return (uint64_t)((double)(*c->now - c->started - standing(c)) * speed(c));
}

static uint64_t played(const test_card *c) {
  uint64_t frames = elapsed(c);
  return frames < c->written ? frames : c->written;
}

// What was written and never played was not heard.
static void halt(test_card *c) {
  uint64_t unplayed = (c->written - played(c)) * c->frame_bytes;
  c->sound_bytes -= unplayed < c->sound_bytes ? unplayed : c->sound_bytes;
  c->written = 0;
  c->started = 0;
}

static int start(snd_pcm_ioplug_t *io) {
  plugin *p = io->private_data;
  int error = fault(p, TEST_CARD_START);
  if (error < 0) return error;
  p->card->started = *p->card->now;
  return 0;
}

static int stop(snd_pcm_ioplug_t *io) {
  plugin *p = io->private_data;
  int error = fault(p, TEST_CARD_STOP);
  halt(p->card);
  return error < 0 ? error : 0;
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *io) {
  plugin *p = io->private_data;
  int error = fault(p, TEST_CARD_POINTER);
  if (error < 0) return error;
  if (elapsed(p->card) > p->card->written) return -EPIPE;
  return (snd_pcm_sframes_t)played(p->card);
}

static snd_pcm_sframes_t transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
                                  snd_pcm_uframes_t size) {
  plugin *p = io->private_data;
  test_card *c = p->card;
  int error = fault(p, TEST_CARD_TRANSFER);
  if (error < 0) return error;
  if (c->unplugged) {
    c->unplugged = 0;
    snd_pcm_ioplug_set_state(&p->io, SND_PCM_STATE_DISCONNECTED);
    return -ENODEV;
  }
  if (c->suspended) {
    c->suspended = 0;
    snd_pcm_ioplug_set_state(&p->io, SND_PCM_STATE_SUSPENDED);
    return -ESTRPIPE;
  }
  if (error > 0) size = 1;
  size_t bytes = size * c->frame_bytes;
  if (c->sound && c->sound_bytes + bytes <= c->sound_room)
    memcpy(c->sound + c->sound_bytes, (char *)areas->addr + areas->first / 8 + offset * c->frame_bytes, bytes);
  if (c->sound) c->sound_bytes += bytes;
  c->written += size;
  return (snd_pcm_sframes_t)size;
}

static int close_(snd_pcm_ioplug_t *io) {
  plugin *p = io->private_data;
  p->card->open--;
  close(io->poll_fd);
  free(p);
  return 0;
}

static int hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *params) {
  plugin *p = io->private_data;
  test_card *c = p->card;
  c->format = io->format;
  c->channels = io->channels;
  c->rate = io->rate;
  c->period = io->period_size;
  c->buffer = io->buffer_size;
  c->frame_bytes = (unsigned)(snd_pcm_format_physical_width(io->format) / 8) * io->channels;
  int error = fault(p, TEST_CARD_HW_PARAMS);
  return error < 0 ? error : 0;
}

static int sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *params) {
  plugin *p = io->private_data;
  snd_pcm_uframes_t room = 1;
  snd_pcm_sw_params_get_avail_min(params, &room);
  p->wake_room = room;
  int error = fault(p, TEST_CARD_SW_PARAMS);
  return error < 0 ? error : 0;
}

static int prepare(snd_pcm_ioplug_t *io) {
  plugin *p = io->private_data;
  halt(p->card);
  int error = fault(p, TEST_CARD_PREPARE);
  return error < 0 ? error : 0;
}

static int resume_(snd_pcm_ioplug_t *io) {
  int error = fault(io->private_data, TEST_CARD_RESUME);
  if (error < 0) return error;
  return -ENOSYS; // as most drivers: it is to be prepared anew
}

static int delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *frames) {
  plugin *p = io->private_data;
  int error = fault(p, TEST_CARD_DELAY);
  if (error < 0) return error;
  *frames = (snd_pcm_sframes_t)(p->card->written - played(p->card));
  return 0;
}

// The descriptor is ready unless the card stands still: then a program that waits does wait.
static int poll_descriptors(snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned count) {
  plugin *p = io->private_data;
  uint64_t word = 1;
  if (count < 1) return -EINVAL;
  if (read(io->poll_fd, &word, sizeof word) < 0) word = 1;
  word = 1;
  if (!stands(p->card) && write(io->poll_fd, &word, sizeof word) < 0) return -errno;
  descriptors->fd = io->poll_fd;
  descriptors->events = POLLIN;
  return 1;
}

static int poll_revents(snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned count, unsigned short *events) {
  plugin *p = io->private_data;
  test_card *c = p->card;
  int error = fault(p, TEST_CARD_POLL);
  if (error < 0) {
    if (io->state == SND_PCM_STATE_RUNNING) return error;
    *events = POLLERR | POLLOUT;
    return 0;
  }
  *events = POLLOUT;
  if (error > 0 || !c->started) return 0;
  uint64_t full = c->buffer - (c->written - played(c));
  if (full < p->wake_room) *c->now += (int64_t)((double)(p->wake_room - full) / speed(c)) + 1;
  *c->now += c->late;
  c->late = 0;
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = start,
    .stop = stop,
    .pointer = pointer,
    .transfer = transfer,
    .close = close_,
    .hw_params = hw_params,
    .sw_params = sw_params,
    .prepare = prepare,
    .resume = resume_,
    .delay = delay,
    .poll_descriptors = poll_descriptors,
    .poll_revents = poll_revents,
};

static int range(snd_pcm_ioplug_t *io, int what, unsigned least, unsigned most) {
  if (!most) return 0;
  return snd_pcm_ioplug_set_param_minmax(io, what, least, most);
}

static int can_do(plugin *p) {
  static const unsigned access[] = {SND_PCM_ACCESS_RW_INTERLEAVED};
  test_card *c = p->card;
  unsigned formats[64], count = 0;
  for (unsigned format = 0; format < 64; format++)
    if (c->formats ? c->formats >> format & 1
                   : snd_pcm_format_linear(format) == 1 || format == SND_PCM_FORMAT_FLOAT_LE)
      formats[count++] = format;
  int error = snd_pcm_ioplug_set_param_list(&p->io, SND_PCM_IOPLUG_HW_ACCESS, 1, access);
  if (error >= 0) error = snd_pcm_ioplug_set_param_list(&p->io, SND_PCM_IOPLUG_HW_FORMAT, count, formats);
  if (error >= 0) error = range(&p->io, SND_PCM_IOPLUG_HW_CHANNELS, c->channels_min, c->channels_max);
  if (error >= 0) error = range(&p->io, SND_PCM_IOPLUG_HW_RATE, c->rate_min, c->rate_max);
  if (error >= 0) error = range(&p->io, SND_PCM_IOPLUG_HW_PERIODS, c->periods_min, c->periods_max);
  if (error >= 0 && c->frame_bytes)
    error = range(&p->io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, c->period_min * c->frame_bytes, c->period_max * c->frame_bytes);
  return error;
}

SND_PCM_PLUGIN_DEFINE_FUNC(testcard) {
  const char *address = NULL;
  snd_config_iterator_t i, next;
  snd_config_for_each(i, next, conf) {
    snd_config_t *entry = snd_config_iterator_entry(i);
    const char *id;
    if (snd_config_get_id(entry, &id) >= 0 && !strcmp(id, "card")) snd_config_get_string(entry, &address);
  }
  test_card *card = address ? (test_card *)(uintptr_t)strtoull(address, NULL, 10) : NULL;
  if (!card || stream != SND_PCM_STREAM_PLAYBACK) return -EINVAL;
  plugin *p = calloc(1, sizeof *p);
  if (!p) return -ENOMEM;
  p->card = card;
  int error = fault(p, TEST_CARD_OPEN);
  if (error < 0) {
    free(p);
    return error;
  }
  p->io.version = SND_PCM_IOPLUG_VERSION;
  p->io.name = "A card for tests";
  p->io.callback = &callbacks;
  p->io.private_data = p;
  p->io.flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
  p->io.poll_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  p->io.poll_events = POLLIN;
  card->written = 0;
  card->started = 0;
  error = snd_pcm_ioplug_create(&p->io, name, stream, mode);
  if (error < 0) {
    close(p->io.poll_fd);
    free(p);
    return error;
  }
  card->open++;
  error = can_do(p);
  if (error < 0) {
    snd_pcm_ioplug_delete(&p->io);
    return error;
  }
  *pcmp = p->io.pcm;
  return 0;
}
SND_PCM_PLUGIN_SYMBOL(testcard);

uint64_t test_card_heap(void) { return mallinfo2().uordblks; }

int test_card_install(const char *library) {
  char text[4096];
  snprintf(text, sizeof text,
           "pcm_type.testcard { lib \"%s\" }\n"
           "pcm.testcard { @args [ CARD ] @args.CARD { type string } type testcard card $CARD }\n",
           library);
  int error = snd_config_update();
  if (error < 0) return error;
  snd_input_t *input;
  error = snd_input_buffer_open(&input, text, (ssize_t)strlen(text));
  if (error < 0) return error;
  error = snd_config_load(snd_config, input);
  snd_input_close(input);
  return error;
}
