// Every call of a sound card fails at every point with every error, in virtual time: what becomes of the sound, of the
// processor, of descriptors and of memory. Ends with 1 when something is wrong.
// usage: faults [OCCASION...]

import Glibc

var isRight = true
for occasion in Occasion.allCases
where CommandLine.arguments.count == 1 || CommandLine.arguments.contains(occasion.rawValue) {
  let run = try FaultRun(occasion)
  run.run()
  fflush(nil)
  isRight = isRight && run.isRight
}
exit(isRight ? 0 : 1)
