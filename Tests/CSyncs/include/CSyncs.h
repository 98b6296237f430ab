#pragma once

/// Is told of each `fsync` and `fdatasync` in this process, on the thread that calls it: before the file is synced
/// (`is_done` 0) and after that has succeeded (1).
typedef void (*syncs_observer)(int file, int is_done);

/// Sets who is told from now on; NULL for nobody.
void syncs_observe(syncs_observer observer);
