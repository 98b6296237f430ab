// The render path under RealtimeSanitizer. Run by .ci/realtime; "plant" allocates where it must be caught.

import CSanitizer
import Glibc

guard sanitizer_start() else {
  print("This program is for .ci/realtime, which links it with RealtimeSanitizer.")
  exit(2)
}
exit(prove(seconds: 20, plant: CommandLine.arguments.contains("plant")) ? 0 : 1)
