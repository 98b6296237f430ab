#include <alsa/asoundlib.h>
#include <pthread.h>

// ALSA prints its own complaints on stderr; pipit reports each failure itself, once. The handler is variadic,
// which Swift cannot write.
__attribute__((unused)) static void alsa_say_nothing(
    const char *file, int line, const char *function, int error, const char *format, ...) {}
static inline void alsa_be_quiet(void) { snd_lib_error_set_handler(alsa_say_nothing); }

// glibc declares it for GNU sources only, which Swift's Glibc is not.
extern int pthread_setname_np(pthread_t thread, const char *name);
static inline void name_thread(pthread_t thread, const char *name) { pthread_setname_np(thread, name); }
