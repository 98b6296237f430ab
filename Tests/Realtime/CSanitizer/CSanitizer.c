#include "CSanitizer.h"

#include <stddef.h>

void __rtsan_ensure_initialized(void) __attribute__((weak));
void __rtsan_realtime_enter(void) __attribute__((weak));
void __rtsan_realtime_exit(void) __attribute__((weak));

_Bool sanitizer_start(void) {
  if (__rtsan_ensure_initialized == NULL) return 0;
  __rtsan_ensure_initialized();
  return 1;
}

void sanitizer_enter(void) {
  if (__rtsan_realtime_enter != NULL) __rtsan_realtime_enter();
}

void sanitizer_exit(void) {
  if (__rtsan_realtime_exit != NULL) __rtsan_realtime_exit();
}
