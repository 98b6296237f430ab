#include "CArguments.h"

static int count;
static char *const *words;

// glibc gives constructors what it gives main.
__attribute__((constructor)) static void keep(int argc, char *const *argv) {
  count = argc;
  words = argv;
}

int argument_count(void) { return count; }
const char *argument(int index) { return words[index]; }
