// Sends Universal MIDI Packets to a port of the sequencer, as a MIDI 2.0 keyboard would:
//   ump-send CLIENT:PORT WORD...     words in hexadecimal, each packet of as many as its type has; wN waits N milliseconds
#include <alsa/asoundlib.h>
#include <alsa/ump_msg.h>

static void check(int result, const char *what) {
  if (result >= 0) return;
  fprintf(stderr, "%s: %s\n", what, snd_strerror(result));
  exit(1);
}

static int words(unsigned int first) {
  static const int lengths[16] = {1, 1, 1, 2, 2, 4, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4};
  return lengths[first >> 28];
}

int main(int count, char **arguments) {
  snd_seq_t *handle;
  snd_seq_addr_t to;
  if (count < 3) return 2;
  check(snd_seq_open(&handle, "default", SND_SEQ_OPEN_DUPLEX, 0), "opening the sequencer");
  check(snd_seq_set_client_midi_version(handle, SND_SEQ_CLIENT_UMP_MIDI_2_0), "becoming a client of MIDI 2.0");
  check(snd_seq_parse_address(handle, &to, arguments[1]), "the address");
  int port = snd_seq_create_simple_port(handle, "keys", SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_NO_EXPORT,
                                        SND_SEQ_PORT_TYPE_APPLICATION);
  check(port, "making a port");
  check(snd_seq_connect_to(handle, port, to.client, to.port), "connecting it");
  for (int index = 2; index < count;) {
    if (arguments[index][0] == 'w') {
      usleep(1000 * atoi(arguments[index++] + 1));
      continue;
    }
    snd_seq_ump_event_t event;
    memset(&event, 0, sizeof event);
    event.flags = SND_SEQ_EVENT_UMP;
    for (int word = 0, all = 1; word < all && index < count; word++, index++) {
      event.ump[word] = strtoul(arguments[index], NULL, 16);
      if (word == 0) all = words(event.ump[0]);
    }
    snd_seq_ev_set_source(&event, port);
    snd_seq_ev_set_subs(&event);
    snd_seq_ev_set_direct(&event);
    check(snd_seq_ump_event_output_direct(handle, &event), "sending");
  }
  // What was sent is on its way by cable still.
  usleep(200000);
  snd_seq_close(handle);
  return 0;
}
