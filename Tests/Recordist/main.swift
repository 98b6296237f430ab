import Glibc
import Recording
import Scenes
import System

// `recordist FOLDER FORMAT`: records into FOLDER without end, twice as fast as it would be heard, and prints each second of
// sound that the disk has. Frame n is n / 2^20 without its whole part, and its opposite on the right. Made to be killed.
// `recordist FOLDER FORMAT ZONE...`: sets one time zone after the other, and makes a file in each.

let ring = AudioRing()
let format = SoundFile.Format(rawValue: CommandLine.arguments[2]) ?? .flac
let recorder = Recorder(
  ring, folder: CommandLine.arguments[1], format: format, keeping: 0, rate: 48_000, leftFree: 0
) {}
for zone in CommandLine.arguments.dropFirst(3) {
  setenv("TZ", zone, 1)
  recorder.start(rate: 48_000)
  while !recorder.state.hasFile { usleep(1_000) }
  ring.write([0], [0], frames: 1)
  recorder.finish(within: 60)
}
if CommandLine.arguments.count > 3 { exit(0) }
recorder.start(rate: 48_000)
var (frame, told) = (0, 0)
while true {
  let block = (frame..<frame + 960).map { Float($0 % 1_048_576) / 1_048_576 }
  ring.write(block, block.map { -$0 }, frames: 960)
  frame += 960
  let seconds = recorder.state.seconds
  if seconds != told { print(seconds) }
  told = seconds
  fflush(nil)
  sleep(until: monotonic() + 10_000_000)
}
