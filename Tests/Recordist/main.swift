import Glibc
import Recording
import Synth
import System

// `recordist FOLDER FORMAT`: records into FOLDER without end, twice as fast as it would be heard, and prints each second of
// sound that the disk has. Frame n is n / 2^20 without its whole part, and its opposite on the right. Made to be killed.

let ring = AudioRing()
let format = SoundFile.Format(rawValue: CommandLine.arguments[2]) ?? .flac
let recorder = Recorder(
  ring, folder: CommandLine.arguments[1], format: format, keeping: 0, rate: 48_000, leftFree: 0
) {}
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
