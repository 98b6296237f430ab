import CALSA
import Glibc
import Scenes
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

/// The input of a card, as one channel of floats with time stamps. One thread.
final class CaptureStream {
  private let card: OpaquePointer
  private let name: String
  private let rate: Int
  private var buffer: [Float] = []

  /// Opens the PCM `name` at `rate` Hz and starts it. ALSA converts if the card lacks the format or the channel
  /// count.
  init(_ name: String, rate: Int) throws(ALSAError) {
    alsa_be_quiet()
    self.name = name.hasPrefix("hw:") ? "plug" + name : name
    self.rate = rate
    var handle: OpaquePointer?
    try ALSAError.check(
      snd_pcm_open(&handle, self.name, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK)),
      "Opening the input \(name)")
    guard let handle else { throw ALSAError("Opening the input \(name)", code: ENODEV) }
    card = handle
    // The buffer holds a fifth of a second. Its length does not delay the samples that are read.
    try ALSAError.check(
      snd_pcm_set_params(
        card, SND_PCM_FORMAT_FLOAT, SND_PCM_ACCESS_RW_INTERLEAVED, 1, UInt32(rate), 1, 200_000),
      "Setting up the input \(name)")
    var (frames, period): (snd_pcm_uframes_t, snd_pcm_uframes_t) = (0, 0)
    try ALSAError.check(snd_pcm_get_params(card, &frames, &period), "Setting up the input \(name)")
    buffer = [Float](repeating: 0, count: Int(frames))
    try ALSAError.check(snd_pcm_start(card), "Starting the input \(name)")
  }

  deinit { snd_pcm_close(card) }

  /// Reads all samples since the last call, and the time of the first one in nanoseconds. Waits for samples for a
  /// tenth of a second at most.
  ///
  /// Each call empties the input, because the delay that ALSA reports leaves out samples that its converters have
  /// already read.
  func read() throws(ALSAError) -> (samples: [Float], begin: Int64) {
    snd_pcm_wait(card, 100)
    var delay: snd_pcm_sframes_t = 0
    let known = snd_pcm_delay(card, &delay)
    let now = monotonic()
    let count = known < 0 ? Int(known) : snd_pcm_readi(card, &buffer, snd_pcm_uframes_t(buffer.count))
    if count == -Int(EAGAIN) { return ([], now) }
    if count < 0 {
      // After an overrun or a suspend the stream is restarted.
      try ALSAError.check(snd_pcm_recover(card, Int32(count), 1), "Reading from the input \(name)")
      snd_pcm_start(card)
      return ([], now)
    }
    return (Array(buffer.prefix(count)), now - Int64(clamping: Double(delay) * 1e9 / Double(rate)))
  }
}

/// Finds the onset of a note in a recording from a card's input, independent of gain and polarity.
struct NoteOnset {
  /// Seconds of the note that are examined.
  static let length = 0.02

  /// Frames from the beginning of the note until it reaches `share` of its peak.
  let rise: Int
  /// The share of the peak that marks the onset: well above the noise and early in the note.
  private static let share: Float = 0.3

  /// Measures the rise of a note as the engine renders it.
  init(of sound: [Float]) { rise = Self.crossing(sound[...], after: 0) ?? 0 }

  /// The frame of `samples` at which the note begins; nil if no sample exceeds four times `noise`, the peak of the
  /// silence before the note.
  func frame(in samples: ArraySlice<Float>, noise: Float) -> Int? {
    Self.crossing(samples, after: noise * 4).map { $0 - rise }
  }

  private static func crossing(_ samples: ArraySlice<Float>, after least: Float) -> Int? {
    let peak = samples.reduce(0) { max($0, abs($1)) }
    let threshold = max(peak * share, least)
    if peak < 0.001 || peak < threshold { return nil }
    return samples.firstIndex { abs($0) >= threshold }
  }
}
