// A drum machine, a sequencer and a bare queue, for Tests/VM/clock. Prints a line for each event: who, when in nanoseconds
// of CLOCK_MONOTONIC, the type as in ALSA's headers, and the song position.
//   clock-peer receive BPM        "drums" is what the drum machine is sent, "bare" a queue that ticks at BPM
//   clock-peer lead BPM JITTER STEP AT...   besides, port "leader" starts a second after SIGUSR1 and ticks, up to JITTER
//                                         nanoseconds early or late; at beats AT it changes tempo to STEP times as fast
//                                         and back, the last of them is a stop. "ideal" is when a pulse was due
// It ends with SIGTERM, and when it leads three seconds after the stop.
#include <alsa/asoundlib.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

static snd_seq_t *handle;
static volatile sig_atomic_t begins, ends;

static void heed(int signal) {
  if (signal == SIGUSR1) begins = 1;
  else ends = 1;
}

static int drums, leader, bare, source, queue;

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int check(int result, const char *what) {
  if (result >= 0) return result;
  fprintf(stderr, "%s: %s\n", what, snd_strerror(result));
  exit(1);
}

static int port(const char *name, int capabilities, int type) {
  return check(snd_seq_create_simple_port(handle, name, capabilities, type), name);
}

// Sends an event at a time of the queue: from the leader to whoever has connected, or to the bare port.
static void schedule(int from, int to, int type, long long moment) {
  snd_seq_event_t event;
  snd_seq_ev_clear(&event);
  snd_seq_ev_set_source(&event, from);
  if (to < 0) snd_seq_ev_set_subs(&event);
  else snd_seq_ev_set_dest(&event, snd_seq_client_id(handle), to);
  snd_seq_ev_set_fixed(&event);
  event.type = type;
  snd_seq_real_time_t time = {moment / 1000000000, moment % 1000000000};
  snd_seq_ev_schedule_real(&event, queue, 0, &time);
  check(snd_seq_event_output_direct(handle, &event), "sending an event");
}

int main(int count, char **arguments) {
  if (count < 3) return 2;
  int leads = !strcmp(arguments[1], "lead");
  double tempo = atof(arguments[2]);
  double jitter = leads ? atof(arguments[3]) : 0, step = leads ? atof(arguments[4]) : 1;
  signal(SIGUSR1, heed);
  signal(SIGTERM, heed);
  struct sched_param priority = {.sched_priority = 80};
  sched_setscheduler(0, SCHED_FIFO, &priority);
  setvbuf(stdout, NULL, _IOFBF, 1 << 20);

  check(snd_seq_open(&handle, "default", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK), "opening the sequencer");
  snd_seq_set_client_name(handle, "peer");
  snd_seq_set_client_pool_input(handle, 2000);
  int both = SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ | SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE;
  drums = port("drums", both, SND_SEQ_PORT_TYPE_MIDI_GENERIC);
  leader = port("leader", both, SND_SEQ_PORT_TYPE_MIDI_GENERIC);
  bare = port("bare", SND_SEQ_PORT_CAP_WRITE, SND_SEQ_PORT_TYPE_APPLICATION);
  source = port("source", SND_SEQ_PORT_CAP_NO_EXPORT, SND_SEQ_PORT_TYPE_APPLICATION);
  queue = check(snd_seq_alloc_queue(handle), "making a queue");
  check(snd_seq_start_queue(handle, queue, NULL), "starting the queue");
  snd_seq_drain_output(handle);
  snd_seq_queue_status_t *status;
  snd_seq_queue_status_alloca(&status);
  check(snd_seq_get_queue_status(handle, queue, status), "asking the queue");
  const snd_seq_real_time_t *time = snd_seq_queue_status_get_real_time(status);
  long long begin = now() - (time->tv_sec * 1000000000LL + time->tv_nsec);

  // Pulses so far, their times in the queue, and the next argument that changes the tempo.
  long ticks = 0, pulses = 0;
  double due = 0, factor = 1;
  int change = 5, stopped = 0;
  long long end = 0;
  while (!ends && (end == 0 || now() < end)) {
    long long horizon = now() - begin + 500000000;
    while (ticks * 60e9 / (24 * tempo) + 1e9 < horizon) {
      schedule(source, bare, SND_SEQ_EVENT_CLOCK, ticks++ * 60e9 / (24 * tempo) + 1e9);
    }
    if (leads && begins && due == 0) due = now() - begin + 1e9;
    while (leads && begins && !stopped && due < horizon) {
      if (change < count && pulses == 24 * atol(arguments[change])) {
        factor = factor == 1 ? step : 1;
        if (++change == count) {
          schedule(leader, -1, SND_SEQ_EVENT_STOP, due - 5e6);
          stopped = 1;
          end = now() + 3000000000LL;
          break;
        }
      }
      if (pulses == 0) schedule(leader, -1, SND_SEQ_EVENT_START, due - 8e6);
      schedule(leader, -1, SND_SEQ_EVENT_CLOCK, due + jitter * (2 * drand48() - 1));
      printf("ideal %lld %d %ld\n", begin + (long long)due, SND_SEQ_EVENT_CLOCK, pulses++);
      due += 60e9 / (24 * tempo * factor);
    }
    struct pollfd ready;
    snd_seq_poll_descriptors(handle, &ready, 1, POLLIN);
    poll(&ready, 1, 100);
    snd_seq_event_t *event;
    while (snd_seq_event_input(handle, &event) >= 0) {
      if (event->type < SND_SEQ_EVENT_SONGPOS || event->type > SND_SEQ_EVENT_SENSING) continue;
      const char *who = event->dest.port == drums ? "drums" : event->dest.port == bare ? "bare" : "leader";
      printf("%s %lld %d %d\n", who, now(), event->type, event->data.control.value);
    }
  }
  fflush(stdout);
  return 0;
}
