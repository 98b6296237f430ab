#include <alsa/asoundlib.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/prctl.h>

// ALSA prints its own complaints on stderr; pipit reports each failure itself, once. The handler is variadic,
// which Swift cannot write.
__attribute__((unused)) static void alsa_say_nothing(
    const char *file, int line, const char *function, int error, const char *format, ...) {}
static inline void alsa_be_quiet(void) { snd_lib_error_set_handler(alsa_say_nothing); }

// What a client of MIDI 2.0 reads: an event as ever, or a packet. Of the packet these are the words.
typedef struct {
  int is_packet;
  unsigned int words[4];
} ump_packet;

// MIDI 2.0 came with alsa-lib 1.2.10, which Debian 12 does not have yet. What comes from a device of MIDI 1.0 stays as it
// is: the kernel's conversion loses parameters that come in halves. Fails where the kernel has none of it.
static inline int become_ump(snd_seq_t *handle) {
#if SND_LIB_VERSION >= 0x01020a
  int result = snd_seq_set_client_midi_version(handle, SND_SEQ_CLIENT_UMP_MIDI_2_0);
  if (result < 0) return result;
  result = snd_seq_set_client_ump_conversion(handle, 0);
  if (result < 0) snd_seq_set_client_midi_version(handle, SND_SEQ_CLIENT_LEGACY_MIDI);
  return result;
#else
  (void)handle;
  return -ENOSYS;
#endif
}

// The next event, as snd_seq_event_input gives it; of a packet the head is the same.
static inline int next_event(snd_seq_t *handle, int is_ump, snd_seq_event_t **event, ump_packet *packet) {
  packet->is_packet = 0;
#if SND_LIB_VERSION >= 0x01020a
  if (is_ump) {
    snd_seq_ump_event_t *read = NULL;
    int result = snd_seq_ump_event_input(handle, &read);
    *event = (snd_seq_event_t *)read;
    if (result >= 0 && read && snd_seq_ev_is_ump(read)) {
      packet->is_packet = 1;
      for (int word = 0; word < 4; word++) packet->words[word] = read->ump[word];
    }
    return result;
  }
#else
  (void)is_ump;
#endif
  return snd_seq_event_input(handle, event);
}

// Packed, which Swift does not import: the bytes of a system exclusive message, or of a piece of one.
static inline const unsigned char *exclusive_bytes(const snd_seq_event_t *event) { return event->data.ext.ptr; }
static inline unsigned int exclusive_count(const snd_seq_event_t *event) {
  return snd_seq_ev_is_variable(event) && event->data.ext.ptr ? event->data.ext.len : 0;
}

// Sends a system exclusive message from a port to another at once. Macros fill the event.
static inline int send_exclusive(
    snd_seq_t *handle, int from, int client, int port, unsigned int count, const unsigned char *bytes) {
  snd_seq_event_t event;
  snd_seq_ev_clear(&event);
  snd_seq_ev_set_source(&event, from);
  snd_seq_ev_set_dest(&event, client, port);
  snd_seq_ev_set_direct(&event);
  snd_seq_ev_set_sysex(&event, count, (void *)bytes);
  return snd_seq_event_output_direct(handle, &event);
}

// Sends a controller, or a note on where `is_note`, from a port to another at once.
static inline int send_value(
    snd_seq_t *handle, int from, int client, int port, int is_note, int channel, unsigned int number, int value) {
  snd_seq_event_t event;
  snd_seq_ev_clear(&event);
  snd_seq_ev_set_source(&event, from);
  snd_seq_ev_set_dest(&event, client, port);
  snd_seq_ev_set_direct(&event);
  if (is_note) {
    snd_seq_ev_set_noteon(&event, channel, number, value);
  } else {
    snd_seq_ev_set_controller(&event, channel, number, value);
  }
  return snd_seq_event_output_direct(handle, &event);
}

// A queue in real time, which runs when this returns. Its number, or a negative error.
static inline int start_queue(snd_seq_t *handle, const char *name) {
  int queue = snd_seq_alloc_named_queue(handle, name);
  if (queue < 0) return queue;
  int result = snd_seq_start_queue(handle, queue, NULL);
  if (result >= 0) result = snd_seq_drain_output(handle);
  if (result >= 0) return queue;
  snd_seq_free_queue(handle, queue);
  return result;
}

// The time of a queue in nanoseconds, or a negative error.
static inline long long queue_time(snd_seq_t *handle, int queue) {
  snd_seq_queue_status_t *status;
  snd_seq_queue_status_alloca(&status);
  int result = snd_seq_get_queue_status(handle, queue, status);
  if (result < 0) return result;
  const snd_seq_real_time_t *time = snd_seq_queue_status_get_real_time(status);
  return (long long)time->tv_sec * 1000000000 + time->tv_nsec;
}

// Sends a message without data, or with a number, from a port to another: at a time of a queue in nanoseconds, or at once
// where that is negative.
static inline int send_system(
    snd_seq_t *handle, int from, int client, int port, int queue, long long moment, int type, int value) {
  snd_seq_event_t event;
  snd_seq_ev_clear(&event);
  snd_seq_ev_set_source(&event, from);
  snd_seq_ev_set_dest(&event, client, port);
  snd_seq_ev_set_fixed(&event);
  event.type = type;
  event.data.control.value = value;
  if (moment < 0) {
    snd_seq_ev_set_direct(&event);
  } else {
    snd_seq_real_time_t time = {moment / 1000000000, moment % 1000000000};
    snd_seq_ev_schedule_real(&event, queue, 0, &time);
  }
  return snd_seq_event_output_direct(handle, &event);
}

// Takes back what is to be sent at a time of a queue in nanoseconds or later.
static inline int take_back(snd_seq_t *handle, int queue, long long moment) {
  snd_seq_remove_events_t *events;
  snd_seq_remove_events_alloca(&events);
  snd_seq_timestamp_t time;
  time.time.tv_sec = moment / 1000000000;
  time.time.tv_nsec = moment % 1000000000;
  snd_seq_remove_events_set_condition(events, SND_SEQ_REMOVE_OUTPUT | SND_SEQ_REMOVE_TIME_AFTER);
  snd_seq_remove_events_set_queue(events, queue);
  snd_seq_remove_events_set_time(events, &time);
  return snd_seq_remove_events(handle, events);
}

// glibc declares it for GNU sources only, which Swift's Glibc is not.
extern int pthread_setname_np(pthread_t thread, const char *name);
static inline void name_thread(pthread_t thread, const char *name) { pthread_setname_np(thread, name); }

// By itself glibc keeps large blocks once one was freed, and has an arena for each thread. A huge page holds 2 MB where
// 4 kB are used, and the kernel collects small pages into one while the audio thread waits for them.
static inline void give_back_freed_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    mallopt(M_TRIM_THRESHOLD, 128 * 1024);
    mallopt(M_ARENA_MAX, 1);
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}
