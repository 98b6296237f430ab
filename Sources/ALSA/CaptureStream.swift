import CALSA
import Glibc
import System

/// What comes into a card, as one channel of floats, with the time at which it came. One thread.
final class CaptureStream {
  private let card: OpaquePointer
  private let name: String
  private let rate: Int
  private var buffer: [Float] = []

  /// Opens the PCM `name` at `rate` Hz, by ALSA's conversion where the card has no such channel or format, and starts it.
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
    // A buffer of a fifth of a second: its length makes nothing late here.
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

  /// All that has come since the last call, and the moment (nanoseconds) of its first frame. Waits for some, a tenth of a
  /// second at most.
  ///
  /// Nothing is left for the next call: what ALSA's converters have taken over from the card is not in its delay.
  func read() throws(ALSAError) -> (samples: [Float], begin: Int64) {
    snd_pcm_wait(card, 100)
    var delay: snd_pcm_sframes_t = 0
    let known = snd_pcm_delay(card, &delay)
    let now = monotonic()
    let count = known < 0 ? Int(known) : snd_pcm_readi(card, &buffer, snd_pcm_uframes_t(buffer.count))
    if count == -Int(EAGAIN) { return ([], now) }
    if count < 0 {
      // Run over, or asleep: begun anew.
      try ALSAError.check(snd_pcm_recover(card, Int32(count), 1), "Reading from the input \(name)")
      snd_pcm_start(card)
      return ([], now)
    }
    return (Array(buffer.prefix(count)), now - Int64(Double(delay) * 1e9 / Double(rate)))
  }
}
