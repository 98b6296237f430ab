import CALSA
import Glibc

/// The audio thread on a card.
extension AudioLoop {
  /// Plays until the card is lost, another is offered or the end has come.
  mutating func play(on card: OpaquePointer) {
    let period = Int64(Self.nanoseconds(pcm.pointee.frames, pcm.pointee.rate))
    var filter = TimeFilter(frames: pcm.pointee.frames, rate: pcm.pointee.rate, now: time.now)
    var progress = time.now
    var pace = progress
    var keepsTime = true
    var kept = false
    var failures = 0
    started = false
    unheard = nil
    fade = Fade(rate: pcm.pointee.rate)
    dither = Dither()

    while true {
      var error = started ? waitForRoom(card) : prime(card)
      if error == 0 {
        // After the silence that has filled the card.
        if !started { fade.begin() }
        if kept {
          // The same block again.
          if leaving { fade.end() }
          convert()
        } else {
          // A PCM without a clock of its own (a file, nothing at all) would make the loop run away.
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
        (kept, unheard, failures) = (false, nil, 0)
        progress = time.now
        meters.set(.card, 1)
        if fade.isOver { break }
      } else {
        filter.reset()
        let alive = time.now - progress < patience
        guard recover(card, error), alive else { return lose(error) }
        failures += 1
        // Whatever the card says again and again, the processor is not spent on asking it.
        if failures > 1 {
          time.sleep(until: time.now + Self.pause)
          renderUnheard()
        }
      }
    }
    // What was written is heard before the card is closed.
    time.sleep(until: time.now + Int64(Self.nanoseconds(pcm.pointee.depth, pcm.pointee.rate)))
    _ = takeOffer()
  }

  /// How long a card may stand still before it is given up, nanoseconds. Short at the end.
  private var patience: Int64 { stopping ? 100_000_000 : 2_000_000_000 }

  /// Before a card that failed twice is asked again, nanoseconds.
  private static let pause: Int64 = 5_000_000

  /// Waits until the card has room for a block, or the loop is to leave it. 0 or an error.
  ///
  /// A card that stands still does not hold up the sound: blocks go on, unheard, and when it moves again it is filled anew.
  private mutating func waitForRoom(_ card: OpaquePointer) -> Int32 {
    let begin = time.now
    // So much later than all that it holds has been played.
    let late = begin + Int64(Self.nanoseconds(pcm.pointee.depth, pcm.pointee.rate)) + 50_000_000
    while true {
      let until = unheard ?? late
      let result = wait(card, max(1, min(until - time.now, 100_000_000)))
      if result < 0 { return result }
      if result > 0 || leaving { return unheard == nil ? 0 : -EPIPE }
      if time.now - begin > patience { return -ETIMEDOUT }
      if time.now >= late { renderUnheard() }
    }
  }

  /// 1 when the card has room, 0 when it has none yet, or an error. A signal is no error, and no reason to spin.
  private func wait(_ card: OpaquePointer, _ nanoseconds: Int64) -> Int32 {
    let result = time.wait(for: card, nanoseconds: nanoseconds)
    if result != -EINTR { return result }
    time.sleep(until: time.now + Self.pause / 5)
    return 0
  }

  /// Fills the card with silence up to one block less than its depth.
  private mutating func prime(_ card: OpaquePointer) -> Int32 {
    started = false
    // A card that has been left behind may still run.
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

  /// Writes the block that was rendered last, and starts the card if it stands.
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
        if time.now - begin > patience { return -ETIMEDOUT }
        // It said that it has room, and it has not.
        if result > 0 { time.sleep(until: time.now + Int64(Self.nanoseconds(pcm.frames, pcm.rate)) / 4) }
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

  /// Answers an error of the card; false when the card is lost. The card is to be primed when this cleared
  /// `started`.
  private mutating func recover(_ card: OpaquePointer, _ error: Int32) -> Bool {
    switch -error {
    case EAGAIN, EINTR:
      return true
    case EPIPE:
      timer.countXruns(1)
      started = false
      return true
    case ESTRPIPE:
      // Suspended: the system wakes the card when it wakes itself.
      started = false
      let begin = time.now
      while snd_pcm_resume(card) == -EAGAIN, time.now - begin < patience, !stopping {
        time.sleep(until: time.now + Self.pause)
        renderUnheard()
      }
      return true
    default:
      return false
    }
  }
}
