/// The share of one filter character in the sound, while the character changes.
struct CharacterFade {
  /// Its share in the sound. The shares of all add up to 1.
  var share = Ramp()
  /// Position 0…1 in the fade-in of its input. Without this fade-in, a sound that is already playing would make the
  /// resonance of a new character ring.
  var ease = Ramp()

  /// Duration of the fade-in in seconds.
  private static var easing: Float { @_noLocks get { 0.012 } }

  /// Begins at a share of 0, or of 1 if it was the only character.
  @_noLocks
  mutating func begin(isAlone: Bool) {
    let position = Lanes(repeating: isAlone ? 1 : 0)
    share.rest(at: position)
    ease.rest(at: position)
  }

  @_noLocks
  mutating func aim(share goal: Float, rate: Float, perFrame: Float) {
    share.aim(at: Lanes(repeating: goal), perFrame: perFrame)
    let far = 1 / (perFrame * rate * Self.easing)
    ease.aim(at: smaller(ease.value + far, Lanes(repeating: 1)), perFrame: perFrame)
  }

  /// Copies some samples, faded in.
  @_noLocks @inline(never)
  mutating func ease(_ x: UnsafeMutablePointer<Lanes>, to y: UnsafeMutablePointer<Lanes>, frames: Int) {
    var position = ease
    var i = 0
    while i < frames {
      // A smoothstep, which has no corners at its ends.
      y[i] = x[i] * (position.value * position.value * (3 - 2 * position.value))
      position.move()
      i &+= 1
    }
    ease = position
  }

  /// Adds some samples times `level` at its share.
  @_noLocks @inline(never)
  mutating func add(
    _ x: UnsafeMutablePointer<Lanes>, level: Float, to sum: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    var part = share
    var i = 0
    while i < frames {
      sum[i] = multiplyAdd(x[i] * level, part.value, sum[i])
      part.move()
      i &+= 1
    }
    share = part
  }

  /// Resets one lane.
  @_noLocks
  mutating func reset(_ lane: Int) {
    share.jump(lane, to: 0)
    ease.jump(lane, to: 1)
  }

  /// Sets some lanes to the shares that they would reach after `frames` samples.
  @_noLocks
  mutating func snap(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    share.snap(lanes, frames: frames)
    // Silence makes nothing ring.
    ease.value = select(Lanes(repeating: 1), ease.value, where: lanes)
    ease.step = select(Lanes.zero, ease.step, where: lanes)
  }
}

/// The fades of all characters.
struct CharacterFades {
  var clean = CharacterFade()
  var ladder = CharacterFade()
  var formant = CharacterFade()
  var comb = CharacterFade()

  /// Aims at the shares. A character that does not run gets one, too, but adds nothing to the sound.
  /// - Parameters:
  ///   - needs: what the coming ramp needs.
  ///   - before: what the last ramp needed.
  @_noLocks
  mutating func aim(
    at shares: CharacterShares, rate: Float, perFrame: Float, needs: FilterNeeds, before: FilterNeeds
  ) {
    let wasBlended = before.isBlended
    if needs.isClean, !wasBlended || !before.isClean { clean.begin(isAlone: before.isClean) }
    if needs.hasLadder, !wasBlended || !before.hasLadder { ladder.begin(isAlone: before.hasLadder) }
    if needs.hasFormant, !wasBlended || !before.hasFormant { formant.begin(isAlone: before.hasFormant) }
    if needs.hasComb, !wasBlended || !before.hasComb { comb.begin(isAlone: before.hasComb) }
    clean.aim(share: shares.clean, rate: rate, perFrame: perFrame)
    ladder.aim(share: shares.ladder, rate: rate, perFrame: perFrame)
    formant.aim(share: shares.formant, rate: rate, perFrame: perFrame)
    comb.aim(share: shares.comb, rate: rate, perFrame: perFrame)
  }

  @_noLocks
  mutating func reset(_ lane: Int) {
    clean.reset(lane)
    ladder.reset(lane)
    formant.reset(lane)
    comb.reset(lane)
  }

  @_noLocks
  mutating func snap(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    clean.snap(lanes, frames: frames)
    ladder.snap(lanes, frames: frames)
    formant.snap(lanes, frames: frames)
    comb.snap(lanes, frames: frames)
  }
}

/// The share of each character in the sound, 0…1; they add up to 1.
struct CharacterShares {
  private(set) var ladder: Float = 0
  private(set) var formant: Float = 0
  private(set) var comb: Float = 0
  private(set) var clean: Float = 1

  /// The clean filter alone.
  @_noLocks init() {}

  /// The current shares of a fade. An inaudible share counts as 0.
  @_noLocks
  init(ladder: Float, formant: Float, comb: Float) {
    (self.ladder, self.formant, self.comb) = (Self.audible(ladder), Self.audible(formant), Self.audible(comb))
    clean = Self.audible(1 - self.ladder - self.formant - self.comb)
    if clean > 0 { return }
    // The largest of the others gets the rest.
    if self.ladder >= max(self.formant, self.comb) {
      self.ladder = 1 - self.formant - self.comb
    } else if self.formant >= self.comb {
      self.formant = 1 - self.ladder - self.comb
    } else {
      self.comb = 1 - self.ladder - self.formant
    }
  }

  /// The smallest audible share: -100 dB.
  private static var least: Float { @_noLocks get { 1e-5 } }

  @_noLocks
  private static func audible(_ share: Float) -> Float { share < least ? 0 : share }
}

extension FilterLanes {
  /// Adds some samples times `level` to the mix at a gain. Returns the gain after the last sample.
  @_noLocks
  static func add(
    _ x: UnsafeMutablePointer<Lanes>, level: Float, _ gain: Ramp, to mix: UnsafeMutablePointer<Lanes>,
    frames: Int
  ) -> Lanes {
    var now = gain.value
    var i = 0
    while i < frames {
      mix[i] = multiplyAdd(x[i] * level, now, mix[i])
      now += gain.step
      i &+= 1
    }
    return now
  }
}
