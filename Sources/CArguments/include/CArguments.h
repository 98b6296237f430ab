// The arguments of this program. Swift's own CommandLine reads them from /proc, which need not be there.
#ifndef CARGUMENTS_H
#define CARGUMENTS_H

/// How many there are, the name of the program included.
int argument_count(void);
/// The one at an index below that.
const char *_Nonnull argument(int index);

#endif
