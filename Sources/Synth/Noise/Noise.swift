/// The noise of eight voices: white, and coloured by one knob from brown through pink and white to violet.
///
/// Only audible colours are rendered. The filters of the other colours are paused: their old state is good enough to
/// fade in from.
struct NoiseLanes {
  var words = LaneWords(1, 2, 3, 4, 5, 6, 7, 8) &* 0x27d4_eb2f
  var level = Ramp()
  private var pink1 = Lanes.zero
  private var pink2 = Lanes.zero
  private var pink3 = Lanes.zero
  private var pink4 = Lanes.zero
  private var brown = Lanes.zero
  private var last = Lanes.zero
  private var shares = NoiseShares()

  /// Adds the noise to one block, or to one block for left and one for right; `isMoving` is true when the lanes differ
  /// in colour.
  @_noLocks
  mutating func add(
    to x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, _ mix: NoiseMix, isMoving: Bool,
    rate: Float, isOdd: Bool, frames: Int
  ) {
    let block = NoiseBlock(x, y, frames: frames, isOdd: isOdd)
    if mix.white == 1, !isMoving {
      words.lowHalf = block.addWhite(words.lowHalf, level.low)
      words.highHalf = block.second.addWhite(words.highHalf, level.high)
    } else {
      if !isMoving { shares.rest(at: mix) }
      let colors = NoiseShares.AudibleColors(shares, level)
      let filter = NoiseFilter(rate: rate)
      var four = NoiseHalf(
        words: words.lowHalf, pink: (pink1.lowHalf, pink2.lowHalf, pink3.lowHalf, pink4.lowHalf),
        brown: brown.lowHalf, last: last.lowHalf)
      four.add(to: block, shares.low(level), colors, filter)
      (words.lowHalf, pink1.lowHalf, pink2.lowHalf) = (four.words, four.pink1, four.pink2)
      (pink3.lowHalf, pink4.lowHalf) = (four.pink3, four.pink4)
      (brown.lowHalf, last.lowHalf) = (four.brown, four.last)
      four = NoiseHalf(
        words: words.highHalf, pink: (pink1.highHalf, pink2.highHalf, pink3.highHalf, pink4.highHalf),
        brown: brown.highHalf, last: last.highHalf)
      four.add(to: block.second, shares.high(level), colors, filter)
      (words.highHalf, pink1.highHalf, pink2.highHalf) = (four.words, four.pink1, four.pink2)
      (pink3.highHalf, pink4.highHalf) = (four.pink3, four.pink4)
      (brown.highHalf, last.highHalf) = (four.brown, four.last)
      if colors.moves { shares.pass(frames: frames) }
    }
    level.pass(frames: frames)
  }

  /// Sets one mix for all lanes.
  @_noLocks
  mutating func rest(at mix: NoiseMix) { shares.rest(at: mix) }

  /// Aims at a colour for each lane; lanes that start get it at once.
  @_noLocks
  mutating func aim(atColor color: Lanes, _ starting: SIMDMask<SIMD8<Int32>>, perFrame: Float) {
    shares.aim(atColor: color, starting, perFrame: perFrame)
  }

  /// Silences a lane and clears its filters.
  @_noLocks
  mutating func silence(_ lane: Int) {
    (pink1[lane], pink2[lane], pink3[lane], pink4[lane]) = (0, 0, 0, 0)
    (brown[lane], last[lane]) = (0, 0)
    level.jump(lane, to: 0)
  }
}
