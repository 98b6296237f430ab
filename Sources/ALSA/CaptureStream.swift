import CALSA
import Glibc
import System

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
