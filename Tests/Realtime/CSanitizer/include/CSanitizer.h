// RealtimeSanitizer, when the program is linked with it (.ci/sanitizers does that), and nothing otherwise.
#ifndef CSANITIZER_H
#define CSANITIZER_H

/// Wakes the sanitizer. False when the program is not linked with it.
_Bool sanitizer_start(void);
/// From here on the thread may not lock, allocate, or ask the kernel for anything.
void sanitizer_enter(void);
/// Until here.
void sanitizer_exit(void);

#endif
