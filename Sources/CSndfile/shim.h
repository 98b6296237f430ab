// Types and constants only: the library is opened when the first recording begins, so that a start does not wait for it
// and the eight libraries that it brings.
#include <sndfile.h>
