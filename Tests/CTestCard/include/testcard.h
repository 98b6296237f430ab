// A sound card for tests: an I/O plug-in of ALSA, so that the library that opens, negotiates, writes and polls is the
// real one. Its time is the test's, what it plays is kept, and every call of it can be made to fail.
#ifndef TESTCARD_H
#define TESTCARD_H

#include <stdint.h>

// The calls that a driver gets. TEST_CARD_POLL is asked whether there is room.
enum {
  TEST_CARD_OPEN,
  TEST_CARD_HW_PARAMS,
  TEST_CARD_SW_PARAMS,
  TEST_CARD_PREPARE,
  TEST_CARD_START,
  TEST_CARD_STOP,
  TEST_CARD_POINTER,
  TEST_CARD_TRANSFER,
  TEST_CARD_POLL,
  TEST_CARD_RESUME,
  TEST_CARD_DELAY,
  TEST_CARD_CALLS
};

// One card and what becomes of it. All zero is a card that can do everything and never fails.
typedef struct {
  // What it can do; 0 is anything. Formats are bits 1 << snd_pcm_format_t.
  uint64_t formats;
  unsigned channels_min, channels_max, rate_min, rate_max, periods_min, periods_max;
  // Frames; they hold for the format and channels below.
  unsigned period_min, period_max, frame_bytes;

  // Nanoseconds now, which waiting for the card moves on; how much faster than it says the card runs, in millionths.
  int64_t *now;
  double fast;
  // Whoever waits next for room is woken so much later, once. Nanoseconds.
  int64_t late;
  // While now is within these it stands still: nothing is played, and there is never room.
  int64_t stands_from, stands_to;

  // Pulled out once it is written to: gone until it is opened anew.
  int unplugged;
  // As after a sleep of the machine, once it is written to.
  int suspended;

  // Calls of one kind fail from the `fault_first`th on (the first is 0), `fault_count` times. A negative error number;
  // 0 makes a transfer short, by all but one frame, and a poll say that there is room where there is none.
  int fault_call;
  uint64_t fault_first, fault_count;
  int fault_error;
  uint64_t faults; // that came to pass

  // What was called, how often, and how many cards are open.
  uint64_t calls[TEST_CARD_CALLS];
  int open;

  // What was set up.
  int format;
  unsigned channels, rate;
  uint64_t period, buffer;

  // What was played or will be: as many bytes as there is room for.
  uint8_t *sound;
  uint64_t sound_bytes, sound_room;

  // Since it was prepared: frames written, and when it started (0 when it has not).
  uint64_t written;
  int64_t started;
} test_card;

// Tells ALSA of the PCM "testcard:ADDRESS", of this process only. ADDRESS is that of a test_card, in decimal; `library`
// is where the plug-in is. 0 or an error number.
int test_card_install(const char *library);

// Bytes of the process's heap that are in use.
uint64_t test_card_heap(void);

#endif
