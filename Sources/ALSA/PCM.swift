import CALSA
import Glibc
import Scenes

/// A device to play blocks on: the PCM of a card, or no card, at the pace of the machine's clock. Plain data with its
/// own buffers, which are allocated and freed outside the audio thread.
struct PCM {
  /// ALSA's handle of the card; nil for the clock.
  let card: OpaquePointer?
  /// The rate in Hz.
  var rate: Int
  /// The number of frames in a block.
  let frames: Int
  /// Frames in the card's buffer just after a block was written.
  let depth: Int
  let channels: Int
  let format: SampleFormat
  let left: UnsafeMutablePointer<Float>
  let right: UnsafeMutablePointer<Float>
  /// The buffers of the channels beyond 1 and 2.
  let further: ExtraOutputs
  /// One block in the card's format.
  let block: UnsafeMutableRawPointer
  /// One block of silence in the card's format.
  let silence: UnsafeMutableRawPointer

  /// Milliseconds of sound in the card's buffer just after a block was written: the output latency.
  var latency: Double { Double(depth) * 1000 / Double(rate) }

  /// The settings of the PCM, and the requested ones where they differ, as text for the log and for people.
  func description(rate asked: Int, period: Int, periods: Int, outputs: PartOutputs) -> String {
    let tenths = Int(clamping: (latency * 10).rounded())
    let got = "\(rate) Hz, \(depth / frames) periods of \(frames) frames, \(tenths / 10).\(tenths % 10) ms"
    let wish =
      (asked, periods, period) == (rate, depth / frames, frames)
      ? "" : " (asked for \(asked) Hz, \(periods) periods of \(period))"
    let parts =
      if outputs.count == 1 {
        ""
      } else if further.pairs == outputs.count {
        ", outputs \(outputs)"
      } else {
        ", all parts on 1-2 (outputs \(outputs) take \(2 * outputs.count) channels of the card itself)"
      }
    return "\(got)\(wish), \(format.name), \(channels == 1 ? "1 channel" : "\(channels) channels")\(parts)"
  }

  private init(
    card: OpaquePointer?, rate: Int, frames: Int, depth: Int, channels: Int, format: SampleFormat, pairs: Int
  ) {
    self.card = card
    self.rate = rate
    self.frames = frames
    self.depth = depth
    self.channels = channels
    self.format = format
    left = .allocate(capacity: frames)
    left.initialize(repeating: 0, count: frames)
    right = .allocate(capacity: frames)
    right.initialize(repeating: 0, count: frames)
    further = ExtraOutputs(pairs: pairs, frames: frames)
    func bytes() -> UnsafeMutableRawPointer {
      let count = frames * channels * format.bytes
      let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: count)
      return memory
    }
    block = bytes()
    silence = bytes()
  }

  /// Closes the card and frees the buffers.
  func close() {
    if let card {
      snd_pcm_drop(card)
      snd_pcm_close(card)
    }
    left.deallocate()
    right.deallocate()
    further.deallocate()
    block.deallocate()
    silence.deallocate()
  }

  /// A PCM without a card: blocks of `frames`, rendered at the pace of the clock and dropped.
  static func clock(
    rate: Int, frames: Int, format: SampleFormat = .float, outputs: PartOutputs = PartOutputs()
  ) -> PCM {
    // All outputs are rendered even without a card, so that a recording of 1 and 2 stays the same.
    PCM(
      card: nil, rate: rate, frames: frames, depth: frames, channels: 2 * outputs.count, format: format,
      pairs: outputs.count)
  }

  /// Opens the PCM `name` with values as near as possible to `rate` Hz and `periods` periods of `period` frames, and
  /// with the channels that `outputs` need if it has them. If the card does not support such settings, ALSA converts.
  static func open(
    _ name: String, rate: Int, period: Int, periods: Int = 2, outputs: PartOutputs = PartOutputs()
  ) throws(ALSAError) -> PCM {
    alsa_be_quiet()
    do {
      return try open(exactly: name, rate: rate, period: period, periods: periods, outputs: outputs)
    } catch {
      // Conversion does not help with a card that is busy, missing or forbidden.
      guard name.hasPrefix("hw:"), error.code == EINVAL else { throw error }
      return try open(exactly: "plug" + name, rate: rate, period: period, periods: periods, outputs: outputs)
    }
  }

  private static func open(
    exactly name: String, rate: Int, period: Int, periods: Int, outputs: PartOutputs
  ) throws(ALSAError) -> PCM {
    var handle: OpaquePointer?
    try ALSAError.check(
      snd_pcm_open(&handle, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK)), "Opening \(name)")
    guard let card = handle else { throw ALSAError("Opening \(name)", code: ENODEV) }
    do {
      return try negotiate(card, name, rate: rate, period: period, periods: periods, outputs: outputs)
    } catch {
      snd_pcm_close(card)
      throw error
    }
  }

  private static func negotiate(
    _ card: OpaquePointer, _ name: String, rate: Int, period: Int, periods: Int, outputs: PartOutputs
  ) throws(ALSAError) -> PCM {
    var memory: OpaquePointer?
    try ALSAError.check(snd_pcm_hw_params_malloc(&memory), "Setting up \(name)")
    guard let hardware = memory else { throw ALSAError("Setting up \(name)", code: ENOMEM) }
    defer { snd_pcm_hw_params_free(hardware) }
    try ALSAError.check(snd_pcm_hw_params_any(card, hardware), "Asking \(name) what it can do")
    try ALSAError.check(
      snd_pcm_hw_params_set_access(card, hardware, SND_PCM_ACCESS_RW_INTERLEAVED),
      "Asking \(name) for interleaved samples")
    guard
      let format = SampleFormat.allCases.first(where: {
        snd_pcm_hw_params_set_format(card, hardware, $0.alsa) == 0
      })
    else { throw ALSAError("Asking \(name) for a format that pipit has", code: EINVAL) }
    let channels = try negotiateChannels(card, hardware, name, outputs)
    // ALSA's resampling is turned off unless a converter was asked for, because the engine can render at any rate.
    if name.hasPrefix("hw:") { snd_pcm_hw_params_set_rate_resample(card, hardware, 0) }
    var hertz = UInt32(rate)
    try ALSAError.check(
      snd_pcm_hw_params_set_rate_near(card, hardware, &hertz, nil), "Asking \(name) for \(rate) Hz")
    guard Limits.rates.contains(Int(hertz)) else {
      throw ALSAError("Asking \(name) for \(rate) Hz, which it answers with \(hertz)", code: EINVAL)
    }
    var size = snd_pcm_uframes_t(period)
    try ALSAError.check(
      snd_pcm_hw_params_set_period_size_near(card, hardware, &size, nil),
      "Asking \(name) for periods of \(period) frames")
    var buffer = size * snd_pcm_uframes_t(periods)
    try ALSAError.check(
      snd_pcm_hw_params_set_buffer_size_near(card, hardware, &buffer),
      "Asking \(name) for a buffer of \(buffer) frames")
    try ALSAError.check(
      snd_pcm_hw_params(card, hardware), "Setting up \(name) for \(hertz) Hz, \(size) frames")

    // As many blocks in flight as requested, or three if the card requires a buffer of three. The rest of a larger
    // buffer stays empty.
    let frames = min(Int(size), Int(buffer) / 2)
    let whole = Int(buffer) / frames
    let depth = (whole <= max(3, periods) ? whole : periods) * frames
    var settings: OpaquePointer?
    try ALSAError.check(snd_pcm_sw_params_malloc(&settings), "Setting up \(name)")
    guard let software = settings else { throw ALSAError("Setting up \(name)", code: ENOMEM) }
    defer { snd_pcm_sw_params_free(software) }
    try ALSAError.check(snd_pcm_sw_params_current(card, software), "Setting up \(name)")
    var boundary: snd_pcm_uframes_t = 0
    snd_pcm_sw_params_get_boundary(software, &boundary)
    // The loop starts the card itself, after it has written the first block.
    snd_pcm_sw_params_set_start_threshold(card, software, boundary)
    snd_pcm_sw_params_set_avail_min(card, software, buffer - snd_pcm_uframes_t(depth - frames))
    try ALSAError.check(snd_pcm_sw_params(card, software), "Setting up \(name) for wake-ups")

    return PCM(
      card: card, rate: Int(hertz), frames: frames, depth: depth, channels: channels, format: format,
      pairs: channels >= 2 * outputs.count ? outputs.count : 1)
  }

  /// Chooses the channel count that `outputs` need or, if the card has fewer channels, the one nearest to two.
  private static func negotiateChannels(
    _ card: OpaquePointer, _ hardware: OpaquePointer, _ name: String, _ outputs: PartOutputs
  ) throws(ALSAError) -> Int {
    var channels: UInt32 = 2
    // ALSA's converter accepts any count, and drops the channels that its card does not have.
    if outputs.count > 1, snd_pcm_type(card) != SND_PCM_TYPE_PLUG {
      var least = UInt32(2 * outputs.count)
      if snd_pcm_hw_params_set_channels_min(card, hardware, &least) == 0 { channels = least }
    }
    try ALSAError.check(
      snd_pcm_hw_params_set_channels_near(card, hardware, &channels), "Asking \(name) for two channels")
    return Int(channels)
  }
}
