import CALSA
import Glibc
import Synth
import System

/// How long it takes from a key to the sound, measured: the instrument plays notes on a card and hears them come back by
/// a cable, or through a loopback card.
public struct RoundTrip: Sendable {
  /// What it was played on, for people.
  public let playing: String
  /// The input that it came back to, as ALSA calls it.
  public let input: String
  /// Milliseconds that lie in the card's buffer.
  public let buffer: Double
  /// Milliseconds from a key to its sound at the input, of each note that came back, the shortest first.
  public let times: [Double]
  /// Notes played.
  public let notes: Int

  /// Plays `notes` notes of part 1 of `scene` on a device and listens at `input`, an input of ALSA's; without one, at
  /// that of the card that plays. Takes half a second a note. Throws when either cannot be opened.
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
      // Silence, which shows what noise there is.
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
      let window = Int(NoteOnset.length * Double(state.rate))
      // The peak that counts is that of the note's beginning.
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

  /// What comes in for so long, and the moment of its first frame.
  private static func listen(
    _ capture: CaptureStream, seconds: Double, rate: Int
  ) throws(ALSAError) -> (samples: [Float], begin: Int64) {
    var samples: [Float] = []
    var begin: Int64 = 0
    let end = monotonic() + Int64(seconds * 2e9)
    while Double(samples.count) < seconds * Double(rate) {
      let more = try capture.read()
      if samples.isEmpty { begin = more.begin }
      samples += more.samples
      if monotonic() > end { throw ALSAError("Hearing the input", code: ETIMEDOUT) }
    }
    return (samples, begin)
  }

  /// The beginning of the note, as the engine renders it.
  private static func sound(_ scene: Scene, rate: Int) -> [Float] {
    let link = Link(scene)
    link.midi.push(Event(frame: 0, kind: .noteOn, source: 1, note: 69, value: 1))
    let engine = UnsafeMutablePointer<Engine>.allocate(capacity: 1)
    engine.initialize(to: Engine(rate: Double(rate), link: link))
    defer {
      engine.deinitialize(count: 1)
      engine.deallocate()
    }
    let frames = min(Int(NoteOnset.length * Double(rate)), Limits.period)
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
