import CRealtime

/// Four consecutive samples of one channel: one register on SSE and NEON. Effects compute four samples at once where
/// there is no recursion.
typealias Quad = SIMD4<Float>
/// The bit patterns of four samples, or four whole numbers.
typealias QuadWords = SIMD4<UInt32>

/// `a * b + c`, rounded once on Arm.
@_noLocks @inline(__always)
func multiplyAdd(_ a: Quad, _ b: Quad, _ c: Quad) -> Quad {
  #if arch(arm64)
    c.addingProduct(a, b)
  #else
    a * b + c
  #endif
}

/// `c - a * b`, rounded once on Arm.
@_noLocks @inline(__always)
func multiplySubtract(_ a: Quad, _ b: Quad, from c: Quad) -> Quad {
  #if arch(arm64)
    c.addingProduct(-a, b)
  #else
    c - a * b
  #endif
}

/// `a` where the mask holds, `b` elsewhere.
@_noLocks @inline(__always)
func select(_ a: Quad, _ b: Quad, where mask: SIMDMask<SIMD4<Int32>>) -> Quad {
  let (p, q) = (unsafeBitCast(a, to: QuadWords.self), unsafeBitCast(b, to: QuadWords.self))
  return unsafeBitCast(q ^ ((p ^ q) & unsafeBitCast(mask, to: QuadWords.self)), to: Quad.self)
}

/// True when a mask holds in any element.
@_noLocks @inline(__always)
func isAny(_ mask: SIMDMask<SIMD4<Int32>>) -> Bool {
  let pairs = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
  return pairs[0] | pairs[1] != 0
}

@_noLocks @inline(__always)
func larger(_ a: Quad, _ b: Quad) -> Quad {
  #if arch(x86_64)
    rt_larger(a, b)
  #elseif arch(arm64)
    rt_larger_four(a, b)
  #else
    select(a, b, where: a .> b)
  #endif
}

/// The smaller of each pair of elements.
@_noLocks @inline(__always)
func smaller(_ a: Quad, _ b: Quad) -> Quad {
  #if arch(x86_64)
    rt_smaller(a, b)
  #elseif arch(arm64)
    rt_smaller_four(a, b)
  #else
    select(a, b, where: a .< b)
  #endif
}

@_noLocks @inline(__always)
func magnitude(_ x: Quad) -> Quad {
  unsafeBitCast(unsafeBitCast(x, to: QuadWords.self) & 0x7fff_ffff, to: Quad.self)
}

/// The nearest whole number, for `x` within ±2^22.
@_noLocks @inline(__always)
func nearest(_ x: Quad) -> Quad { (x + 12_582_912) - 12_582_912 }

/// `a / b`; on Arm without a division, as in `inverse` of `Lanes`.
@_noLocks @inline(__always)
func quotient(_ a: Quad, _ b: Quad) -> Quad {
  #if arch(arm64)
    a * rt_inverse(b)
  #else
    a / b
  #endif
}

/// Transposes a 4 by 4 matrix in pairs of elements; each statement here compiles to one instruction.
@_noLocks @inline(__always)
func transposed(_ a: Quad, _ b: Quad, _ c: Quad, _ d: Quad) -> (Quad, Quad, Quad, Quad) {
  let (one, two) = (rt_low_pairs(a, b), rt_low_pairs(c, d))
  let (three, four) = (rt_high_pairs(a, b), rt_high_pairs(c, d))
  return (
    rt_opaque(rt_low_halves(one, two)), rt_opaque(rt_high_halves(one, two)),
    rt_opaque(rt_low_halves(three, four)), rt_opaque(rt_high_halves(three, four))
  )
}

extension UnsafePointer<Float> {
  /// Four consecutive samples.
  var four: Quad { @_noLocks @inline(__always) get { UnsafeRawPointer(self).loadUnaligned(as: Quad.self) } }
}

extension UnsafeMutablePointer<Float> {
  /// Four consecutive samples.
  var four: Quad {
    @_noLocks @inline(__always) get { UnsafeRawPointer(self).loadUnaligned(as: Quad.self) }
    @_noLocks @inline(__always) nonmutating set {
      UnsafeMutableRawPointer(self).storeBytes(of: newValue, as: Quad.self)
    }
  }
}

/// Up to eight numbers, each of which moves in a straight line from tick to tick. Their values are computed from the
/// frames since the tick, so that they do not depend on how the tick is divided into calls.
struct TickRamp {
  private(set) var from = SIMD8<Float>.zero
  private(set) var step = SIMD8<Float>.zero
  private(set) var goal = SIMD8<Float>.zero
  // The step until the last tick.
  private var stepBefore = SIMD8<Float>.zero

  /// Sets the numbers to their last goals, and aims at `next` within `frames` frames.
  @_noLocks
  mutating func aim(at next: SIMD8<Float>, frames: Int) {
    (from, stepBefore) = (goal, step)
    goal = next
    step = (next - from) * (1 / Float(frames))
  }

  @_noLocks
  mutating func rest(at value: SIMD8<Float>) {
    (from, step, goal, stepBefore) = (value, .zero, value, .zero)
  }

  /// Sets the numbers to their goals, where they stay.
  @_noLocks
  mutating func stay() { (from, step, stepBefore) = (goal, .zero, step) }

  /// Sets the goal of one number to 0, which takes effect at the next `aim` or `stay`.
  @_noLocks
  mutating func clear(_ number: Int) { goal[number] = 0 }

  /// Whether one of the numbers equals `value` throughout the tick.
  @_noLocks @inline(__always)
  func isSettled(_ number: Int, at value: Float) -> Bool { from[number] == value && step[number] == 0 }

  /// One of the numbers in four frames, the first of them `frame` frames after the tick.
  @_noLocks @inline(__always)
  func quad(_ number: Int, _ frame: Int) -> Quad {
    Quad(repeating: from[number]) + Quad(repeating: step[number]) * (Quad(0, 1, 2, 3) + Float(frame))
  }

  /// One of the numbers in four frames, as it was `delay` frames earlier, at most a tick: for effects that delay the
  /// sound.
  @_noLocks @inline(__always)
  func quad(_ number: Int, _ frame: Int, delay: Int) -> Quad {
    let frame: Quad = Quad(0, 1, 2, 3) + Float(frame &- delay)
    let since: Quad = Quad(repeating: step[number]) * larger(frame, Quad.zero)
    return Quad(repeating: from[number]) + Quad(repeating: stepBefore[number]) * smaller(frame, Quad.zero)
      + since
  }

  /// Whether one of the numbers stands still in this tick and stood still in the tick before.
  @_noLocks @inline(__always)
  func hasRested(_ number: Int) -> Bool { step[number] == 0 && stepBefore[number] == 0 }
}
