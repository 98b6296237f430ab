// Every call of a sound card fails at every point with every error, in virtual time: what becomes of the sound, of the
// processor, of descriptors and of memory. Ends with 1 when something is wrong.
// usage: faults [--every N] [OCCASION...]      --every 4: a quarter of them

import Glibc

var words = Array(CommandLine.arguments.dropFirst())
var every = 1
if words.first == "--every", words.count > 1, let count = Int(words[1]), count > 0 {
  every = count
  words.removeFirst(2)
}
var isRight = true
for occasion in Occasion.allCases where words.isEmpty || words.contains(occasion.rawValue) {
  let run = try FaultRun(occasion, every: every)
  run.run()
  fflush(nil)
  isRight = isRight && run.isRight
}
exit(isRight ? 0 : 1)
