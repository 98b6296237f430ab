import CRealtime

/// The noise of four voices: half of the lanes at a time, so that their filters stay in registers.
struct NoiseHalf {
  var words: SIMD4<UInt32>
  var pink1: Quad
  var pink2: Quad
  var pink3: Quad
  var pink4: Quad
  var brown: Quad
  var last: Quad

  @_noLocks @inline(__always)
  init(words: SIMD4<UInt32>, pink: (Quad, Quad, Quad, Quad), brown: Quad, last: Quad) {
    (self.words, self.brown, self.last) = (words, brown, last)
    (pink1, pink2, pink3, pink4) = pink
  }

  /// Adds the audible colours. If there are both dark and bright ones, they are rendered one after the other from the
  /// same random words.
  @_noLocks @inline(never)
  mutating func add(
    to block: NoiseBlock, _ levels: NoiseLevels, _ colors: NoiseShares.AudibleColors, _ filter: NoiseFilter
  ) {
    var levels = levels.scaled(filter)
    let first = words
    if colors.isBright || !colors.isDark {
      addBright(to: block, levels)
      if !colors.isDark { return }
      words = first
      levels.white = QuadRamp(value: .zero, step: .zero)
    }
    if colors.moves {
      addDark(to: block, levels, filter, moves: true, isMixed: true)
    } else if colors.isMixed {
      addDark(to: block, levels.joined, filter, moves: false, isMixed: true)
    } else {
      addDark(to: block, levels.joined, filter, moves: false, isMixed: false)
    }
  }

  /// Adds white and violet.
  @_noLocks @inline(__always)
  private mutating func addBright(to block: NoiseBlock, _ levels: NoiseLevels) {
    let isWide = block.isWide
    var (half, levels) = (self, levels)
    var i = 0
    if block.isOdd {
      block.add(half.bright(number(turned(half.words)), &levels), 0, isWide: isWide)
      i = 2
    }
    while i < block.count {
      half.words = scrambled(half.words)
      block.add(half.bright(number(half.words), &levels), i, isWide: isWide)
      i &+= 2
      if i == block.count { break }
      block.add(half.bright(number(turned(half.words)), &levels), i, isWide: isWide)
      i &+= 2
    }
    (words, last) = (half.words, half.last)
  }

  @_noLocks @inline(__always)
  private mutating func bright(_ white: Quad, _ levels: inout NoiseLevels) -> Quad {
    let sum = multiplyAdd(levels.white.value, white, levels.violet.value * (white - last))
    last = white
    let value = levels.level.value * sum
    levels.level.move()
    levels.white.move()
    levels.violet.move()
    return value
  }

  /// Adds pink, and if `isMixed` white and brown.
  @_noLocks @inline(__always)
  private mutating func addDark(
    to block: NoiseBlock, _ levels: NoiseLevels, _ filter: NoiseFilter, moves: Bool, isMixed: Bool
  ) {
    if block.isWide {
      addDark(to: block, levels, filter, moves, isMixed, isWide: true)
    } else {
      addDark(to: block, levels, filter, moves, isMixed, isWide: false)
    }
  }

  @_noLocks @inline(__always)
  private mutating func addDark(
    to block: NoiseBlock, _ levels: NoiseLevels, _ filter: NoiseFilter, _ moves: Bool, _ isMixed: Bool,
    isWide: Bool
  ) {
    let first = block.isOdd ? addOne(to: block, levels, filter, moves, isMixed) : levels
    var (half, levels) = (self, first)
    var i = block.isOdd ? 2 : 0
    while i &+ 2 < block.count {
      half.words = scrambled(half.words)
      let (one, two) = (number(half.words), number(turned(half.words)))
      block.add(half.dark(one, &levels, filter, moves, isMixed), i, isWide: isWide)
      block.add(half.dark(two, &levels, filter, moves, isMixed), i &+ 2, isWide: isWide)
      i &+= 4
    }
    if i < block.count {
      half.words = scrambled(half.words)
      block.add(half.dark(number(half.words), &levels, filter, moves, isMixed), i, isWide: isWide)
    }
    self = half
  }

  /// Adds the first sample when it is the second one of a word. Returns the levels after it. Not inlined: the compiler
  /// would no longer specialize the loops.
  @_noLocks @inline(never)
  private mutating func addOne(
    to block: NoiseBlock, _ levels: NoiseLevels, _ filter: NoiseFilter, _ moves: Bool, _ isMixed: Bool
  ) -> NoiseLevels {
    var levels = levels
    let value = dark(number(turned(words)), &levels, filter, moves, isMixed)
    block.add(value, 0, isWide: block.isWide)
    return levels
  }

  @_noLocks @inline(__always)
  private mutating func dark(
    _ white: Quad, _ levels: inout NoiseLevels, _ filter: NoiseFilter, _ moves: Bool, _ isMixed: Bool
  ) -> Quad {
    let (poles, ratios) = (filter.poles, filter.ratios)
    // Hidden from the compiler, which otherwise splits some of these vectors.
    pink1 = rt_opaque(multiplyAdd(pink1, Quad(repeating: poles[0]), white))
    pink2 = rt_opaque(multiplyAdd(pink2, Quad(repeating: poles[1]), white))
    pink3 = rt_opaque(multiplyAdd(pink3, Quad(repeating: poles[2]), white))
    pink4 = rt_opaque(multiplyAdd(pink4, Quad(repeating: poles[3]), white))
    var sum = multiplyAdd(pink1, Quad(repeating: ratios[0]), pink2)
    sum = multiplyAdd(sum, Quad(repeating: ratios[1]), pink3)
    sum = multiplyAdd(sum, Quad(repeating: ratios[2]), pink4)
    sum *= levels.pink.value
    if isMixed {
      brown = rt_opaque(multiplyAdd(brown, Quad(repeating: filter.brownPole), white))
      sum = multiplyAdd(levels.brown.value, brown, sum)
      sum = multiplyAdd(levels.white.value, white, sum)
    }
    if moves {
      sum *= levels.level.value
      levels.level.move()
      levels.pink.move()
      levels.brown.move()
      levels.white.move()
    }
    return sum
  }
}
