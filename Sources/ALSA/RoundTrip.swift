import CALSA
import Glibc
import Synth
import System

/// Measures the time from a key to its sound: the instrument plays notes on a card and records them through a cable,
/// or through a loopback card.
public struct RoundTrip: Sendable {
  /// The card, its rate, period and format, as text for people.
  public let playing: String
  /// The ALSA name of the input.
  public let input: String
  /// Milliseconds of sound in the card's buffer.
  public let buffer: Double
  /// Milliseconds from a key to its sound at the input, for each note that was received, in ascending order.
  public let times: [Double]
  /// The number of notes played.
  public let notes: Int

  /// Plays `notes` notes of part 1 of `scene` on a device and records `input`, the ALSA name of an input, or the
  /// input of the playing card if it is nil. Takes half a second per note. Throws if the device or the input cannot
  /// be opened.
  public init(
    _ device: AudioOutput.Device, input: String? = nil, rate: Int, period: Int, periods: Int, scene: Scene,
    notes: Int = 20
  ) throws {
    let link = Link(scene)
    let output = AudioOutput(
      device: device, rate: rate, period: period, periods: periods, link: link, log: { _ in })
    try output.start()
    defer { output.stop() }
    let end = monotonic() + 3_000_000_000
    while link.meters[.card] == 0 {
      if monotonic() > end { throw ALSAError("Playing on the card", code: ETIMEDOUT) }
      sleep(until: monotonic() + 10_000_000)
    }
    let state = output.state
    let name = input ?? state.card?.pcm ?? SoundServer.pcm
    let capture = try CaptureStream(name, rate: state.rate)
    let onset = NoteOnset(of: Self.sound(scene, rate: state.rate))

    var times: [Double] = []
    for _ in 0..<notes {
      // Records silence to measure the noise.
      var noise: Float = 0
      _ = try Self.listen(capture, seconds: 0.1, rate: state.rate)
      for sample in try Self.listen(capture, seconds: 0.1, rate: state.rate).samples {
        noise = max(noise, abs(sample))
      }
      let key = monotonic()
      let frame = link.clock.frame(at: key)
      link.midi.push(Event(frame: frame, kind: .noteOn, source: 1, note: 69, value: 1))
      link.midi.push(
        Event(frame: frame + Int64(state.rate / 20), kind: .noteOff, source: 1, note: 69, value: 0))
      let recording = try Self.listen(capture, seconds: 0.3, rate: state.rate)
      let window = Int(clamping: NoteOnset.length * Double(state.rate))
      // The peak at the beginning of the note is the reference.
      guard let loud = recording.samples.firstIndex(where: { abs($0) > max(noise * 4, 0.001) }) else {
        continue
      }
      if let frame = onset.frame(
        in: recording.samples[loud..<min(loud + window, recording.samples.count)], noise: noise)
      {
        let moment = Double(recording.begin - key) + Double(frame) * 1e9 / Double(state.rate)
        times.append(moment * 1e-6)
      }
    }
    (self.notes, self.times) = (notes, times.sorted())
    (playing, self.input) = (state.playing, name)
    buffer = state.latency
  }

  /// Records for `seconds`. Returns the samples and the time of the first one.
  private static func listen(
    _ capture: CaptureStream, seconds: Double, rate: Int
  ) throws(ALSAError) -> (samples: [Float], begin: Int64) {
    var samples: [Float] = []
    var begin: Int64 = 0
    let end = monotonic() + Int64(clamping: seconds * 2e9)
    while Double(samples.count) < seconds * Double(rate) {
      let more = try capture.read()
      if samples.isEmpty { begin = more.begin }
      samples += more.samples
      if monotonic() > end { throw ALSAError("Hearing the input", code: ETIMEDOUT) }
    }
    return (samples, begin)
  }

  /// The beginning of the note as the engine renders it.
  private static func sound(_ scene: Scene, rate: Int) -> [Float] {
    let link = Link(scene)
    link.midi.push(Event(frame: 0, kind: .noteOn, source: 1, note: 69, value: 1))
    let engine = UnsafeMutablePointer<Engine>.allocate(capacity: 1)
    engine.initialize(to: Engine(rate: Double(rate), link: link))
    defer {
      engine.deinitialize(count: 1)
      engine.deallocate()
    }
    let frames = min(Int(clamping: NoteOnset.length * Double(rate)), Limits.period)
    var (left, right) = ([Float](repeating: 0, count: frames), [Float](repeating: 0, count: frames))
    left.withUnsafeMutableBufferPointer { left in
      right.withUnsafeMutableBufferPointer { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return }
        engine.pointee.render(left: left, right: right, frames: frames)
      }
    }
    return left
  }
}
