// The ladder beside the clean filter, while the character changes.

extension LadderLanes {
  /// Aims at the share of the sound, and eases in what has begun.
  @_noLocks
  mutating func aim(share goal: Float, rate: Float, perFrame: Float) {
    share.aim(at: Lanes(repeating: goal), perFrame: perFrame)
    let (one, far) = (Lanes(repeating: 1), 1 / (perFrame * rate * Self.easing))
    ease.aim(at: smaller(ease.value + far, one), perFrame: perFrame)
    cleanEase.aim(at: smaller(cleanEase.value + far, one), perFrame: perFrame)
  }

  /// Seconds in which a filter that begins is eased in.
  private static var easing: Float { @_noLocks get { 0.012 } }

  /// Gives some samples to the clean filter, and eases both in. Clears its output.
  @_noLocks @inline(never)
  mutating func divide(
    _ x: UnsafeMutablePointer<Lanes>, to clean: UnsafeMutablePointer<Lanes>,
    _ output: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    var (own, other) = (ease, cleanEase)
    var i = 0
    while i < frames {
      clean[i] = x[i] * Self.round(other.value)
      x[i] *= Self.round(own.value)
      output[i] = .zero
      own.move()
      other.move()
      i &+= 1
    }
    (ease, cleanEase) = (own, other)
  }

  /// A position in a fade, 0…1, without corners at its ends.
  @_noLocks @inline(__always)
  private static func round(_ position: Lanes) -> Lanes { position * position * (3 - 2 * position) }

  /// Adds the samples to the mix at its share, and those of the clean filter at the rest. Returns the gain after the last
  /// sample.
  @_noLocks @inline(never)
  mutating func add(
    _ x: UnsafeMutablePointer<Lanes>, beside clean: UnsafeMutablePointer<Lanes>, _ gain: Ramp,
    to mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) -> Lanes {
    var (now, part) = (gain.value, share)
    var i = 0
    while i < frames {
      let y = multiplyAdd(part.value, x[i] * FilterLanes.gain - clean[i], clean[i])
      mix[i] = multiplyAdd(y, now, mix[i])
      now += gain.step
      part.move()
      i &+= 1
    }
    share = part
    return now
  }
}
