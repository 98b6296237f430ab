import CALSA
import Glibc

/// The audio thread on a card.
extension AudioLoop {
  /// Plays until the card is lost, another PCM is offered or the loop is stopped.
  mutating func play(on card: OpaquePointer) {
    let period = Int64(clamping: Self.nanoseconds(pcm.pointee.frames, pcm.pointee.rate))
    var filter = TimeFilter(frames: pcm.pointee.frames, rate: pcm.pointee.rate, now: time.now)
    var progress = time.now
    var pace = progress
    var keepsTime = true
    var kept = false
    var failures = 0
    started = false
    unplayedDue = nil
    fade = Fade(rate: pcm.pointee.rate)
    dither = Dither()

    while true {
      var error = started ? waitForRoom(card) : prime(card)
      if error == 0 {
        // The card was filled with silence, so the first block fades in.
        if !started { fade.begin() }
        if kept {
          // The card has not accepted the last block yet: convert it again.
          if leaving { fade.end() }
          convert()
        } else {
          // A PCM without a clock of its own (a file, or the null device) would never make the loop wait.
          let now = time.now
          pace = max(pace, now) + (keepsTime ? period - period / 100 : period)
          if pace - now > Self.slack + 3 * period { keepsTime = false }
          if !keepsTime { time.sleep(until: pace - Self.slack) }
          if leaving { fade.end() }
          render(begin: filter.block(at: time.now))
          kept = true
        }
        error = writeBlock(card)
      }
      if error == 0 {
        (kept, unplayedDue, failures) = (false, nil, 0)
        progress = time.now
        meters.set(.card, 1)
        if fade.isOver { break }
      } else {
        filter.reset()
        let alive = time.now - progress < timeout
        guard recover(card, error), alive else { return lose(error) }
        failures += 1
        // If the card keeps failing, the loop pauses instead of polling it.
        if failures > 1 {
          time.sleep(until: time.now + Self.pause)
          renderUnplayed()
        }
      }
    }
    // The written frames are played before the card is closed.
    time.sleep(until: time.now + Int64(clamping: Self.nanoseconds(pcm.pointee.depth, pcm.pointee.rate)))
    _ = takeOffer()
  }

  /// How long a card may make no progress before it is given up, in nanoseconds. Shorter when the loop is stopping.
  private var timeout: Int64 { stopping ? 100_000_000 : 2_000_000_000 }

  /// The pause before a card that has failed twice is tried again, in nanoseconds.
  private static let pause: Int64 = 5_000_000

  /// Waits until the card has space for a block, or until the loop must leave the card. Returns 0 or an error.
  ///
  /// If the card stalls, the engine still renders blocks, which no card plays. When it runs again, it is refilled.
  private mutating func waitForRoom(_ card: OpaquePointer) -> Int32 {
    let begin = time.now
    // By this time the card has played its whole buffer, with 50 ms to spare.
    let late = begin + Int64(clamping: Self.nanoseconds(pcm.pointee.depth, pcm.pointee.rate)) + 50_000_000
    while true {
      let until = unplayedDue ?? late
      let result = wait(card, max(1, min(until - time.now, 100_000_000)))
      if result < 0 { return result }
      if result > 0 || leaving { return unplayedDue == nil ? 0 : -EPIPE }
      if time.now - begin > timeout { return -ETIMEDOUT }
      if time.now >= late { renderUnplayed() }
    }
  }

  /// Returns 1 if the card has space, 0 if not yet, or an error. A signal is not an error; after one, the loop does
  /// not spin.
  private func wait(_ card: OpaquePointer, _ nanoseconds: Int64) -> Int32 {
    let result = time.wait(for: card, nanoseconds: nanoseconds)
    if result != -EINTR { return result }
    time.sleep(until: time.now + Self.pause / 5)
    return 0
  }

  /// Fills the card with silence up to one block less than its depth.
  private mutating func prime(_ card: OpaquePointer) -> Int32 {
    started = false
    // A card that the loop has left may still be running.
    if snd_pcm_state(card) == SND_PCM_STATE_RUNNING { snd_pcm_drop(card) }
    let result = snd_pcm_prepare(card)
    if result < 0 { return result }
    let pcm = pcm.pointee
    var left = pcm.depth - pcm.frames
    while left > 0 {
      let written = snd_pcm_writei(card, pcm.silence, snd_pcm_uframes_t(min(left, pcm.frames)))
      if written < 0 { return Int32(written) }
      if written == 0 { break }
      left -= written
    }
    return 0
  }

  /// Writes the last rendered block, and starts the card if it is stopped.
  private mutating func writeBlock(_ card: OpaquePointer) -> Int32 {
    let pcm = pcm.pointee
    let bytes = pcm.channels * pcm.format.bytes
    let begin = time.now
    var done = 0
    while done < pcm.frames {
      let written = snd_pcm_writei(card, pcm.block + done * bytes, snd_pcm_uframes_t(pcm.frames - done))
      if written > 0 {
        done += written
      } else if written == 0 || written == -Int(EAGAIN) {
        let result = wait(card, 100_000_000)
        if result < 0 { return result }
        if time.now - begin > timeout { return -ETIMEDOUT }
        // The card reported space but accepts no frames.
        if result > 0 {
          time.sleep(until: time.now + Int64(clamping: Self.nanoseconds(pcm.frames, pcm.rate)) / 4)
        }
      } else {
        return Int32(written)
      }
    }
    if !started {
      let result = snd_pcm_start(card)
      if result < 0 { return result }
      started = true
    }
    return 0
  }

  /// Handles an error of the card. Returns false if the card is lost. If `started` is false afterwards, the card must
  /// be primed.
  private mutating func recover(_ card: OpaquePointer, _ error: Int32) -> Bool {
    switch -error {
    case EAGAIN, EINTR:
      return true
    case EPIPE:
      timer.countXruns(1)
      started = false
      return true
    case ESTRPIPE:
      // Suspended: the system resumes the card when it resumes itself.
      started = false
      let begin = time.now
      while snd_pcm_resume(card) == -EAGAIN, time.now - begin < timeout, !stopping {
        time.sleep(until: time.now + Self.pause)
        renderUnplayed()
      }
      return true
    default:
      return false
    }
  }
}

/// Estimates the start times of blocks without the wake-up jitter of the thread: a second-order delay-locked loop (F.
/// Adriaensen, "Using a DLL to filter time", 2005).
struct TimeFilter {
  private var next: Double = 0
  private var period: Double
  private let nominal: Double
  private let origin: Int64
  private var running = false

  /// A filter for blocks of `frames` at `rate` Hz, the first at about `now` nanoseconds.
  init(frames: Int, rate: Int, now: Int64) {
    nominal = Double(frames) * 1e9 / Double(rate)
    period = nominal
    origin = now
  }

  /// Restarts the filter at the next block, as after an interruption.
  mutating func reset() { running = false }

  /// The estimated start, in nanoseconds, of the block for which the thread woke at `now`.
  mutating func block(at now: Int64) -> Int64 {
    let time = Double(now &- origin)
    let error = time - next
    // A stall must not affect the filter.
    if !running || abs(error) > max(2e7, 4 * nominal) {
      running = true
      period = nominal
      next = time + period
      return now
    }
    let begin = next
    // A bandwidth of one hertz: it settles in seconds and hardly responds to a single late wake-up.
    let omega = min(0.5, 2 * Double.pi * nominal * 1e-9)
    next += omega * 1.414 * error + period
    period += omega * omega * error
    return origin + Int64(clamping: begin)
  }
}
