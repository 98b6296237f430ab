import ALSA
import CALSA
import Glibc
import Scenes
import Synth
import System
import TestCard

/// One way through the loopback card. "Loop" goes on by a period whenever "Tick" has played one of its own; the kernel looks
/// at that only every few milliseconds, so that the shortest periods take their time and nobody comes too late.
struct Loopback {
  private let setup: PCMSetup
  private let tick: Stream
  private let capture: Stream

  init(_ setup: PCMSetup) throws {
    self.setup = setup
    var master = setup
    (master.format, master.channels) = (SND_PCM_FORMAT_S32_LE, 2)
    tick = try Stream("hw:CARD=Tick,DEV=0", SND_PCM_STREAM_PLAYBACK, master, periods: 4)
    // Who opens a loopback first says how it is to be opened from the other end.
    capture = try Stream("hw:CARD=Loop,DEV=1", SND_PCM_STREAM_CAPTURE, setup, periods: 64)
  }

  /// Plays; what is wrong, or nothing.
  func play() throws -> String {
    let frames = max(1_536, 2 * setup.period)
    // Before the card runs, which does not wait for it.
    let sound = setup.reference(frames: frames)
    let link = Link(PCMSetup.scene)
    PCMSetup.press { link.midi.push($0) }
    let output = AudioOutput(
      device: .name("hw:CARD=Loop,DEV=0"), rate: setup.rate, period: setup.period, periods: setup.periods,
      link: link, log: { _ in })
    try tick.startRinging()
    try capture.start()
    try output.start()
    defer { output.stop() }
    let playing = output.playing
    if !playing.contains(setup.latencyDescription) { return "plays on \(playing)" }

    guard let first = sound.firstIndex(where: { $0 != 0 }) else { return "no sound" }
    // From the first byte that is not 0.
    let expected = sound.dropFirst(first)
    var heard: [UInt8] = []
    let end = monotonic() + 30_000_000_000
    while heard.count < expected.count {
      if monotonic() > end { return "\(heard.count) of \(expected.count) bytes in 30 s" }
      let bytes = try capture.read(setup.period)
      if heard.isEmpty {
        // A frame's place is kept.
        if let start = bytes.firstIndex(where: { $0 != 0 }) { heard += bytes[start...] }
      } else {
        heard += bytes
      }
    }
    if link.meters[.xruns] != 0 { return "\(link.meters[.xruns]) xruns" }
    let same = zip(heard, expected).prefix { $0 == $1 }.count
    return same == expected.count ? "" : "differs at byte \(first + same) of \(sound.count)"
  }
}
