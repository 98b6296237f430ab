import CALSA
import Glibc
import System

/// The audio thread on a card.
extension AudioLoop {
  /// Plays until the card is lost, another is offered or the end has come.
  mutating func play(on pcm: OpaquePointer) {
    let period = Int64(Self.nanoseconds(outlet.pointee.frames, outlet.pointee.rate))
    var wakes = WakeClock(frames: outlet.pointee.frames, rate: outlet.pointee.rate, now: monotonic())
    var progress = monotonic()
    var pace = progress
    var keepsTime = true
    var kept = false
    var last = false
    started = false
    fadeIn = true

    while true {
      var error = started ? waitForRoom(pcm) : prime(pcm)
      if error == 0 {
        if kept {
          // The same block again, after the silence that refilled the card.
          fade(from: 0, to: 1)
          convert()
        } else {
          // A PCM without a clock of its own (a file, nothing at all) would make the loop run away.
          let now = monotonic()
          pace = max(pace, now) + (keepsTime ? period - period / 100 : period)
          if pace - now > Self.slack + 3 * period { keepsTime = false }
          if !keepsTime { sleep(until: pace - Self.slack) }
          last = leaving
          render(begin: wakes.block(at: monotonic()))
          if last {
            fade(from: 1, to: 0)
            convert()
          }
          kept = true
        }
        error = writeBlock(pcm)
      }
      if error == 0 {
        kept = false
        progress = monotonic()
        meters.set(.card, 1)
        if last { break }
      } else {
        wakes.reset()
        let alive = monotonic() - progress < patience
        guard recover(pcm, error), alive else { return lose(error) }
      }
    }
    // What was written is heard before the card is closed.
    sleep(until: monotonic() + Int64(Self.nanoseconds(outlet.pointee.depth, outlet.pointee.rate)))
    _ = takeOffer()
  }

  /// How long a card may stand still before it is given up, nanoseconds. Short at the end.
  private var patience: Int64 { stopping ? 100_000_000 : 2_000_000_000 }

  /// Waits until the card has room for a block, or the loop is to leave it. 0 or an error.
  private func waitForRoom(_ pcm: OpaquePointer) -> Int32 {
    let begin = monotonic()
    while true {
      let result = snd_pcm_wait(pcm, 100)
      if result < 0 && result != -EINTR { return result }
      if result > 0 || leaving { return 0 }
      if monotonic() - begin > patience { return -ETIMEDOUT }
    }
  }

  /// Fills the card with silence up to one block less than its depth.
  private mutating func prime(_ pcm: OpaquePointer) -> Int32 {
    started = false
    let result = snd_pcm_prepare(pcm)
    if result < 0 { return result }
    let outlet = outlet.pointee
    var left = outlet.depth - outlet.frames
    while left > 0 {
      let written = snd_pcm_writei(pcm, outlet.silence, snd_pcm_uframes_t(min(left, outlet.frames)))
      if written < 0 { return Int32(written) }
      if written == 0 { break }
      left -= written
    }
    return 0
  }

  /// Writes the block that was rendered last, and starts the card if it stands.
  private mutating func writeBlock(_ pcm: OpaquePointer) -> Int32 {
    let outlet = outlet.pointee
    let bytes = outlet.channels * outlet.format.bytes
    let begin = monotonic()
    var done = 0
    while done < outlet.frames {
      let written = snd_pcm_writei(pcm, outlet.block + done * bytes, snd_pcm_uframes_t(outlet.frames - done))
      if written > 0 {
        done += written
      } else if written == 0 || written == -Int(EAGAIN) {
        let result = snd_pcm_wait(pcm, 100)
        if result < 0 && result != -EINTR { return result }
        if monotonic() - begin > patience { return -ETIMEDOUT }
      } else if written != -Int(EINTR) {
        return Int32(written)
      }
    }
    if !started {
      let result = snd_pcm_start(pcm)
      if result < 0 { return result }
      started = true
    }
    return 0
  }

  /// Answers an error of the card; false when the card is lost. The card is to be primed when this cleared
  /// `started`.
  private mutating func recover(_ pcm: OpaquePointer, _ error: Int32) -> Bool {
    switch -error {
    case EAGAIN:
      return true
    case EPIPE:
      watch.lack(1)
      started = false
      return true
    case ESTRPIPE:
      // Suspended: the system wakes the card when it wakes itself.
      started = false
      let begin = monotonic()
      while snd_pcm_resume(pcm) == -EAGAIN, monotonic() - begin < patience, !stopping {
        sleep(until: monotonic() + 10_000_000)
      }
      return true
    default:
      return false
    }
  }
}
