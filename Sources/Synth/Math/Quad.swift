import CRealtime

/// Four samples of one channel in a row: one register on SSE and NEON. Effects compute across time where nothing recurses.
typealias Quad = SIMD4<Float>

/// `a * b + c`, as for `Lanes`.
@_noLocks @inline(__always)
func multiplyAdd(_ a: Quad, _ b: Quad, _ c: Quad) -> Quad {
  #if arch(arm64)
    c.addingProduct(a, b)
  #else
    a * b + c
  #endif
}

/// `c - a * b`, as for `Lanes`.
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
  let (p, q) = (unsafeBitCast(a, to: SIMD4<UInt32>.self), unsafeBitCast(b, to: SIMD4<UInt32>.self))
  return unsafeBitCast(q ^ ((p ^ q) & unsafeBitCast(mask, to: SIMD4<UInt32>.self)), to: Quad.self)
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

/// As `larger`.
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
  unsafeBitCast(unsafeBitCast(x, to: SIMD4<UInt32>.self) & 0x7fff_ffff, to: Quad.self)
}

/// The nearest whole number, for `x` within ±2^22, as for `Lanes`.
@_noLocks @inline(__always)
func nearest(_ x: Quad) -> Quad { (x + 12_582_912) - 12_582_912 }

/// `a / b`, on Arm without a division, as `inverse` of `Lanes`.
@_noLocks @inline(__always)
func quotient(_ a: Quad, _ b: Quad) -> Quad {
  #if arch(arm64)
    a * rt_inverse(b)
  #else
    a / b
  #endif
}

extension UnsafePointer<Float> {
  /// Four samples in a row.
  var four: Quad { @_noLocks @inline(__always) get { UnsafeRawPointer(self).loadUnaligned(as: Quad.self) } }
}

extension UnsafeMutablePointer<Float> {
  /// Four samples in a row.
  var four: Quad {
    @_noLocks @inline(__always) get { UnsafeRawPointer(self).loadUnaligned(as: Quad.self) }
    @_noLocks @inline(__always) nonmutating set {
      UnsafeMutableRawPointer(self).storeBytes(of: newValue, as: Quad.self)
    }
  }
}

/// Up to eight numbers that move in a straight line from tick to tick. Where they are follows from the frames since the
/// tick, so that it does not depend on how the tick is cut.
struct TickRamp {
  private(set) var from = SIMD8<Float>.zero
  private(set) var step = SIMD8<Float>.zero
  private(set) var goal = SIMD8<Float>.zero
  // What was added at a frame until the tick.
  private var stepBefore = SIMD8<Float>.zero

  /// Is where it went, and goes on to `next` within `frames`.
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

  /// Is where it went, and stays there.
  @_noLocks
  mutating func stay() { (from, step, stepBefore) = (goal, .zero, step) }

  /// One of the numbers is nothing, where it is read next.
  @_noLocks
  mutating func clear(_ number: Int) { goal[number] = 0 }

  /// Whether one of the numbers is `value` all the way.
  @_noLocks @inline(__always)
  func rests(_ number: Int, at value: Float) -> Bool { from[number] == value && step[number] == 0 }

  /// One of the numbers in four frames, the first of them `place` frames after the tick.
  @_noLocks @inline(__always)
  func quad(_ number: Int, _ place: Int) -> Quad {
    Quad(repeating: from[number]) + Quad(repeating: step[number]) * (Quad(0, 1, 2, 3) + Float(place))
  }

  /// The same as it was some frames before, as many as a tick has at most: for what acts on a sound that is late.
  @_noLocks @inline(__always)
  func quad(_ number: Int, _ place: Int, late: Int) -> Quad {
    let place: Quad = Quad(0, 1, 2, 3) + Float(place &- late)
    let since: Quad = Quad(repeating: step[number]) * larger(place, Quad.zero)
    return Quad(repeating: from[number]) + Quad(repeating: stepBefore[number]) * smaller(place, Quad.zero)
      + since
  }

  /// Whether one of the numbers rests, and has since a tick ago.
  @_noLocks @inline(__always)
  func hasRested(_ number: Int) -> Bool { step[number] == 0 && stepBefore[number] == 0 }
}
