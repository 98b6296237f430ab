// fsync and fdatasync in the tests' process. The linker takes these in place of libc's, also for the libraries that it
// loads, so that a test sees what SQLite and pipit sync, and what the disk would hold if the power failed.

#define _GNU_SOURCE
#include "CSyncs.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic(syncs_observer) observer;

void syncs_observe(syncs_observer new) { atomic_store(&observer, new); }

static int observed(long call, int file) {
  syncs_observer told = atomic_load(&observer);
  if (told != NULL) told(file, 0);
  int result = (int)syscall(call, file);
  if (result == 0 && told != NULL) told(file, 1);
  return result;
}

int fsync(int file) { return observed(SYS_fsync, file); }

int fdatasync(int file) { return observed(SYS_fdatasync, file); }
