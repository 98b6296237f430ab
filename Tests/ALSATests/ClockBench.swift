import EngineHarness
import MIDI
import Scenes
@testable import ALSA

/// An engine that renders in a bench's time, and what devices are sent of its beat meanwhile.
final class ClockBench {
  let bench: MIDIBench
  /// Frames of a block, and those that the card has still to play when one is rendered.
  static let block = 64
  private let buffered: Int
  private let origin: Int64
  // The beat line of each block.
  private var lines: [BeatLine] = []
  private var blocks = 0

  init?(queueGain: Int64 = 0, buffered: Int = ClockBench.block) {
    guard let bench = MIDIBench.ofTwo() else { return nil }
    self.buffered = buffered
    self.bench = bench
    origin = bench.alsa.now
    bench.alsa.queueGain = queueGain
  }

  /// The time that has passed, nanoseconds.
  private func moment(ofBlock block: Int) -> Int64 {
    origin + Int64(Double(block * Self.block) * 1e9 / 48_000)
  }

  /// Sends a device the clock, or does not.
  func send(_ isOn: Bool = true, to place: Device.Address = MIDIBench.one) {
    bench.set(place) { $0.hasClockOut = isOn }
  }

  /// Plays for some seconds. The MIDI thread wakes after each block, or after so many.
  func play(_ seconds: Double, each wakes: Int = 1) {
    let end = blocks + Int(seconds * 48_000) / Self.block
    while blocks < end {
      let begin = moment(ofBlock: blocks)
      bench.alsa.now = max(bench.alsa.now, begin)
      bench.link.clock.publish(
        frame: bench.player.engine.pointee.frame, nanoseconds: begin, latency: Self.block, rate: 48_000,
        buffered: buffered)
      bench.player.play(Self.block)
      lines.append(bench.link.beatClock.now.line)
      if blocks % wakes == 0 { bench.read() }
      bench.alsa.deliver()
      blocks += 1
    }
  }

  /// A command of the transport, now.
  func command(_ kind: Event.Kind, _ value: Float = 0) {
    bench.link.control.push(
      Event(frame: bench.link.clock.frame(at: bench.alsa.now), kind: kind, source: 31, value: value))
  }

  func set(tempo: Float) { bench.link.scene.publish(.with([("/tempo", tempo)])) }

  /// What a port was sent, in order.
  func sent(to place: Device.Address = MIDIBench.one) -> [TestSequencer.Sent] {
    bench.alsa.clock.filter { $0.place == place }
  }

  /// The beat that is heard at a time, times 24.
  func pulse(at moment: Int64) -> Double {
    let frame = Int64((Double(moment - origin) * 48_000 / 1e9).rounded()) - Int64(buffered)
    let block = max(0, min(Int(frame) / Self.block, lines.count - 1))
    return lines[block].beat(at: frame) * 24
  }

  /// The messages other than pulses, each with the number of pulses before it since the last.
  func story(of place: Device.Address = MIDIBench.one) -> [ClockMessage] {
    sent(to: place).map(\.message).filter { $0 != .tick }
  }

  /// The pulses after the last start or continue, by how much each is late in pulses if the first has the number.
  func deviations(from number: Int, to place: Device.Address = MIDIBench.one) -> [Double] {
    let sent = sent(to: place)
    let begin = sent.lastIndex { $0.message == .start || $0.message == .resume } ?? 0
    return sent[begin...].filter { $0.message == .tick }.enumerated().map { index, tick in
      pulse(at: tick.moment) - Double(number + index)
    }
  }
}
